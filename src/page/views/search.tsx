// Search as you type, over everything that is remembered.
import { useEffect, useRef, useState } from "preact/hooks";
import { observationTypes } from "../../sdk/model.ts";
import type { Answer, AnswerOf, RoutesOf } from "../../server/route-types.ts";
import { addressOf, go, placeState } from "../address.ts";
import { get, post } from "../api.ts";
import { ManyBar } from "../parts/many-bar.tsx";
import { MarkWords } from "../parts/marks.tsx";
import { Pages } from "../parts/pages.tsx";
import { Pick } from "../parts/pick.tsx";
import { Said } from "../parts/said.tsx";
import { Time } from "../parts/time.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { type Selection, useSelection } from "../selection.ts";
import { type AskedHow, useAsked } from "../use-asked.ts";
import { asShown, counted, fieldWords, kindNames } from "../words.ts";

type Result = Answer<"/api/search">["results"][number];

const pageSize = 20;
const typingMs = 90;

/** Puts the words and filters into the address, and out of it. */
export function SearchView({ address }: { address: URL }) {
  const { searchParams } = address;
  const query = searchParams.get("q") ?? "";
  const input = useRef<HTMLInputElement>(null);
  const isTyped = useRef(false);
  const question = searchParams.toString();
  const ask = async (page: { limit: number; offset: number }, signal: AbortSignal) =>
    (await get("/api/search", { query: { ...asked(address), ...page } }, signal)).results;
  const how: AskedHow =
    query === ""
      ? { freshens: ({ what }) => what.includes("records") }
      : // What was looked for stays where it is while it is read.
        { delayMs: typingMs, freshens: onlyByHand };
  const found = useAsked(
    question,
    async (signal) => ({
      ...{ query, question, ask },
      results: await ask({ limit: pageSize, offset: 0 }, signal),
    }),
    how,
  );
  useEffect(() => {
    document.title = query === "" ? "Search · memoir" : `${query} · memoir`;
  }, [query]);
  useEffect(() => {
    // Who comes back has the focus where it was.
    if (placeState().followed === undefined) input.current?.focus({ preventScroll: true });
    addEventListener("keydown", moveAmongHits);
    return () => removeEventListener("keydown", moveAmongHits);
  }, []);

  function put(name: string, value: string): void {
    const next = new URLSearchParams(searchParams);
    if (value === "") next.delete(name);
    else next.set(name, value);
    // Each letter is no step back; each filter is.
    go(`/search${next.size > 0 ? `?${next}` : ""}`, { replace: name === "q" });
  }
  const { answer } = found;
  return (
    <div class="search">
      <h1 class="unseen">Search</h1>
      <search>
        <input
          id="query"
          ref={input}
          type="search"
          dir="auto"
          autocomplete="off"
          spellcheck={false}
          aria-label="Search what is remembered"
          placeholder="Search all that is remembered"
          value={query}
          onInput={(event) => {
            isTyped.current = true;
            put("q", event.currentTarget.value);
          }}
        />
        <Filters filters={filtersOf(searchParams)} put={put} />
      </search>
      <Ask {...askedOf(address)} />
      {found.error !== undefined && <Trouble error={found.error} />}
      {answer && <Results {...answer} isNarrowed={question !== ""} />}
    </div>
  );
}

/** Asked again for what was done on this page, and for nothing else. */
const onlyByHand = () => false;

/** What the address asks, as the route takes it. */
function asked({ searchParams }: URL) {
  const { project, type, kind, file, when } = filtersOf(searchParams);
  return {
    ...{ text: searchParams.get("q") ?? "", project, type, file },
    kinds: kind === "" ? undefined : [kind as "turn"],
    since: when === "" ? undefined : sinceOf(when, Date.now()),
    explain: true,
  };
}

/** The same as a question. */
function askedOf(address: URL) {
  const { text, project, file, since } = asked(address);
  return { question: text, project, file, since };
}

interface ResultsProps {
  query: string;
  question: string;
  results: readonly Result[];
  ask(page: { limit: number; offset: number }, signal: AbortSignal): Promise<readonly Result[]>;
  isNarrowed: boolean;
}

function Results({ results, query, question, ask, isNarrowed }: ResultsProps) {
  const selection = useSelection(question);
  if (results.length === 0) return isNarrowed ? <Nothing /> : <Empty />;
  const corrected = Object.entries(results[0]?.corrected ?? {});
  const isAll = results.length < pageSize;
  const best = isAll ? `${counted(results.length, "result")}.` : "The best first.";
  return (
    <section aria-label="Results">
      <p class="hint" role="status">
        {query === "" ? "The newest first." : best}
        {corrected.map(([from, to]) => ` “${from}” was not found: this is for “${to}”.`)}
      </p>
      <ManyBar selection={selection} />
      <Pages
        {...{
          question,
          ask,
          how: { freshens: onlyByHand },
          size: pageSize,
          first: results,
          row: 126,
        }}
        draw={(result) => (
          <Hit key={`${result.id} ${result.piece ?? ""}`} {...{ result, query, selection }} />
        )}
      />
    </section>
  );
}

interface HitProps {
  result: Result;
  query: string;
  selection: Selection;
}

function Hit({ result, query, selection }: HitProps) {
  const { id, kind, type, title, subtitle, excerpt, project, createdAt, why, marks = [] } = result;
  const words =
    query === ""
      ? []
      : [...query.split(/[^\p{L}\p{N}_]+/u), ...(why?.words ?? []).map(({ word }) => word)];
  const text = excerpt ?? subtitle;
  return (
    <li
      class={`${result.supersededBy === undefined ? "" : "old"} ${selection.has(id) ? "chosen" : ""}`}
    >
      <Pick one={{ id, kind, words: title, marks }} selection={selection} />
      <a class="hit" href={addressOf(kind, id)}>
        <span class="head">
          <span class={`kind ${type}`}>{type === kind ? kindNames[kind] : type}</span>
          <MarkWords marks={marks} />
          {result.supersededBy !== undefined && <span class="word">Replaced by a newer one</span>}
        </span>
        <strong>
          <Said inline text={title} words={words} />
        </strong>
        {text !== "" && text !== title && (
          <span class="excerpt">
            <Said inline text={text} words={words} />
          </span>
        )}
        <span class="foot">
          <Said inline text={project.split("/").at(-1) || project} /> · <Time at={createdAt} />
          {why && why.words.length > 0 && (
            <>
              {" "}
              · here for{" "}
              <Said
                inline
                text={why.words
                  .slice(0, 4)
                  .map(({ word }) => word)
                  .join(", ")}
              />{" "}
              in {fieldWords(why.field).toLowerCase()}
            </>
          )}
        </span>
      </a>
    </li>
  );
}

const Nothing = () => (
  <p class="empty" role="status">
    Nothing of that is remembered. Try fewer words, or take a filter away.
  </p>
);

const Empty = () => (
  <div class="empty" role="status">
    <h2>Nothing is remembered yet</h2>
    <p>
      Work with your agent as always: what you ask and what it does appears here a moment later. If
      it does not, <code>memoir doctor</code> says why.
    </p>
    <p>
      Sessions from before memoir was installed come in with <code>memoir backfill</code>.
    </p>
  </div>
);

/** Down from the words into the hits, up again; the browser opens a link that has the focus by Enter. */
function moveAmongHits(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const here = event.target instanceof HTMLElement ? event.target : undefined;
  if (step === undefined || !here?.matches("#query, a.hit")) return;
  const stops = [...document.querySelectorAll<HTMLElement>("#query, a.hit")];
  const next = stops[stops.indexOf(here) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

// What narrows a search: a chip each, coloured while it does.

const names = ["project", "kind", "type", "when", "file"] as const;
type Name = (typeof names)[number];
/** What is chosen; empty for everything. */
type Chosen = Record<Name, string>;

/** What an address chooses. */
function filtersOf(params: URLSearchParams): Chosen {
  return Object.fromEntries(names.map((name) => [name, params.get(name) ?? ""])) as Chosen;
}

const day = 24 * 60 * 60_000;
const times: Readonly<Record<string, { name: string; ms: number }>> = {
  "1d": { name: "Last 24 hours", ms: day },
  "7d": { name: "Last 7 days", ms: 7 * day },
  "30d": { name: "Last 30 days", ms: 30 * day },
  "365d": { name: "Last year", ms: 365 * day },
};

/** Epoch ms; undefined for a word that is no time. To the minute, so that the same question stays the same. */
function sinceOf(when: string, now: number): number | undefined {
  const time = times[when];
  return time && Math.floor((now - time.ms) / 60_000) * 60_000;
}

interface FiltersProps {
  filters: Chosen;
  put(name: Name, value: string): void;
}

/** The chips. */
function Filters({ filters, put }: FiltersProps) {
  const { answer } = useAsked("projects", (signal) => get("/api/status", {}, signal));
  const projects = answer && "projects" in answer.storage ? answer.storage.projects : [];
  const choices: Array<{ name: Name; any: string; options: Array<[string, string]> }> = [
    {
      name: "project",
      any: "Any project",
      options: projects.map(({ id, name }) => [id, name]),
    },
    { name: "kind", any: "Anything", options: Object.entries(kindNames) },
    { name: "type", any: "Any type", options: observationTypes.map((type) => [type, type]) },
    {
      name: "when",
      any: "Any time",
      options: Object.entries(times).map(([key, { name }]) => [key, name]),
    },
  ];
  const isAny = names.every((name) => filters[name] === "");
  return (
    <div class="chips">
      {choices.map(({ name, any, options }) => (
        <select
          key={name}
          aria-label={name === "when" ? "Time" : name}
          class={filters[name] === "" ? "chip" : "chip on"}
          value={filters[name]}
          onChange={(event) => put(name, event.currentTarget.value)}
        >
          <option value="">{any}</option>
          {withChosen(options, filters[name]).map(([value, text]) => (
            <option key={value} value={value}>
              {asShown(text)}
            </option>
          ))}
        </select>
      ))}
      <input
        type="text"
        aria-label="File"
        placeholder="Any file"
        class={filters.file === "" ? "chip" : "chip on"}
        value={filters.file}
        onChange={(event) => put("file", event.currentTarget.value.trim())}
      />
      {!isAny && (
        <a class="chip" href="/search">
          Clear
        </a>
      )}
    </div>
  );
}

/** A bookmark may choose what no list has any more. */
function withChosen(options: Array<[string, string]>, chosen: string): Array<[string, string]> {
  const isListed = chosen === "" || options.some(([value]) => value === chosen);
  return isListed ? options : [...options, [chosen, chosen]];
}

// A question answered from memory above the hits, at a click: each sentence with the records that carry it.

type Answered = AnswerOf<RoutesOf<"post">["/api/ask"]>;
type Asked = { answer: Answered } | { error: unknown } | "waiting" | undefined;

interface AskProps {
  question: string;
  project: string;
  file: string;
  since: number | undefined;
}

/** The button, and what came of it for as long as the question stays. */
function Ask({ question, project, file, since }: AskProps) {
  const [asked, setAsked] = useState<Asked>();
  const running = useRef<AbortController>(undefined);
  const stop = () => {
    running.current?.abort();
    setAsked(undefined);
  };
  useEffect(() => stop, [question, project, file, since]);
  async function ask() {
    const control = new AbortController();
    running.current = control;
    setAsked("waiting");
    const narrowing = { ...(project && { project }), ...(file && { file }), since };
    const next = await post("/api/ask", { body: { question, ...narrowing } }, control.signal).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (!control.signal.aborted) setAsked(next);
  }
  if (question.trim() === "") return null;
  if (asked === undefined)
    return (
      <button type="button" class="ask" onClick={ask}>
        Answer this from memory
      </button>
    );
  return (
    <section class="card answer" aria-label="Answer" aria-live="polite">
      {asked === "waiting" ? (
        <p class="hint">
          Looking it up …{" "}
          <button type="button" class="quiet" onClick={stop}>
            Cancel
          </button>
        </p>
      ) : "error" in asked ? (
        <Trouble error={asked.error} />
      ) : (
        <Answered {...asked.answer} />
      )}
    </section>
  );
}

function Answered({ sentences, results, problem, spent, model }: Answered) {
  if (problem)
    return (
      <p class="hint">
        {problem.message} {problem.fix}
      </p>
    );
  const cost = spent.cost === null ? "at a price that is not known" : `$${spent.cost.toFixed(4)}`;
  return (
    <>
      {sentences.length === 0 && (
        <p>
          Memory has nothing on that.{results.length > 0 && " Nearest:"}
          <Links hits={results.slice(0, 5)} />
        </p>
      )}
      {sentences.map(({ text, sources }) => (
        <p key={text}>
          <Said inline text={text} />
          <Links hits={results.filter(({ id }) => sources.includes(id))} />
        </p>
      ))}
      <p class="hint">
        {counted(spent.calls, "call")}, {counted(spent.tokens, "token")}, {cost}
        {model !== null && ` (${model})`}
      </p>
    </>
  );
}

function Links({ hits }: { hits: Answered["results"] }) {
  return hits.map(({ id, kind, title }) => (
    <span key={id}>
      {" "}
      <a href={addressOf(kind, id)} title={asShown(title)}>
        {id}
      </a>
    </span>
  ));
}
