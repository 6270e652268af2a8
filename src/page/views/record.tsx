// One record: all of it, who it is by, what else belongs to it, and what may be done with it.
import type { ComponentChildren } from "preact";
import { itemWords, kindNames, textsOf, typeWords } from "../../sdk/record-texts.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { Answer } from "../../server/route-types.ts";
import { addressOf, go } from "../address.ts";
import { Act } from "../parts/act.tsx";
import { Columns } from "../parts/columns.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { MarkWords, marksOf } from "../parts/marks.tsx";
import { RecordActions } from "../parts/record-actions.tsx";
import { Said, Title } from "../parts/said.tsx";
import { Time } from "../parts/time.tsx";
import { NotYet, Trouble } from "../parts/trouble.tsx";
import { TurnBody } from "../parts/turn.tsx";
import { asBefore } from "../undo.ts";
import { byRecords, useGet } from "../use-asked.ts";
import { useWork } from "../use-work.ts";
import { byWords, counted, fieldWords } from "../words.ts";

/** The view. */
export function RecordView({ id }: { id: string }) {
  const { answer, error } = useGet("/api/records/:id", { params: { id } }, byRecords);
  const { error: refused, run } = useWork();
  const title = answer ? titleOf(answer) : "Record";
  if (!answer)
    return (
      <Columns title={title}>
        <NotYet error={error} />
      </Columns>
    );
  const { kind, record, by } = answer;
  return (
    <Columns
      title={title}
      beside="Trace"
      aside={
        <>
          <Trace of={answer} />
          <Related id={id} />
        </>
      }
    >
      <article class="record">
        {error !== undefined && <Trouble error={error} />}
        <header class="head-of-view">
          <p class="head">
            <span class="kind">{kindOf(answer)}</span>
            <MarkWords marks={marksOf(record)} />
          </p>
          <h1>
            <Title text={title} />
          </h1>
          <p class="foot">
            {kind !== "session" && (
              <>
                <a href={placeOf(answer)}>In its session</a> ·{" "}
              </>
            )}
            {"time" in record && <Time at={record.time} />}
            {kind === "memory" && <Said inline text={record.date} />}
            {by !== undefined && (
              <>
                {" "}
                · <Said inline text={byWords(by)} />
              </>
            )}{" "}
            · <span class="id">{id}</span>
          </p>
          {record.merged !== undefined && (
            <p class="hint">
              Merged into <a href={addressOf(kind, record.merged)}>{record.merged}</a>. Unhide it to
              separate them.
            </p>
          )}
          {"supersededBy" in record && record.supersededBy !== undefined && (
            <p class="hint">
              Replaced by a newer one:{" "}
              <a href={addressOf("observation", record.supersededBy)}>{record.supersededBy}</a>.
            </p>
          )}
          <div class="actions">
            <RecordActions {...{ id, kind }} marks={marksOf(record)} deleted={() => go("/memory")}>
              {record.edited && (
                <Act
                  words="Undo your edits"
                  label="Undo your edits"
                  onClick={() => run(() => asBefore(id))}
                />
              )}
            </RecordActions>
            {refused !== undefined && <Trouble error={refused} />}
          </div>
        </header>
        <Texts stored={answer} />
      </article>
    </Columns>
  );
}

/** What it is, in a word or two. */
function kindOf({ kind, record }: StoredRecord): string {
  if (kind === "memory") return itemWords[record.kind];
  return "type" in record ? record.type : (kindNames[kind] ?? kind);
}

/** What stands at its head; never empty. */
function titleOf({ kind, record }: StoredRecord): string {
  if (kind === "observation" || kind === "session") return record.title || "Without a title";
  if (kind === "memory") return record.content;
  if (kind === "summary") return record.request || "Summary";
  if (kind === "turn") {
    const prompt = record.pieces.find((piece) => piece.kind === "prompt")?.text ?? "";
    return prompt.length > 140 ? `${prompt.slice(0, 140)}…` : prompt || "Before any prompt";
  }
  return `Prompt ${record.promptNumber}`;
}

/** Its place in its session. */
function placeOf({ kind, record }: StoredRecord): string {
  if (kind === "session" || kind === "memory")
    return addressOf("session", kind === "session" ? record.id : record.session);
  return `${addressOf("session", record.session)}#prompt-${record.promptNumber}`;
}

function Texts({ stored }: { stored: StoredRecord }) {
  const { kind, record } = stored;
  if (kind === "turn") return <TurnBody turn={record} />;
  if (kind === "prompt") return <Said text={record.text} />;
  const fields = Object.entries(textsOf(stored)).filter(([, text]) => text !== titleOf(stored));
  return (
    <>
      {fields.map(([name, value]) => (
        <Field key={name} {...{ name, value }} />
      ))}
      {kind === "memory" && <Field name="quote" value={record.quote} />}
      {kind === "observation" && (
        <>
          <Field name="filesModified" value={record.filesModified} />
          <Field name="filesRead" value={record.filesRead} />
        </>
      )}
    </>
  );
}

function Field({ name, value }: { name: string; value: string | string[] | undefined }) {
  if (value === undefined || value.length === 0) return null;
  return (
    <section>
      <h2>{fieldWords(name)}</h2>
      {typeof value === "string" ? (
        <Markdown text={value} />
      ) : (
        <ul>
          {value.map((one) => (
            <li key={one}>
              <Said text={one} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

// Where it comes from and where it went: captured, concluded, given, used. Each step leads there.

type Stored = Answer<"/api/records/:id">;
/** Places, records and sessions that a step names at most. */
const mostNamed = 6;

function Trace({ of }: { of: Stored }) {
  const { record, by, shown, went = [], made = [], withheld } = of;
  const own = "session" in record ? record.session : record.id;
  const evidence = "evidence" in record ? (record.evidence ?? []) : [];
  const places = new Map(
    evidence.map((one) => [`${one.session ?? own} ${one.turn}`, one] as const),
  );
  const sources = [...places.values()].map(({ turn, session = own }) => ({
    href: `${addressOf("session", session)}#prompt-${turn}`,
    words: `${session === own ? "prompt" : "another session, prompt"} ${turn}`,
  }));
  const sessions = (isUsed: boolean) =>
    went
      .filter(({ used }) => used || !isUsed)
      .map(({ session, title }) => ({
        href: addressOf("session", session),
        words: title || "session without a title",
      }));
  return (
    <>
      <h2>Trace</h2>
      <ol class="trace">
        <Step
          name="Captured"
          places={sources.length > 0 ? sources : [{ href: placeOf(of), words: "in its session" }]}
        />
        <Step
          name="Concluded"
          places={made.map(({ id, kind, type, words }) => ({
            href: addressOf(kind, id),
            words: `${(type ? itemWords[type] : (kindNames[kind] ?? kind)).toLowerCase()}: ${words}`,
          }))}
        >
          {byWords(by) || (made.length === 0 && "nothing yet: this is what was said and done")}
        </Step>
        <Step name="Given" places={sessions(false)}>
          {shown ? `to ${counted(shown.shown, "session")}` : "to no session yet"}
          {record.hidden && ", and to none from now on: hidden"}
          {withheld && ", and to none from now on: what it comes from is hidden"}
          {shown?.rests && ", rarely now, because none used it"}
        </Step>
        <Step name="Used" places={sessions(true)}>
          {shown && shown.used > 0 ? `by ${counted(shown.used, "session")}` : "by no session yet"}
        </Step>
      </ol>
    </>
  );
}

interface StepProps {
  name: string;
  places: ReadonlyArray<{ href: string; words: string }>;
  children?: ComponentChildren;
}

const Step = ({ name, places, children }: StepProps) => (
  <li>
    <strong>{name}</strong>
    {children && <span>{children}</span>}
    {places.slice(0, mostNamed).map(({ href, words }) => (
      <a key={href} href={href}>
        <Title text={words} />
      </a>
    ))}
    {places.length > mostNamed && <span class="hint">and {places.length - mostNamed} more</span>}
  </li>
);

function Related({ id }: { id: string }) {
  const { answer } = useGet("/api/related/:id", { params: { id }, query: { limit: 8 } });
  if (!answer || answer.related.length === 0) return null;
  return (
    <section class="related">
      <h2>Related</h2>
      <ol class="hits related-list">
        {answer.related.map(({ id: other, kind, type, title, createdAt, because }) => (
          <li key={other}>
            <a class="hit" href={addressOf(kind, other)}>
              <span class={`kind ${type}`}>{typeWords(kind, type)}</span>
              <strong>
                <Title text={title} />
              </strong>
              <span class="foot">
                <Time at={createdAt} /> · <Said inline text={reasons(because)} />
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The signs in a few words; a file says already what a word of its name does. */
function reasons(because: ReadonlyArray<{ kind: string; what: string }>): string {
  const words: string[] = [];
  for (const { kind, what } of because) {
    const said = kind === "continued" ? "continued work" : what;
    if (!words.some((word) => word.includes(said))) words.push(said);
  }
  return words.slice(0, mostNamed).join(", ");
}
