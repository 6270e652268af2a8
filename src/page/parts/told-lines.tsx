// What is told, line by line: where each comes from, and what may be done about it.
import { useState } from "preact/hooks";
import type { Answer } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { mark } from "../undo.ts";
import { MarkWords } from "./marks.tsx";
import { Said } from "./said.tsx";
import { Trouble } from "./trouble.tsx";
import { WrongDialog } from "./wrong-dialog.tsx";

type Told = Answer<"/api/context">;
type Line = Told["lines"][number];
/** A record behind a line. */
export type Source = Told["records"][number];

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
