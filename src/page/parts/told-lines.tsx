// What is told, line by line: where each comes from, and what may be done about it.
import { useState } from "preact/hooks";
import { editable } from "../../sdk/record-texts.ts";
import type { Answer } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { get } from "../api.ts";
import { changed, mark } from "../undo.ts";
import { useAsked } from "../use-asked.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { EditForm } from "./edit-form.tsx";
import { MarkWords } from "./marks.tsx";
import { Said } from "./said.tsx";
import { Trouble } from "./trouble.tsx";

type Told = Answer<"/api/context">;
type Line = Told["lines"][number];
/** A record behind a line. */
type Source = Told["records"][number];

/** More sources of one line than this are counted. */
const mostNamed = 8;

/** Lines that follow a heading are its list. */
export function ToldLines({ told }: { told: Told }) {
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
