// What holds from session to session: decisions, preferences, facts, with what was said; confirmed, corrected, merged, retired.
import { useEffect, useState } from "preact/hooks";
import { memoryKinds } from "../../sdk/model.ts";
import type { Answer } from "../../server/route-types.ts";
import { addressOf, go } from "../address.ts";
import { get } from "../api.ts";
import { EditForm } from "../parts/edit-form.tsx";
import { ManyBar } from "../parts/many-bar.tsx";
import { MarkWords } from "../parts/marks.tsx";
import { Pick } from "../parts/pick.tsx";
import { Said } from "../parts/said.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { type Selection, useSelection } from "../selection.ts";
import { changed, confirm, mark } from "../undo.ts";
import { useAsked } from "../use-asked.ts";
import { counted } from "../words.ts";
import { marksOf } from "./sessions.tsx";

type Item = Answer<"/api/memory">["items"][number];

/** What the route gives at most. */
const most = 500;

const kindWords: Readonly<Record<Item["kind"], string>> = {
  decisions: "Decisions",
  preferences: "Preferences",
  projects: "About projects",
  facts: "Facts",
  workflows: "Commands that pass",
  gotchas: "Failures and repairs",
};
const states = {
  "": "All that is told",
  standing: "What stands",
  candidate: "Suggested",
  retired: "Retired",
} as const;

/** Puts the filters into the address, and out of it. */
export function StandingView({ address }: { address: URL }) {
  const { searchParams } = address;
  const [project, kind, state] = ["project", "kind", "state"].map(
    (name) => searchParams.get(name) ?? "",
  );
  const question = searchParams.toString();
  const selection = useSelection(question);
  const { answer, error } = useAsked(
    question,
    (signal) => get("/api/memory", { query: asked(project, kind, state) }, signal),
    { freshens: ({ what }) => what.includes("records") },
  );
  useEffect(() => {
    document.title = "Standing · memoir";
  }, []);
  const items = answer?.items.filter((item) => isOf(item, state ?? ""));
  return (
    <div>
      <h1>What stands</h1>
      <p class="hint">
        Decisions, preferences and facts that sessions are told, with the words they come from.
      </p>
      <Chips params={searchParams} />
      {error !== undefined && <Trouble error={error} />}
      <ManyBar selection={selection} />
      {items?.length === 0 && (question === "" ? <Empty /> : <Nothing />)}
      {items && items.length > 0 && (
        <>
          <p class="hint" role="status">
            {counted(items.length, "item")}, the newest first.
            {answer && answer.items.length >= most && " Older ones come with a narrower choice."}
          </p>
          <ol class="hits standing">
            {items.map((item) => (
              <ItemRow key={item.id} item={item} selection={selection} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

/** What the address asks, as the route takes it. */
function asked(project = "", kind = "", state = "") {
  return {
    ...(project !== "" && { project }),
    ...(memoryKinds.some((one) => one === kind) && { kinds: [kind as Item["kind"]] }),
    ...(state === "retired" ? { marked: "hidden" as const } : { hidden: false as const }),
    limit: most,
  };
}

function isOf({ state, hidden }: Item, wanted: string): boolean {
  if (wanted === "standing") return state === "standing";
  if (wanted === "candidate") return state !== "standing";
  return wanted !== "retired" || hidden === true;
}

function Chips({ params }: { params: URLSearchParams }) {
  const { answer } = useAsked("projects", (signal) => get("/api/status", {}, signal));
  const projects = answer && "projects" in answer.storage ? answer.storage.projects : [];
  const choices: Array<[string, Array<[string, string]>]> = [
    [
      "project",
      [["", "Any project"], ...projects.map(({ id, name }): [string, string] => [id, name])],
    ],
    [
      "kind",
      [["", "Any kind"], ...memoryKinds.map((kind): [string, string] => [kind, kindWords[kind]])],
    ],
    ["state", Object.entries(states)],
  ];
  return (
    <div class="chips">
      {choices.map(([name, options]) => (
        <select
          key={name}
          aria-label={name}
          class={params.has(name) ? "chip on" : "chip"}
          value={params.get(name) ?? ""}
          onChange={(event) => {
            const next = new URLSearchParams(params);
            if (event.currentTarget.value === "") next.delete(name);
            else next.set(name, event.currentTarget.value);
            go(`/standing${next.size > 0 ? `?${next}` : ""}`);
          }}
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ))}
    </div>
  );
}

function ItemRow({ item, selection }: { item: Item; selection: Selection }) {
  const { id, kind, content, context, quote, date, session, state, by, merged } = item;
  const one = { id, kind: "memory" as const, words: content, marks: marksOf(item) };
  return (
    <li class={selection.has(id) ? "chosen" : ""}>
      <Pick one={one} selection={selection} />
      <div class="item">
        <p class="head">
          <span class="kind">{kindWords[kind]}</span>
          {state === "candidate" && <span class="word">Suggested</span>}
          <MarkWords marks={one.marks} />
        </p>
        <a class="content" href={addressOf("memory", id)}>
          <strong>
            <Said inline text={content} />
          </strong>
        </a>
        {quote !== undefined && quote !== content && (
          <blockquote>
            <Said text={quote} />
          </blockquote>
        )}
        {context !== "" && (
          <p class="excerpt">
            <Said inline text={context} />
          </p>
        )}
        <p class="foot">
          {by} · {date} · <a href={addressOf("session", session)}>its session</a> ·{" "}
          <span class="id">{id}</span>
          {merged !== undefined && (
            <>
              {" "}
              · merged into <a href={addressOf("memory", merged)}>{merged}</a>
            </>
          )}
        </p>
        <ItemActions item={item} />
      </div>
    </li>
  );
}

function ItemActions({ item }: { item: Item }) {
  const { id, state, hidden, edited } = item;
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>();
  const marks = marksOf(item);
  const run = (work: Promise<void>) => {
    setError(undefined);
    work.catch(setError);
  };
  const { by: _, ...record } = item;
  return (
    <div class="actions">
      {state !== "standing" && !hidden && (
        <button
          type="button"
          aria-label={`Confirm ${id}`}
          onClick={() => run(confirm([{ id, marks }]))}
        >
          Confirm
        </button>
      )}
      <button type="button" aria-label={`Edit ${id}`} onClick={() => setOpen(true)}>
        Edit
      </button>
      <button
        type="button"
        aria-label={`${hidden ? "Tell again" : "Retire"} ${id}`}
        onClick={() => run(mark([{ id, marks }], "hidden", !hidden))}
      >
        {hidden ? "Tell again" : "Retire"}
      </button>
      {error !== undefined && <Trouble error={error} />}
      {isOpen && (
        <EditForm
          stored={{ kind: "memory", record }}
          close={(saved) => {
            setOpen(false);
            if (saved)
              changed(
                `${id} is told in your words from now on.`,
                edited ? [] : [{ ids: [id], undo: true }],
              );
          }}
        />
      )}
    </div>
  );
}

const Nothing = () => (
  <p class="empty" role="status">
    Nothing of that kind is remembered. Take a filter away.
  </p>
);

const Empty = () => (
  <div class="empty" role="status">
    <h2>Nothing stands yet</h2>
    <p>
      What you decide, prefer or state as a fact while you work is kept when a session ends, with
      your words as its quotation. What was said once waits here for you to confirm it.
    </p>
    <p>An agent keeps something at once when you say “remember that …”.</p>
  </div>
);
