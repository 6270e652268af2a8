// What agents are told: the context as the next session would get it, and what a prompt would get beside it.
import { useEffect } from "preact/hooks";
import { go } from "../address.ts";
import { get } from "../api.ts";
import { Said } from "../parts/said.tsx";
import { ToldLines } from "../parts/told-lines.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useAsked } from "../use-asked.ts";
import { counted } from "../words.ts";

/** A project, or a folder that tells which. */
interface Place {
  project?: string;
  cwd?: string;
}

const typingMs = 300;
const foldersNamed = 200;

/** Puts project, folder and prompt into the address. */
export function ToldView({ address }: { address: URL }) {
  const { searchParams } = address;
  const { answer, error } = useAsked("projects", (signal) => get("/api/status", {}, signal));
  const projects =
    answer && "projects" in answer.storage
      ? answer.storage.projects.toSorted((one, other) => other.lastActiveAt - one.lastActiveAt)
      : [];
  const cwd = searchParams.get("cwd") ?? "";
  const prompt = searchParams.get("prompt") ?? "";
  const project = searchParams.get("project") ?? (cwd === "" ? (projects[0]?.id ?? "") : "");
  const place: Place | undefined = cwd !== "" ? { cwd } : project === "" ? undefined : { project };
  useEffect(() => {
    document.title = "What agents are told · memoir";
  }, []);

  function put(changes: Record<string, string>, replace = false): void {
    const next = new URLSearchParams(searchParams);
    for (const [name, value] of Object.entries(changes))
      if (value === "") next.delete(name);
      else next.set(name, value);
    go(`/told${next.size > 0 ? `?${next}` : ""}`, { replace });
  }
  return (
    <div>
      <h1>What agents are told</h1>
      <p class="hint">
        What the next session would be given, line by line, with where each line comes from.
      </p>
      {error !== undefined && <Trouble error={error} />}
      {answer && projects.length === 0 ? (
        <Empty />
      ) : (
        <>
          <div class="chips">
            <select
              aria-label="Project"
              class={cwd === "" ? "chip wide on" : "chip wide"}
              value={project}
              onChange={(event) => put({ project: event.currentTarget.value, cwd: "" })}
            >
              {cwd !== "" && <option value="">As the folder says</option>}
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {projects.some((other) => other.name === name && other.id !== id)
                    ? `${name} (${id})`
                    : name}
                </option>
              ))}
            </select>
            <FolderField cwd={cwd} put={(folder) => put({ cwd: folder, project: "" })} />
          </div>
          <label class="asked">
            With a prompt
            <textarea
              dir="auto"
              rows={2}
              placeholder="Type a prompt to see what would be told with it"
              value={prompt}
              onInput={(event) => put({ prompt: event.currentTarget.value }, true)}
            />
          </label>
          {place && prompt.trim() !== "" && <Told place={place} prompt={prompt} />}
          {place && <Told place={place} />}
        </>
      )}
    </div>
  );
}

/** Any folder; those that sessions were in are offered. */
function FolderField({ cwd, put }: { cwd: string; put(folder: string): void }) {
  const { answer } = useAsked("folders", (signal) =>
    get("/api/sessions", { query: { limit: foldersNamed } }, signal),
  );
  const folders = [...new Set(answer?.sessions.map(({ project }) => project.root) ?? [])];
  return (
    <>
      <input
        type="text"
        aria-label="Folder"
        list="folders"
        placeholder="Or any folder: /home/ada/shop"
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

/** At the start of a session, or with a prompt. */
function Told({ place, prompt }: { place: Place; prompt?: string }) {
  const { answer, error } = useAsked(
    JSON.stringify([place, prompt]),
    (signal) => get("/api/context", { query: { ...place, prompt } }, signal),
    {
      delayMs: prompt === undefined ? 0 : typingMs,
      freshens: ({ what }) => what.includes("records"),
    },
  );
  const title = prompt === undefined ? "At the start of a session" : "With this prompt";
  return (
    <section aria-label={title}>
      <h2>
        {title}
        {answer && answer.context !== "" && (
          <span class="foot">
            {answer.project && (
              <>
                <Said inline text={answer.project.name} /> ·{" "}
              </>
            )}
            {counted(answer.context.length, "character")} from{" "}
            {counted(answer.records.length, "record")}
          </span>
        )}
      </h2>
      {error !== undefined && <Trouble error={error} />}
      {answer?.context === "" && (
        <p class="empty" role="status">
          {prompt === undefined
            ? "Nothing: nothing is remembered that belongs there, or nothing of it is to be told."
            : "Nothing: no earlier session said enough about it. A prompt about something else gets nothing added."}
        </p>
      )}
      {answer && answer.context !== "" && <ToldLines told={answer} />}
    </section>
  );
}

const Empty = () => (
  <div class="empty" role="status">
    <h2>Nothing is remembered yet</h2>
    <p>
      After your first session with an agent, this shows word for word what the next one is told at
      its start.
    </p>
    <p>
      Sessions from before memoir was installed come in with <code>memoir backfill</code>.
    </p>
  </div>
);
