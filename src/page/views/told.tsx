// What agents are told: the context as the next session would get it, and what a prompt would get beside it.

import { useEffect, useState } from "preact/hooks";
import { editable } from "../../sdk/record-texts.ts";
import type { Answer } from "../../server/route-types.ts";
import { addressOf, go } from "../address.ts";
import { get } from "../api.ts";
import { DeleteDialog } from "../parts/delete-dialog.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EditForm } from "../parts/edit-form.tsx";
import { MarkWords } from "../parts/marks.tsx";
import { Said } from "../parts/said.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { changed, mark } from "../undo.ts";
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

// What is told, line by line: where each comes from, and what may be done about it.

type Told = Answer<"/api/context">;
type Line = Told["lines"][number];
/** A record behind a line. */
type Source = Told["records"][number];

/** More sources of one line than this are counted. */
const mostNamed = 8;

/** Lines that follow a heading are its list. */
function ToldLines({ told }: { told: Told }) {
  const groups: Array<{ heading?: Line; entries: Line[]; frame: Line[] }> = [
    { entries: [], frame: [] },
  ];
  for (const line of told.lines) {
    const group = groups.at(-1);
    if (line.as === "heading" || (line.as === "frame" && group && group.entries.length > 0))
      groups.push({
        ...(line.as === "heading" ? { heading: line, frame: [] } : { frame: [line] }),
        entries: [],
      });
    else if (line.as === "entry") group?.entries.push(line);
    else group?.frame.push(line);
  }
  const sources = new Map(told.records.map((source) => [source.id, source]));
  return groups.map(({ heading, frame, entries }, at) => (
    <section key={at} class="told">
      {heading && (
        <h3 class="part">
          <Said inline text={heading.text} />
        </h3>
      )}
      {frame.map(({ text }) => (
        <p class="hint" key={text}>
          <Said inline text={text} />
        </p>
      ))}
      {entries.length > 0 && (
        <ul>
          {entries.map((line) => (
            <Entry
              key={line.text}
              line={line}
              sources={line.records.flatMap((id) => sources.get(id) ?? [])}
            />
          ))}
        </ul>
      )}
    </section>
  ));
}

function Entry({ line, sources }: { line: Line; sources: Source[] }) {
  const [only] = sources;
  return (
    <li>
      <Said text={line.text} />
      <div class="beside-line">
        {sources.length === 0 ? (
          <span>Of no single record</span>
        ) : (
          <span class="from">
            From{" "}
            {sources.slice(0, mostNamed).map(({ id, kind, words }, at) => (
              <span key={id}>
                {at > 0 && ", "}
                <a href={addressOf(kind, id)} title={words}>
                  {id}
                  {sources.length === 1 && (
                    <>
                      : <Said inline text={words} />
                    </>
                  )}
                </a>
              </span>
            ))}
            {sources.length > mostNamed && ` and ${sources.length - mostNamed} more`}
          </span>
        )}
        {only && sources.length === 1 && <SourceActions source={only} />}
      </div>
    </li>
  );
}

/** The verbs of correcting, in the words of who reads what is told. */
function SourceActions({ source }: { source: Source }) {
  const { id, marks } = source;
  const [open, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  const set = (what: "pinned" | "hidden", on: boolean) => {
    setError(undefined);
    mark([source], what, on).catch(setError);
  };
  const isPinned = marks.includes("pinned");
  return (
    <>
      <MarkWords marks={marks} />
      <button
        type="button"
        class="small"
        aria-label={`Always tell this: ${id}`}
        aria-pressed={isPinned}
        onClick={() => set("pinned", !isPinned)}
      >
        Always tell this
      </button>
      <button
        type="button"
        class="small"
        aria-label={`Never tell this: ${id}`}
        onClick={() => set("hidden", true)}
      >
        Never tell this
      </button>
      <button
        type="button"
        class="small"
        aria-label={`This is wrong: ${id}`}
        onClick={() => setOpen(true)}
      >
        This is wrong…
      </button>
      {error !== undefined && <Trouble error={error} />}
      {open && <WrongDialog source={source} close={() => setOpen(false)} />}
    </>
  );
}

// Something that is told is wrong: what may be done about it, from the mildest on.

/** Edit it, tell it to nobody, or delete it. */
function WrongDialog({ source, close }: { source: Source; close(): void }) {
  const { id, kind, words } = source;
  const [chosen, choose] = useState<"edit" | "delete" | undefined>();
  const [refused, setRefused] = useState<unknown>();
  const { answer: stored, error: unknown } = useAsked(id, (signal) =>
    get("/api/records/:id", { params: { id } }, signal),
  );
  const error = refused ?? unknown;
  if (chosen === "edit" && stored)
    return (
      <EditForm
        stored={stored}
        close={(saved) => {
          if (saved)
            changed(
              `${id} is told in your words from now on.`,
              stored.record.edited ? [] : [{ ids: [id], undo: true }],
            );
          close();
        }}
      />
    );
  if (chosen === "delete" && stored)
    return <DeleteDialog ids={[id]} close={close} done={close} after="Close" />;
  const isEvidence = editable[kind].length === 0;
  return (
    <Dialog title="This is wrong" close={close}>
      <blockquote>
        <Said inline text={words} />
      </blockquote>
      {isEvidence && (
        <p>
          It is what was said and done then, word for word, and stays so. What was concluded from it
          can be edited; it itself can be kept from agents, or deleted.
        </p>
      )}
      {error !== undefined && <Trouble error={error} />}
      <div class="choices">
        {!isEvidence && (
          <button type="button" disabled={!stored} onClick={() => choose("edit")}>
            <strong>Write it right</strong>
            In your words: no later run writes over them.
          </button>
        )}
        <button
          type="button"
          onClick={() => mark([source], "hidden", true).then(close, setRefused)}
        >
          <strong>It holds no more</strong>
          Told to no agent; you still find it, and can take that back.
        </button>
        <button type="button" class="danger" disabled={!stored} onClick={() => choose("delete")}>
          <strong>Delete it…</strong>
          Shows what would go, and asks. Nothing brings it back.
        </button>
      </div>
      <p class="buttons">
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
