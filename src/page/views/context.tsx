// What the next session in a project will be given, and what earlier ones were.
import type { Answer } from "../../server/route-types.ts";
import { addressOf, go } from "../address.ts";
import { Columns } from "../parts/columns.tsx";
import { ContextLines, type Place } from "../parts/context-lines.tsx";
import { Folded } from "../parts/folded.tsx";
import { Given } from "../parts/given.tsx";
import { Said, Title } from "../parts/said.tsx";
import { Time } from "../parts/time.tsx";
import { Empty, NotYet, Trouble } from "../parts/trouble.tsx";
import { projectOf, useProjects, withChoices } from "../projects.ts";
import { byRecords, useGet } from "../use-asked.ts";
import { counted } from "../words.ts";

/** Project, folder and prompt stand in the address. */
export function ContextView({ address }: { address: URL }) {
  const projects = useProjects();
  const cwd = address.searchParams.get("cwd") ?? "";
  const prompt = address.searchParams.get("prompt") ?? "";
  const project = projectOf(address) || (cwd === "" ? (projects?.[0]?.id ?? "") : "");
  const place: Place | undefined = cwd !== "" ? { cwd } : project === "" ? undefined : { project };
  const isEmpty = projects?.length === 0 && cwd === "";
  const known = projects?.find(({ id }) => id === project);
  const put = (choices: Record<string, string>, replace = false) =>
    go(withChoices(address, choices), { replace });
  return (
    <Columns
      title="Context"
      beside={isEmpty ? undefined : "Earlier sessions"}
      aside={project !== "" && <Earlier project={project} />}
    >
      <h1>
        The next session{known && " in "}
        {known && <Said inline text={known.name} />}
      </h1>
      <p class="hint">
        What a session that starts now is given, line by line, with the reason and the source of
        each. Pin, hide or edit a line, and it changes here at once.
      </p>
      {isEmpty ? (
        <NoneYet />
      ) : (
        <>
          <div class="chips">
            <FolderField cwd={cwd} put={(folder) => put({ cwd: folder, project: "" })} />
          </div>
          <label class="asked">
            With a prompt
            <textarea
              dir="auto"
              rows={2}
              placeholder="Type a prompt to see what it would get in addition"
              value={prompt}
              onInput={(event) => put({ prompt: event.currentTarget.value }, true)}
            />
          </label>
          {place && prompt.trim() !== "" && (
            <Part title="With this prompt" place={place} prompt={prompt} />
          )}
          {place && <Part title="At the start" place={place} />}
        </>
      )}
    </Columns>
  );
}

function Part({ title, place, prompt }: { title: string; place: Place; prompt?: string }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ContextLines place={place} {...(prompt === undefined ? { isWhole: true } : { prompt })} />
    </section>
  );
}

/** Any folder; those that sessions were in are offered. */
function FolderField({ cwd, put }: { cwd: string; put(folder: string): void }) {
  const { answer } = useGet("/api/sessions", { query: { limit: 200 } });
  const folders = [...new Set(answer?.sessions.map(({ project }) => project.root) ?? [])];
  return (
    <>
      <input
        type="text"
        aria-label="Folder"
        list="folders"
        placeholder="Or a folder: /home/ada/shop"
        class={cwd === "" ? "chip wide" : "chip wide on"}
        value={cwd}
        onChange={(event) => put(event.currentTarget.value.trim())}
      />
      <datalist id="folders">
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
    </>
  );
}

type Listed = Answer<"/api/sessions">;

/** What earlier sessions of the project were given, a session at a time. */
function Earlier({ project }: { project: string }) {
  const { answer, error } = useGet(
    "/api/sessions",
    { query: { project, limit: 30, outline: "true" } },
    { ...byRecords, everyMs: 5_000 },
  );
  const given = answer?.sessions.filter(({ id }) => answer.outlines?.[id]?.given) ?? [];
  return (
    <>
      <h2>What earlier sessions were given</h2>
      {error !== undefined && <Trouble error={error} />}
      {answer && given.length === 0 && (
        <p class="hint">
          None of the last {answer.sessions.length} sessions here got a context: imported sessions
          ran without memoir.
        </p>
      )}
      <ul class="lines">
        {given.map((session) => (
          <GivenSession key={session.id} session={session} outlines={answer?.outlines} />
        ))}
      </ul>
    </>
  );
}

interface GivenProps {
  session: Listed["sessions"][number];
  outlines: Listed["outlines"];
}

function GivenSession({ session: { id, title, lastActiveAt }, outlines }: GivenProps) {
  const given = outlines?.[id]?.given;
  return (
    <li>
      <a href={addressOf("session", id)}>
        <Title text={title} />
      </a>
      <p class="hint">
        <Time at={lastActiveAt} /> · {counted(given?.times ?? 0, "context")} ·{" "}
        {counted(given?.tokens ?? 0, "token")}
      </p>
      <Folded title="What it was given">{() => <GivenOf id={id} />}</Folded>
    </li>
  );
}

function GivenOf({ id }: { id: string }) {
  const { answer, error } = useGet("/api/sessions/:id/told", { params: { id } });
  if (!answer) return <NotYet error={error} />;
  return <Given told={answer.told} takenOut={[]} records={answer.records} />;
}

const NoneYet = () => (
  <Empty title="No context yet">
    <p>
      After your first session with an agent, this shows word for word what the next one starts
      with. Import the sessions from before with <code>memoir backfill</code>.
    </p>
  </Empty>
);
