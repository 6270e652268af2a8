// Search as you type: answers grouped by session, the matching passage marked, and counts to narrow with.

import { kindNames, typeWords } from "../../sdk/record-texts.ts";
import type { Answer } from "../../server/route-types.ts";
import { asLine, unmarked } from "../../text/text.ts";
import { addressOf, go } from "../address.ts";
import { get } from "../api.ts";
import { Ask } from "../parts/ask.tsx";
import { sinceOf, times } from "../parts/choose.tsx";
import { Columns } from "../parts/columns.tsx";
import { Maker, makerName } from "../parts/maker.tsx";
import { ManyBar } from "../parts/many-bar.tsx";
import { MarkWords } from "../parts/marks.tsx";
import { Pages } from "../parts/pages.tsx";
import { Pick } from "../parts/pick.tsx";
import { Said, Title } from "../parts/said.tsx";
import { Time } from "../parts/time.tsx";
import { Empty, NotYet, Trouble } from "../parts/trouble.tsx";
import { useProjects, withChoices } from "../projects.ts";
import { type Selection, useSelection } from "../selection.ts";
import { type AskedHow, byRecords, useAsked } from "../use-asked.ts";
import { afterTitle, asShown, counted } from "../words.ts";

type Found = Answer<"/api/search">;
/** A hit, with what its session is called, and where it was. */
type Result = Found["results"][number] & ReturnType<typeof sessionOf>;

const sessionOf = ({ titles = {}, clients = {}, makers = {} }: Found, id: string) => ({
  ...{ of: titles[id], client: clients[id], from: makers[id] },
});

const withSessions = (found: Found): Result[] =>
  found.results.map((result) => ({ ...result, ...sessionOf(found, result.session) }));

const pageSize = 30;
const typingMs = 90;

/** Words and choices stand in the address. */
export function SearchView({ address }: { address: URL }) {
  const query = address.searchParams.get("q") ?? "";
  const question = address.searchParams.toString();
  const ask = async (page: { limit: number; offset: number }, signal: AbortSignal) =>
    withSessions(
      await get("/api/search", { query: { ...asked(address), titles: "true", ...page } }, signal),
    );
  const how: AskedHow =
    query === ""
      ? byRecords
      : // What was looked for stays where it is while it is read.
        { delayMs: typingMs, freshens: onlyByHand };
  const { answer, error } = useAsked(
    `search ${question}`,
    async (signal) => ({
      ...{ query, question, ask },
      results: await ask({ limit: pageSize, offset: 0 }, signal),
    }),
    how,
  );
  return (
    <Columns
      title={query === "" ? "Search" : query}
      beside="Narrow"
      aside={<Narrow address={address} />}
    >
      <h1 class="unseen">Search</h1>
      <Ask {...askedOf(address)} />
      {error !== undefined && <Trouble error={error} />}
      {answer ? (
        <Results {...answer} address={address} isNarrowed={question !== ""} />
      ) : (
        error === undefined && <NotYet error={undefined} />
      )}
    </Columns>
  );
}

/** Asked again for what was done on this page, and for nothing else. */
const onlyByHand = () => false;

/** What the address asks, as the route takes it. */
function asked({ searchParams }: URL) {
  const value = (name: string) => searchParams.get(name) ?? "";
  const kind = value("kind");
  return {
    ...{ text: value("q"), project: value("project"), type: value("type"), file: value("file") },
    ...{ client: value("client"), person: value("person") },
    kinds: kind === "" ? undefined : [kind as "turn"],
    since: sinceOf(value("when")),
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
  address: URL;
}

function Results({ address, results, query, question, ask, isNarrowed }: ResultsProps) {
  const selection = useSelection(question);
  if (results.length === 0) return isNarrowed ? <Nothing /> : <NoneYet />;
  const corrected = Object.entries(results[0]?.corrected ?? {});
  const isAll = results.length < pageSize;
  const best = isAll ? `${counted(results.length, "result")}` : "Best first";
  return (
    <section aria-label="Results">
      <p class="hint" role="status">
        {query === "" ? "Newest first" : best}
        {corrected.map(([from, to]) => ` · no “${from}”, showing “${to}”`)}
      </p>
      <ManyBar selection={selection} />
      <Pages
        {...{ question, ask, how: { freshens: onlyByHand }, size: pageSize, first: results }}
        row={110}
        draw={(result, before) => (
          <Hit
            key={`${result.id} ${result.piece ?? ""}`}
            {...{ address, result, before, query, selection }}
          />
        )}
      />
    </section>
  );
}

/** Where words were found, as it goes on after “in”. */
const places: Readonly<Record<string, string>> = {
  ...{
    title: "the title",
    subtitle: "the subtitle",
    prompt: "the prompt",
    asked: "what was asked",
  },
  ...{ said: "an answer", commit: "a commit", failure: "a failure", fact: "a fact" },
  ...{ described: "what it is about", label: "a label" },
};

interface HitProps {
  address: URL;
  result: Result;
  before: Result | undefined;
  query: string;
  selection: Selection;
}

function Hit({ address, result, before, query, selection }: HitProps) {
  const { id, kind, type, title, subtitle, excerpt, createdAt, why, marks = [] } = result;
  const words =
    query === ""
      ? []
      : [...query.split(/[^\p{L}\p{N}_]+/u), ...(why?.words ?? []).map(({ word }) => word)];
  const text = asLine(afterTitle(unmarked(excerpt ?? subtitle), unmarked(title)));
  const isNew = before?.session !== result.session;
  // A session that matches is its own heading.
  const isSession = kind === "session";
  const isSameTurn = !isNew && before?.promptNumber === result.promptNumber;
  const classes = [
    result.supersededBy === undefined ? "" : "old",
    selection.has(id) ? "chosen" : "",
    isNew ? "group" : "",
  ];
  return (
    <li class={classes.join(" ")}>
      {isNew && !isSession && <GroupHead {...{ address, result }} />}
      <Pick one={{ id, kind, words: title, marks }} selection={selection} />
      <p class="head">
        <a
          class={`kind ${type}`}
          href={withChoices(address, type === kind || kind === "memory" ? { kind } : { type })}
        >
          {typeWords(kind, type)}
        </a>
        <MarkWords marks={marks} />
        {result.supersededBy !== undefined && <span class="word">Replaced by a newer one</span>}
      </p>
      <a class={isSameTurn ? "hit part" : "hit"} href={placeOf(result)}>
        <strong>
          <Title text={title} words={words} />
        </strong>
        {text !== "" && (
          <span class="excerpt">
            <Said inline text={text} words={words} />
          </span>
        )}
        <span class="foot">
          {isSession ? (
            <>
              <Said inline text={nameOf(result)} /> ·{" "}
            </>
          ) : (
            result.promptNumber > 0 && `prompt ${result.promptNumber} · `
          )}
          <Time at={createdAt} />
          {why && why.words.length > 0 && (
            <>
              {" · matches "}
              <Said
                inline
                text={why.words
                  .slice(0, 4)
                  .map(({ word }) => word)
                  .join(", ")}
              />{" "}
              in {places[why.field] ?? "the text"}
            </>
          )}
        </span>
      </a>
    </li>
  );
}

/** A turn is read where it happened. */
const placeOf = ({ kind, id, session, promptNumber }: Result) =>
  kind === "turn" || kind === "prompt"
    ? `${addressOf("session", session)}#prompt-${promptNumber}`
    : addressOf(kind, id);

/** What its project is called; of one without a session, the end of its id. */
const nameOf = ({ project, projectName }: Pick<Result, "project" | "projectName">) =>
  projectName ?? (project.split("/").at(-1) || project);

/** Whose results follow. */
function GroupHead({ address, result }: Pick<HitProps, "address" | "result">) {
  const { session, project, createdAt, of, from } = result;
  return (
    <div class="group-head">
      <h2>
        <a href={addressOf("session", session)}>
          <Title text={of} />
        </a>
      </h2>
      <span class="meta">
        <a href={withChoices(address, { project })}>
          <Said inline text={nameOf(result)} />
        </a>{" "}
        · <Time at={createdAt} />
        <Maker from={from} to={(person) => withChoices(address, { person })} />
      </span>
    </div>
  );
}

const Nothing = () => <Empty>Nothing matches. Try fewer words, or clear a filter.</Empty>;

const NoneYet = () => (
  <Empty title="Nothing to search yet">
    <p>
      Work with your agent as always, or import the sessions from before with{" "}
      <code>memoir backfill</code>.
    </p>
  </Empty>
);

// What narrows a search: each choice with how many of the best results it leaves.

/** So many results are counted. */
const mostCounted = 200;
const countingMs = 400;
const names = ["project", "type", "kind", "when", "client", "person", "file"] as const;

interface Group {
  name: (typeof names)[number];
  title: string;
  /** Each with the value it stands for, how it reads, and how many results it leaves. */
  choices: Array<[key: string, words: string, n: number]>;
  /** Results of choices that are not offered. */
  rest?: number;
}

function Narrow({ address }: { address: URL }) {
  const value = (name: string) => address.searchParams.get(name) ?? "";
  const query = asked(address);
  const { answer } = useAsked(
    `counts ${address.searchParams}`,
    (signal) =>
      get(
        "/api/search",
        { query: { ...query, explain: undefined, titles: "true", limit: mostCounted } },
        signal,
      ).then(withSessions),
    // The results come first.
    { delayMs: countingMs, firstMs: countingMs },
  );
  const projects = useProjects() ?? [];
  const results = answer ?? [];
  const groups = narrowing(results, projects, value);
  const isNarrowed = names.some((name) => value(name) !== "");
  return (
    <>
      <h2>Narrow</h2>
      {results.length > 0 && (
        <p class="hint">
          {results.length === mostCounted ? "The best " : ""}
          {counted(results.length, "result")}. One that holds several kinds or types counts under
          each, and under every time that reaches back to it.
        </p>
      )}
      {isNarrowed && (
        <p>
          <a href={withChoices(address, Object.fromEntries(names.map((name) => [name, ""])))}>
            Clear all
          </a>
        </p>
      )}
      {groups.map((group) => (
        <Choices key={group.name} address={address} group={group} />
      ))}
      <label class="asked">
        File
        <input
          type="text"
          value={value("file")}
          placeholder="src/cart.ts"
          onChange={(event) => go(withChoices(address, { file: event.currentTarget.value.trim() }))}
        />
      </label>
    </>
  );
}

/** What of the results' own can narrow them, with what is chosen now. */
export function narrowing(
  results: ReadonlyArray<
    Pick<Result, "project" | "type" | "kind" | "parts" | "client" | "from" | "createdAt">
  >,
  projects: NonNullable<ReturnType<typeof useProjects>>,
  chosen: (name: Group["name"]) => string,
): Group[] {
  return groupsOf(results, projects)
    .map((group) => offered(group, results.length, chosen(group.name)))
    .filter(({ choices }) => choices.length > 0);
}

function groupsOf(
  results: Parameters<typeof narrowing>[0],
  projects: Parameters<typeof narrowing>[1],
): Group[] {
  const projectName = (id: string) => {
    const known = projects.find((one) => one.id === id);
    return known?.name ?? id.split("/").slice(-2).join("/");
  };
  /** A moment counts once for each of what its records are. */
  const count = (of: (result: (typeof results)[number]) => ReadonlyArray<string | undefined>) => {
    const counts = new Map<string, number>();
    for (const key of results.flatMap((result) => [...new Set(of(result))]))
      if (key) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a);
  };
  const recordsOf = (result: (typeof results)[number]) => [result, ...(result.parts ?? [])];
  const typesOf = (result: (typeof results)[number]) =>
    recordsOf(result).flatMap(({ type, kind }) => (kind === "observation" ? type : []));
  return [
    {
      name: "project",
      title: "Project",
      choices: count(({ project }) => [project]).map(([id, n]) => [id, projectName(id), n]),
    },
    {
      name: "kind",
      title: "What",
      choices: count((result) => recordsOf(result).map(({ kind }) => kind)).map(([kind, n]) => [
        ...([kind, kindNames[kind] ?? kind, n] as const),
      ]),
    },
    {
      name: "type",
      title: "Type",
      choices: count(typesOf).map(([type, n]) => [type, type, n]),
    },
    {
      name: "client",
      title: "Client",
      choices: count(({ client }) => [client]).map(([client, n]) => [client, client, n]),
    },
    {
      name: "person",
      title: "Made by",
      choices: count(({ from }) => [from && makerName(from)]).map(([name, n]) => [name, name, n]),
    },
    {
      name: "when",
      title: "Time",
      choices: Object.entries(times).map(([key, { name, ms }]) => [
        key,
        name,
        results.filter(({ createdAt }) => createdAt > Date.now() - ms).length,
      ]),
    },
  ];
}

/** A click on what is chosen takes the choice back. */
function Choices({ address, group }: { address: URL; group: Group }) {
  const { name, title, choices, rest = 0 } = group;
  const chosen = address.searchParams.get(name) ?? "";
  return (
    <section class="narrow" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {choices.map(([key, words, n]) => (
          <li key={key}>
            <a
              href={withChoices(address, { [name]: chosen === key ? "" : key })}
              aria-current={chosen === key ? "true" : undefined}
              title={key}
            >
              {asShown(words)} <small>{n === 0 && chosen === key ? "" : n}</small>
            </a>
          </li>
        ))}
        {rest > 0 && (
          <li class="hint">
            others <small>{rest}</small>
          </li>
        )}
      </ul>
    </section>
  );
}

const mostOffered = 8;

/** A bookmark may choose what no result has. Choices that leave nothing or everything are not offered, nor a time that leaves what a shorter one does. */
function offered(group: Group, results: number, chosen: string): Group {
  const all = group.choices.filter(
    ([key, , n], at) =>
      key === chosen ||
      (n > 0 && n < results && (group.name !== "when" || n !== group.choices[at - 1]?.[2])),
  );
  const some = all.slice(0, mostOffered);
  const rest = all.slice(mostOffered).reduce((sum, [, , n]) => sum + n, 0);
  const isListed = chosen === "" || some.some(([key]) => key === chosen);
  return { ...group, choices: isListed ? some : [...some, [chosen, chosen, 0]], rest };
}
