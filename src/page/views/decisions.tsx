// What holds from session to session, each under what it really is, with what was said; confirmed, corrected, merged, hidden.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { memoryKinds } from "../../sdk/model.ts";
import { itemWords } from "../../sdk/record-texts.ts";
import type { Answer } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { Act } from "../parts/act.tsx";
import { Choose } from "../parts/choose.tsx";
import { Columns } from "../parts/columns.tsx";
import { ManyBar } from "../parts/many-bar.tsx";
import { MarkWords, marksOf } from "../parts/marks.tsx";
import { Pick } from "../parts/pick.tsx";
import { RecordActions } from "../parts/record-actions.tsx";
import { Said, Title } from "../parts/said.tsx";
import { Empty, Skeleton, Trouble } from "../parts/trouble.tsx";
import { withChoices } from "../projects.ts";
import { type Selection, useSelection } from "../selection.ts";
import { confirm, type Marked } from "../undo.ts";
import { byRecords, useGet } from "../use-asked.ts";
import { useWork } from "../use-work.ts";
import { byWords } from "../words.ts";

type Item = Answer<"/api/memory">["items"][number];

/** What the route gives at most. */
const most = 500;

const states = {
  "": "Not hidden",
  standing: "Confirmed",
  candidate: "Suggested",
  retired: "Hidden",
} as const;

/** Each under what it really is: who said it, and whether anybody did. */
const groups: ReadonlyArray<{ title: string; note: string; is(item: Item): boolean }> = [
  {
    title: "Set by you",
    note: "In your own words, or confirmed by you. Sessions start with the rules while there is room, and with a decision while it is new or the work is about it.",
    is: (item) => isSaid(item) && !item.by.startsWith("chosen"),
  },
  {
    title: "Chosen by you",
    note: "Picked from an agent’s options.",
    is: (item) => isSaid(item) && item.by.startsWith("chosen"),
  },
  {
    title: "Suggested",
    note: "Said once or concluded, those of the most sessions first. Confirm what holds, hide what doesn’t.",
    is: (item) => !isSeen(item) && item.state !== "standing",
  },
  {
    title: "Works here",
    note: "Commands that were seen to pass. Nobody set them.",
    is: ({ kind }) => kind === "workflows",
  },
  {
    title: "Failures and fixes",
    note: "Seen to fail, and to pass after a change.",
    is: ({ kind }) => kind === "gotchas",
  },
];
const isSeen = ({ kind }: Item) => kind === "workflows" || kind === "gotchas";
const isSaid = (item: Item) => !isSeen(item) && item.state === "standing";

/** The choices stand in the address. */
export function DecisionsView({ address }: { address: URL }) {
  const { searchParams } = address;
  const [project, kind, state, session] = ["project", "kind", "state", "session"].map(
    (name) => searchParams.get(name) ?? "",
  );
  const question = searchParams.toString();
  const selection = useSelection(question);
  const { answer, error } = useGet(
    "/api/memory",
    { query: asked(project, kind, state, session) },
    byRecords,
  );
  const items = answer?.items.filter((item) => isOf(item, state ?? ""));
  const shown = groups
    .map((group) => ({ ...group, items: items?.filter(group.is).sort(byEvidence) ?? [] }))
    .filter((group) => group.items.length > 0);
  return (
    <Columns
      title="Decisions"
      beside={items?.length === 0 ? undefined : "On this page"}
      aside={<Contents groups={shown} />}
    >
      <h1>Decisions</h1>
      <p class="hint">
        Decisions, preferences and facts that sessions follow, with the words they come from.
      </p>
      <div class="chips">
        <Choose
          {...{ address, name: "kind", label: "Kind" }}
          choices={[["", "Any kind"], ...memoryKinds.map((one) => [one, itemWords[one]] as const)]}
        />
        <Choose {...{ address, name: "state", label: "State" }} choices={Object.entries(states)} />
        {session && (
          <a class="chip on" href={withChoices(address, { session: "" })}>
            From one session ×
          </a>
        )}
      </div>
      {error !== undefined && <Trouble error={error} />}
      {!answer && error === undefined && <Skeleton rows={5} />}
      <ManyBar selection={selection} />
      {items?.length === 0 && (question === "" ? <NoneYet /> : <Nothing />)}
      {shown.map(({ title, note, items: some }) => (
        <section key={title} aria-labelledby={idOf(title)}>
          <h2 id={idOf(title)}>
            {title} <small>{some.length}</small>
          </h2>
          <p class="hint">{note}</p>
          <Few most={mostAtFirst} all={some}>
            {(item) => <ItemRow key={item.id} {...{ address, item, selection }} />}
          </Few>
        </section>
      ))}
      {answer && answer.items.length >= most && (
        <p class="hint">Only the newest {most}. Choose a project or a kind to see older ones.</p>
      )}
    </Columns>
  );
}

/** More of a group are shown on demand. */
const mostAtFirst = 10;

/** What more sessions say first; equal ones stay as they come, the newest first. */
const byEvidence = (one: Item, other: Item) => sessionsOf(other) - sessionsOf(one);
const sessionsOf = ({ evidence = [], session }: Item) =>
  new Set(evidence.map((place) => place.session ?? session)).size;

interface FewProps {
  most: number;
  all: readonly Item[];
  children: (item: Item) => ComponentChildren;
}

/** The first of a list, and all of it at a click. */
function Few({ most, all, children }: FewProps) {
  const [isAll, setAll] = useState(false);
  const rest = isAll ? 0 : all.length - most;
  return (
    <>
      <ol class="hits standing">{(rest > 0 ? all.slice(0, most) : all).map(children)}</ol>
      {rest > 0 && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show {rest} more
        </button>
      )}
    </>
  );
}

const idOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

function Contents({ groups: shown }: { groups: ReadonlyArray<{ title: string; items: Item[] }> }) {
  return (
    <>
      <h2>On this page</h2>
      <section class="narrow">
        <ul>
          {shown.map(({ title, items }) => (
            <li key={title}>
              <a href={`#${idOf(title)}`}>
                {title} <small>{items.length}</small>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <p class="hint">
        Keys: <kbd>j</kbd> <kbd>k</kbd> move, <kbd>e</kbd> edits, <kbd>h</kbd> hides, <kbd>u</kbd>{" "}
        undoes.
      </p>
    </>
  );
}

/** What the address asks, as the route takes it. */
function asked(project = "", kind = "", state = "", session = "") {
  return {
    ...(project !== "" && { project }),
    ...(session !== "" && { session }),
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

interface RowProps {
  address: URL;
  item: Item;
  selection: Selection;
}

function ItemRow({ address, item, selection }: RowProps) {
  const { id, kind, content, context, quote, date, session, state, by, merged } = item;
  const one = { id, kind: "memory" as const, words: content, marks: marksOf(item) };
  const [, ofSession = ""] = /^Session: (.*)$/.exec(context) ?? [];
  return (
    <li class={selection.has(id) ? "chosen" : ""}>
      <Pick one={one} selection={selection} />
      <div class="item">
        <p class="head">
          <a class="kind" href={withChoices(address, { kind })}>
            {itemWords[kind]}
          </a>
          {state === "candidate" && (
            <a class="word" href={withChoices(address, { state })}>
              Suggested
            </a>
          )}
          <MarkWords marks={one.marks} />
        </p>
        <a class="content" href={addressOf("memory", id)}>
          <strong>
            <Title text={content} />
          </strong>
        </a>
        {quote !== undefined && quote !== content && (
          <blockquote>
            <Said text={quote} />
          </blockquote>
        )}
        {context !== "" && ofSession === "" && (
          <p class="excerpt">
            <Said inline text={context} />
          </p>
        )}
        <p class="foot">
          {byWords(by)} · {date} · in{" "}
          <a href={addressOf("session", session)}>
            <Title text={ofSession || "its session"} />
          </a>{" "}
          · <span class="id">{id}</span>
          {merged !== undefined && (
            <>
              {" "}
              · merged into <a href={addressOf("memory", merged)}>{merged}</a>
            </>
          )}
        </p>
        <div class="actions">
          <RecordActions {...one}>
            {state !== "standing" && !item.hidden && <Confirm one={one} />}
          </RecordActions>
        </div>
      </div>
    </li>
  );
}

/** A suggestion may be confirmed. */
function Confirm({ one }: { one: Marked }) {
  const { error, run } = useWork();
  return (
    <>
      <Act words="Confirm" label={`Confirm: ${one.id}`} onClick={() => run(() => confirm([one]))} />
      {error !== undefined && <Trouble error={error} />}
    </>
  );
}

const Nothing = () => <Empty>Nothing matches. Clear a filter.</Empty>;

const NoneYet = () => (
  <Empty title="No decisions yet">
    <p>
      What you decide, prefer or state as a fact while you work is kept when a session ends, in your
      words. What you said once waits here for you to confirm it.
    </p>
    <p>Say “remember that …” to an agent to keep something at once.</p>
  </Empty>
);
