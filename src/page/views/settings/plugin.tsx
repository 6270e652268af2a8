// One plugin: what it is, its switch, what it listens to and what that took, and its options.

import { useState } from "preact/hooks";
import type { Answer, AnswerOf, RoutesOf } from "../../../server/route-types.ts";
import { post } from "../../api.ts";
import { WithCode } from "../../parts/code.tsx";
import { Heads } from "../../parts/heads.tsx";
import { Said } from "../../parts/said.tsx";
import { Time } from "../../parts/time.tsx";
import { NotYet, Trouble } from "../../parts/trouble.tsx";
import { useGet } from "../../use-asked.ts";
import { useWork } from "../../use-work.ts";
import { Panels } from "./panels.tsx";
import { isOn, stateWords } from "./plugin-words.ts";

type About = Answer<"/api/plugins/:name">;

const newHooks = " It needs other events from your agents: run memoir install.";

/** The view. */
export function PluginPart({ name }: { name: string }) {
  const { answer, error, again } = useGet(
    "/api/plugins/:name",
    { params: { name } },
    { freshens: () => true, everyMs: 5_000 },
  );
  if (!answer) return <NotYet error={error} />;
  const { plugin, subscriptions, options } = answer;
  return (
    <article class="plugin">
      <header class="head-of-view">
        <p class="foot">
          <a href="/settings/plugins">All plugins</a>
        </p>
        <h2>
          <Said inline text={plugin.name} />
        </h2>
        {error !== undefined && <Trouble error={error} />}
        <Said text={plugin.description} />
        <p class="foot">
          {stateWords(plugin)} ·{" "}
          {plugin.slots.length > 0 ? `for ${plugin.slots.join(", ")}` : "a listener, in no slot"} ·{" "}
          {plugin.origin}
          {plugin.source !== undefined && (
            <>
              {" "}
              · <Said inline text={plugin.source} />
            </>
          )}
        </p>
        {plugin.error !== undefined && (
          <p class="trouble">
            <Said inline text={plugin.error} />
          </p>
        )}
        <Pauses of={plugin} />
        <Switch of={plugin} again={again} />
      </header>
      <Panels plugin={plugin.name} of={answer.contributions} />
      <Hooks of={subscriptions} />
      <section aria-labelledby="options">
        <h2 id="options">Options</h2>
        {answer.error !== undefined && (
          <p class="trouble">
            <Said inline text={answer.error} />
          </p>
        )}
        <OptionsForm name={plugin.name} {...options} saved={again} />
      </section>
    </article>
  );
}

function Pauses({ of: { paused = [], standby = [] } }: { of: About["plugin"] }) {
  return (
    <>
      {paused.map(({ part, error, until }) => (
        <p key={part} class="trouble">
          Paused {part === "everything" ? "" : `in ${part} `}until <Time at={until} />:{" "}
          <Said inline text={error} />
        </p>
      ))}
      {standby.length > 0 && <p class="hint">Standing in for {standby.join(", ")}.</p>}
    </>
  );
}

function Switch({ of: plugin, again }: { of: About["plugin"]; again(): void }) {
  const { busy, error, run } = useWork();
  const [said, setSaid] = useState("");
  const on = plugin.state !== "disabled";
  const { name, paused = [] } = plugin;

  const turn = (enabled: boolean) =>
    run(async () => {
      const answer = await post("/api/plugins/:name/switch", {
        params: { name },
        body: { enabled },
      });
      const isThere = isOn(answer.plugin) || !enabled;
      const slots = answer.plugin.slots.join(", ");
      setSaid(
        `Switched ${enabled ? "on" : "off"}.${isThere ? "" : ` It is called once it has its slot: memoir config set slots.${slots} ${name}.`}${answer.hooks ? newHooks : ""}`,
      );
      again();
    });
  return (
    <div class="actions">
      <button type="button" disabled={busy} onClick={() => turn(!on)}>
        {on ? "Switch off" : "Switch on"}
      </button>
      {on && paused.length > 0 && (
        <button type="button" disabled={busy} onClick={() => turn(true)}>
          Try again now
        </button>
      )}
      <p class="hint" role="status">
        {said}
      </p>
      {error !== undefined && <Trouble error={error} />}
    </div>
  );
}

function Hooks({ of }: { of: About["subscriptions"] }) {
  if (of.length === 0) return <p class="hint">It listens to nothing while it is off.</p>;
  return (
    <section aria-labelledby="hooks">
      <h2 id="hooks">Listens to</h2>

      <table class="figures">
        <Heads of={["Hook", "Order", "Calls", "Failures", "p50", "p99", "At most"]} />
        <tbody>
          {of.map(({ hook, order, filter, calls, failures, p50, p99, deadlineMs, lastError }) => (
            <tr key={`${hook} ${order} ${JSON.stringify(filter)}`}>
              <th scope="row">
                {hook}
                {filter && (
                  <span class="foot">
                    only{" "}
                    <Said
                      inline
                      text={Object.entries(filter)
                        .map(([key, all]) => `${key}: ${all.join(", ")}`)
                        .join("; ")}
                    />
                  </span>
                )}
                {lastError !== undefined && (
                  <span class="foot bad">
                    <WithCode text={lastError} />
                  </span>
                )}
              </th>
              <td data-name="order">{order}</td>
              <td data-name="calls">{calls.toLocaleString()}</td>
              <td data-name="failures" class={failures > 0 ? "bad" : ""}>
                {failures.toLocaleString()}
              </td>
              <td data-name="p50">{inMs(p50)}</td>
              <td data-name="p99">{inMs(p99)}</td>
              <td data-name="at most">{inMs(deadlineMs, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const inMs = (ms: number | null, digits = 1) =>
  ms === null
    ? "–"
    : ms < 0.05
      ? "< 0.1 ms"
      : `${ms.toLocaleString(undefined, { maximumFractionDigits: digits })} ms`;

// A plugin's options as a form, made from their schema. What is refused is said beside its field, and everything typed stays.

type Refused = AnswerOf<RoutesOf<"post">["/api/plugins/:name/options"]>["refused"];

interface FormProps {
  name: string;
  schema: Record<string, unknown>;
  set: Record<string, unknown>;
  saved(): void;
}

/** The form; nothing where there is nothing to set. */
function OptionsForm({ name, schema, set, saved }: FormProps) {
  const fields = fieldsOf(schema);
  const now = Object.fromEntries(
    fields.map((field) => [field.name, textOf(field, set[field.name])]),
  );
  /** What was typed; a field that was not touched shows what config says. */
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState<Refused>([]);
  const [said, setSaid] = useState("");
  const { busy, error, run } = useWork();

  const save = () =>
    run(async () => {
      setSaid("");
      const body = changed(fields, now, typed);
      const answer = await post("/api/plugins/:name/options", { params: { name }, body });
      setRefused(answer.refused);
      if (!answer.saved) {
        const first = answer.refused[0]?.option ?? "";
        document.getElementById(`option-${first}`)?.focus();
        setSaid("Nothing was saved. See the fields below.");
        return;
      }
      setTyped({});
      setSaid(
        answer.hooks
          ? "Saved. It needs other events from your agents: run memoir install."
          : "Saved. Takes effect now.",
      );
      saved();
    });
  if (fields.length === 0) return <p class="hint">No options.</p>;
  const about = (option: string) => refused.filter((one) => one.option === option);
  return (
    <form
      class="options"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {fields.map((field) => (
        <OptionField
          key={field.name}
          field={field}
          value={typed[field.name] ?? now[field.name] ?? ""}
          refused={about(field.name)}
          put={(value) => setTyped({ ...typed, [field.name]: value })}
        />
      ))}
      <Refusals
        of={refused.filter(({ option }) => !fields.some((field) => field.name === option))}
      />
      {error !== undefined && <Trouble error={error} />}
      <p class="buttons">
        <span class="hint" role="status">
          {said}
        </span>
        <button type="submit" class="main" disabled={busy}>
          Save
        </button>
      </p>
    </form>
  );
}

interface FieldProps {
  field: Field;
  value: string;
  refused: Refused;
  put(value: string): void;
}

/** One option: empty is its default. */
function OptionField({ field, value, refused, put }: FieldProps) {
  const { name, description, kind, choices, standard } = field;
  const id = `option-${name}`;
  const common = {
    ...{ id, name, value },
    "aria-invalid": refused.length > 0,
    "aria-describedby": `${id}-about ${id}-refused`,
  };
  return (
    <div class={refused.length > 0 ? "option refused" : "option"}>
      <label for={id}>{name}</label>
      <p class="foot" id={`${id}-about`}>
        <WithCode text={description} />
        {kind === "list" && " One per line."}
        {kind === "json" && " As JSON."}
      </p>
      {kind === "choice" ? (
        <select {...common} onChange={(event) => put(event.currentTarget.value)}>
          <option value="">{standard === "" ? "Not set" : `Default: ${standard}`}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : kind === "list" || kind === "json" ? (
        <textarea
          {...common}
          rows={kind === "json" ? 4 : 2}
          spellcheck={false}
          placeholder={standard === "" ? "" : `Default: ${standard}`}
          onInput={(event) => put(event.currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={kind === "number" ? "decimal" : "text"}
          autocomplete="off"
          spellcheck={false}
          placeholder={standard === "" ? "" : `Default: ${standard}`}
          onInput={(event) => put(event.currentTarget.value)}
        />
      )}
      <div id={`${id}-refused`}>
        <Refusals of={refused} />
      </div>
    </div>
  );
}

function Refusals({ of }: { of: Refused }) {
  return of.map(({ option, message, fix }) => (
    <p key={`${option} ${message}`} class="bad" role="alert">
      <WithCode text={message} />
      {fix !== undefined && (
        <>
          . <WithCode text={fix} />
        </>
      )}
    </p>
  ));
}

// Options by their JSON Schema, and what stands in their fields. Pure.

/** How an option is written: a word, a number, one of some, a line each, or JSON where nothing else fits. */
type FieldKind = "text" | "number" | "choice" | "list" | "json";

/** An option to be filled in. */
interface Field {
  name: string;
  description: string;
  kind: FieldKind;
  choices: readonly string[];
  /** What holds while nothing is set, as it would be written; empty for nothing. */
  standard: string;
}

interface Schema {
  type?: string;
  enum?: readonly unknown[];
  description?: string;
  default?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** Every option of a schema, in its order. */
export function fieldsOf(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const kind = kindOf(one);
    const choices = one.type === "boolean" ? ["true", "false"] : (one.enum ?? []).map(String);
    const field = { name, description: one.description ?? "", kind, choices };
    return { ...field, standard: textOf(field, one.default) };
  });
}

function kindOf({ type, enum: choices, items }: Schema): FieldKind {
  if (choices || type === "boolean") return "choice";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return "text";
  return type === "array" && items?.type === "string" && !items.enum ? "list" : "json";
}

/** A value as its field shows it; empty for none. */
export function textOf({ kind }: Pick<Field, "kind">, value: unknown): string {
  if (value === undefined) return "";
  if (kind === "list" && Array.isArray(value)) return value.join("\n");
  return kind === "json" || typeof value === "object"
    ? JSON.stringify(value, null, 2)
    : String(value);
}

/** What is to be set and what is to be taken back, of what was typed. */
export function changed(
  fields: readonly Field[],
  now: Readonly<Record<string, string>>,
  typed: Readonly<Record<string, string>>,
): { set: Record<string, unknown>; unset: string[] } {
  const other = fields.filter(({ name }) => typed[name] !== undefined && typed[name] !== now[name]);
  const isEmpty = ({ name }: Field) => typed[name]?.trim() === "";
  return {
    set: Object.fromEntries(
      other
        .filter((field) => !isEmpty(field))
        .map((field) => [field.name, valueTyped(field, typed[field.name] ?? "")]),
    ),
    unset: other.filter(isEmpty).map(({ name }) => name),
  };
}

/** What does not read as it should goes as it was typed: the server says what is wrong with it. */
function valueTyped({ kind, choices }: Field, text: string): unknown {
  if (kind === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === "choice" && choices.join() === "true,false") return text === "true";
  if (kind === "list")
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  return kind === "json" ? jsonOf(text) : text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
