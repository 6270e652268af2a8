// The context that a session gets, line by line: why each is there, where it comes from, and what may be done about it. Rendered again at once.
import type { Answer } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { besideMs, byRecords, useGet } from "../use-asked.ts";
import { capital, counted, kindNames } from "../words.ts";
import { WithCode } from "./code.tsx";
import { Folded } from "./folded.tsx";
import { MarkWords } from "./marks.tsx";
import { RecordActions } from "./record-actions.tsx";
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
  if (root === "")
    return "As in a folder on no branch: this machine has none of the project’s folders.";
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

interface EntryProps {
  line: Line;
  reason: string;
  sources: Source[];
}

function Entry({ line, reason, sources }: EntryProps) {
  const [only] = sources;
  return (
    <li data-entry tabIndex={-1}>
      <WithCode text={line.text} />
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
