// Projects: what each is made of, and what a person decides about that; it holds for what comes, too.
import { useState } from "preact/hooks";
import type { Answer } from "../../../server/route-types.ts";
import { post } from "../../api.ts";
import { Said } from "../../parts/said.tsx";
import { Time } from "../../parts/time.tsx";
import { NotYet, Trouble } from "../../parts/trouble.tsx";
import { useGet } from "../../use-asked.ts";
import { useWork } from "../../use-work.ts";
import { counted } from "../../words.ts";

type Project = Answer<"/api/projects">["projects"][number];

/** The list. */
export function ProjectsPart() {
  const { answer, error, again } = useGet("/api/projects", {});
  if (!answer) return <NotYet error={error} />;
  const { projects } = answer;
  return (
    <>
      <p class="hint">A project is a repository; its clones and worktrees belong to it.</p>
      <ol class="hits">
        {projects.map((project) => (
          <Row key={project.id} {...{ project, projects, again }} />
        ))}
      </ol>
    </>
  );
}

interface RowProps {
  project: Project;
  projects: readonly Project[];
  again(): void;
}

function Row({ project, projects, again }: RowProps) {
  const { id, name, sessions, lastActiveAt, ids, folders, like } = project;
  const [typed, type] = useState(name);
  const { busy, error, run } = useWork();
  const decide = (body: { ids: string[]; into?: string; apart?: true; name?: string }) =>
    run(async () => {
      await post("/api/projects", { body });
      again();
    });
  return (
    <li class="project">
      <p>
        <strong>
          <Said inline text={name} />
        </strong>{" "}
        <span class="meta">
          <Said inline text={id} /> · {counted(sessions, "session")} · <Time at={lastActiveAt} />
        </span>
      </p>
      {like.map((one) => (
        <p key={one.id} class="hint">
          Looks like <Said inline text={`${one.id}: ${one.why}`} />
        </p>
      ))}
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          void decide({ ids: [id], name: typed });
        }}
      >
        <input
          class="chip"
          aria-label={`Name of ${id}`}
          value={typed}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <button type="submit" disabled={busy || typed === name}>
          Rename
        </button>
        {projects.length > 1 && (
          <select
            class="chip"
            aria-label={`Join ${id} into`}
            value=""
            disabled={busy}
            onChange={(event) => void decide({ ids: [id], into: event.currentTarget.value })}
          >
            <option value="">Join into …</option>
            {projects
              .filter((other) => other.id !== id)
              .map((other) => (
                <option key={other.id} value={other.id}>
                  {other.name} ({other.id})
                </option>
              ))}
          </select>
        )}
        {ids.length + folders.length > 2 && (
          <select
            class="chip"
            aria-label={`Split off ${id}`}
            value=""
            disabled={busy}
            onChange={(event) => void decide({ ids: [event.currentTarget.value], apart: true })}
          >
            <option value="">Split off …</option>
            {[...ids, ...folders]
              .filter((one) => one !== id)
              .map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
          </select>
        )}
        {error !== undefined && <Trouble error={error} />}
      </form>
    </li>
  );
}
