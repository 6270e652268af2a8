// One record: all of it, who it is by, what else belongs to it, and what may be done with it.
import { useEffect } from "preact/hooks";
import { editable } from "../../sdk/record-texts.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { addressOf } from "../address.ts";
import { get } from "../api.ts";
import { MarkWords } from "../parts/marks.tsx";
import { RecordActions } from "../parts/record-actions.tsx";
import { Said } from "../parts/said.tsx";
import { Time } from "../parts/time.tsx";
import { NotYet, Trouble } from "../parts/trouble.tsx";
import { useAsked } from "../use-asked.ts";
import { fieldWords, kindNames } from "../words.ts";
import { Pieces } from "./session.tsx";
import { marksOf } from "./sessions.tsx";

/** The view. */
export function RecordView({ id }: { id: string }) {
  const { answer, error, again } = useAsked(
    id,
    (signal) => get("/api/records/:id", { params: { id } }, signal),
    // Edited, pinned, hidden or deleted, in another tab or by an agent.
    { freshens: ({ what }) => what.includes("records") },
  );
  const title = answer ? titleOf(answer) : "Record";
  useEffect(() => {
    document.title = `${title.slice(0, 80)} · memoir`;
  }, [title]);
  if (!answer) return <NotYet error={error} />;
  const { kind, record, by } = answer;
  return (
    <article class="record">
      {error !== undefined && <Trouble error={error} />}
      <header class="head-of-view">
        <p class="head">
          <span class="kind">{"type" in record ? record.type : kindNames[kind]}</span>
          <MarkWords marks={marksOf(record)} />
        </p>
        <h1>
          <Said inline text={title} />
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
              · <Said inline text={by} />
            </>
          )}{" "}
          · <span class="id">{id}</span>
        </p>
        {record.merged !== undefined && (
          <p class="hint">
            Told by another one in its place:{" "}
            <a href={addressOf(kind, record.merged)}>{record.merged}</a>. Unhide it to part them.
          </p>
        )}
        {"supersededBy" in record && record.supersededBy !== undefined && (
          <p class="hint">
            A newer one says the same thing otherwise:{" "}
            <a href={addressOf("observation", record.supersededBy)}>{record.supersededBy}</a>.
          </p>
        )}
        <RecordActions stored={answer} changed={again} />
      </header>
      <Texts stored={answer} />
      <Related id={id} />
    </article>
  );
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
  if (kind === "turn") return <Pieces turn={record} />;
  if (kind === "prompt") return <Said text={record.text} />;
  const fields = editable[kind].filter((name) => Reflect.get(record, name) !== titleOf(stored));
  return (
    <>
      {fields.map((name) => (
        <Field key={name} name={name} value={Reflect.get(record, name)} />
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
        <Said text={value} />
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

function Related({ id }: { id: string }) {
  const { answer } = useAsked(id, (signal) =>
    get("/api/related/:id", { params: { id }, query: { limit: 8 } }, signal),
  );
  if (!answer || answer.related.length === 0) return null;
  return (
    <section class="related">
      <h2>What else belongs to it</h2>
      <ol class="hits">
        {answer.related.map(({ id: other, kind, title, createdAt, because }) => (
          <li key={other}>
            <a class="hit" href={addressOf(kind, other)}>
              <strong>
                <Said inline text={title} />
              </strong>
              <span class="foot">
                <Time at={createdAt} /> ·{" "}
                <Said inline text={because.map(({ what }) => what).join(", ")} />
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
