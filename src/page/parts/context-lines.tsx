// The context that a session gets, line by line: why each is there, where it comes from, and what may be done about it. Rendered again at once.

import { kindNames } from "../../sdk/record-texts.ts";
import type { Answer } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { besideMs, byRecords, useGet } from "../use-asked.ts";
import { byWords, capital, counted, dayWords, timeOfDay } from "../words.ts";
import { WithCode } from "./code.tsx";
import { Folded } from "./folded.tsx";
import { MarkWords } from "./marks.tsx";
import { RecordActions } from "./record-actions.tsx";
import { Said } from "./said.tsx";
import { Empty, Skeleton, Trouble } from "./trouble.tsx";

/** A project, or a folder that says which. */
export interface Place {
  project?: string;
  cwd?: string;
}

type Context = Answer<"/api/context">;
type Line = Context["lines"][number];
/** A record behind a line. */
type Source = Context["records"][number];

const typingMs = 300;
/** More sources of one line are counted. */
const mostNamed = 6;

interface LinesProps {
  place: Place;
  /** Without one, it is the start of a session. */
  prompt?: string;
  /** Also what is left out, and why. */
  isWhole?: boolean;
  /** It stands beside what the view is for. */
  isBeside?: boolean;
}

/** At the start of a session, or with a prompt. */
export function ContextLines({ place, prompt, isWhole = false, isBeside }: LinesProps) {
  const { answer, error } = useGet(
    "/api/context",
    { query: { ...place, prompt, omitted: isWhole ? "true" : undefined } },
    {
      firstMs: isBeside ? besideMs : 0,
      delayMs: prompt === undefined ? 0 : typingMs,
      ...byRecords,
      // It reads and weighs all of the project's last turns.
      everyMs: 5_000,
    },
  );
  if (!answer) return error === undefined ? <Skeleton rows={4} /> : <Trouble error={error} />;
  const sources = new Map(answer.records.map((source) => [source.id, source]));
  const entries = reasoned(answer.lines);
  return (
    <>
      {error !== undefined && <Trouble error={error} />}
      {answer.project && <p class="hint">{placeWords(answer.project)}</p>}
      {entries.length === 0 && (
        <Empty>
          {prompt === undefined
            ? "Nothing: memory has nothing for this project, or all of it is hidden."
            : "Nothing: no earlier session says enough about this. The prompt goes to the agent as it is."}
        </Empty>
      )}
      <ul class="lines">
        {entries.map(({ line, reason }, at) => (
          <Entry
            key={`${at} ${line.text}`}
            {...{ line, reason }}
            sources={line.records.flatMap((id) => sources.get(id) ?? [])}
          />
        ))}
      </ul>
      {answer.context !== "" && (
        <p class="hint lines-foot">
          About {counted(Math.round(answer.context.length / 4), "token")} from{" "}
          {counted(answer.records.length, "record")}
        </p>
      )}
      {answer.omitted && answer.omitted.length > 0 && <Omitted of={answer.omitted} />}
    </>
  );
}

/** Rules and decisions that the start has no line of, by the reason for that. */
function Omitted({ of }: { of: NonNullable<Context["omitted"]> }) {
  return (
    <section aria-labelledby="omitted">
      <h3 id="omitted">Left out, and why</h3>
      <p class="hint">
        Rules and decisions that a session does not start with. Pin one, and every session does.
      </p>
      {of.map(({ why, count, records }) => (
        <Folded key={why} title={<Left why={why} count={count} />} isOpen={count <= mostNamed}>
          {() => (
            <ul class="lines omitted">
              {records.map((source) => (
                <li key={source.id} data-entry tabIndex={-1}>
                  <WithCode text={source.words} />
                  <div class="why">
                    <Reason reason={why} sources={[source]} />
                    <span class="acts">
                      <RecordActions {...source} />
                    </span>
                  </div>
                </li>
              ))}
              {count > records.length && (
                <li>
                  <a href="/decisions">All {count} are in Decisions</a>
                </li>
              )}
            </ul>
          )}
        </Folded>
      ))}
    </section>
  );
}

const Left = ({ why, count }: { why: string; count: number }) => (
  <>
    <strong>{capital(why)}</strong> {count}
  </>
);

/** Where the session is that gets this: another folder or branch gets other lines. */
function placeWords({ root, branch }: NonNullable<Context["project"]>): string {
  if (root === "") return "Shown as on no branch: this machine has none of the project’s folders.";
  return `In ${root}${branch === undefined ? "" : `, on ${branch}`}. Another folder or branch gets other lines.`;
}

/** Each entry with the heading that it stands under. */
function reasoned(lines: readonly Line[]): Array<{ line: Line; reason: string }> {
  let reason = "";
  return lines.flatMap((line) => {
    if (line.as === "heading") reason = line.text;
    return line.as === "entry" ? [{ line, reason }] : [];
  });
}

/** Dots outside of quotations part a line. */
function partsOf(line: string): string[] {
  const parts: string[] = [];
  let open = 0;
  for (const piece of line.split(" · ")) {
    if (open > 0) parts.push(`${parts.pop()} · ${piece}`);
    else parts.push(piece);
    open = Math.max(0, open + piece.split("“").length - piece.split("”").length);
  }
  return parts;
}

const isQuoted = (text: string) => /^“[^”]*[^“]*”$/s.test(text);

/** An agent's line `t12 · 2026-11-20 14:05 · main · prompts: 4 · “asked” · “answered”`: when and where, then each part by itself. Its ids stand below it. */
export function forPeople({ text, records }: Pick<Line, "text" | "records">): {
  about: string;
  rows: Array<{ label?: string; text: string }>;
} {
  const [id = "", day = "", ...parts] = partsOf(text);
  const [, date, time] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/.exec(day) ?? [];
  if (!records.includes(id) || date === undefined || parts.length === 0)
    return { about: "", rows: [{ text }] };
  // Only where a session ended, a time says when; its branch and its prompts follow.
  const prompts = time === undefined ? -1 : parts.findIndex((part) => /^\D+\d+$/.test(part));
  const about = parts.splice(0, prompts + 1).map((part) => {
    const [, count] = /^prompts: (\d+)$/.exec(part) ?? [];
    return count === undefined ? part : counted(Number(count), "prompt");
  });
  const at = new Date(`${date}T${time ?? "12:00"}`).getTime();
  const when = time === undefined ? dayWords(at) : `${dayWords(at)}, ${timeOfDay(at)}`;
  return { about: [capital(when), ...about].join(" · "), rows: parts.map(labelled) };
}

/** Of two quotations the first is what was asked, the second what came of it; others say whose they are before them. */
function labelled(text: string, at: number, { length }: readonly string[]) {
  const [, label, quote] = /^([^“”:]+): (“.*”)$/s.exec(text) ?? [];
  if (label && quote) return { label: capital(byWords(label)), text: quote };
  if (length < 2 || !isQuoted(text)) return { text };
  if (at === 0) return { label: "Asked", text };
  return at === length - 1 ? { label: "Came of it", text } : { text };
}

interface EntryProps {
  line: Line;
  reason: string;
  sources: Source[];
}

function Entry({ line, reason, sources }: EntryProps) {
  const [only] = sources;
  const { about, rows } = forPeople(line);
  return (
    <li data-entry tabIndex={-1}>
      {about !== "" && (
        <p class="meta">
          <Said inline text={about} />
        </p>
      )}
      {rows.map(({ label, text }) => (
        <div key={text} class="row">
          {label !== undefined && <small>{label}</small>} <WithCode text={text} />
        </div>
      ))}
      <div class="why">
        <Reason reason={reason} sources={sources} />
        {only && sources.length === 1 && (
          <span class="acts">
            <MarkWords marks={only.marks} />
            <RecordActions {...only} />
          </span>
        )}
      </div>
    </li>
  );
}

/** Why something is in a context or is not, and the records that it comes from. */
const Reason = ({ reason, sources }: Pick<EntryProps, "reason" | "sources">) => (
  <span class="reason">
    {reason}
    {sources.slice(0, mostNamed).map(({ id, kind, words }, at) => (
      <span key={id}>
        {at > 0 ? ", " : reason === "" ? "" : " · "}
        <a href={addressOf(kind, id)} title={words}>
          {sources.length === 1 ? (kindNames[kind] ?? kind).toLowerCase() : ""} {id}
        </a>
      </span>
    ))}
    {sources.length > mostNamed && ` and ${sources.length - mostNamed} more`}
  </span>
);
