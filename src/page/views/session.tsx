// One session, read like a conversation; beside each part what memory keeps of it, and where that was used.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Answer } from "../../server/route-types.ts";
import { addressOf, go } from "../address.ts";
import { get } from "../api.ts";
import { asMarkdown } from "../as-markdown.ts";
import { Columns } from "../parts/columns.tsx";
import type { TakenOut, ToldText } from "../parts/given.tsx";
import { Given } from "../parts/given.tsx";
import { Maker } from "../parts/maker.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { MarkWords, marksOf } from "../parts/marks.tsx";
import { Minimap } from "../parts/minimap.tsx";
import { Near } from "../parts/near.tsx";
import { RecordActions } from "../parts/record-actions.tsx";
import { Said, Title } from "../parts/said.tsx";
import { NotYet, Trouble } from "../parts/trouble.tsx";
import { TurnBody } from "../parts/turn.tsx";
import { save } from "../save.ts";
import { byRecords, useGet } from "../use-asked.ts";
import { afterTitle, counted, lasted, timeOfDay, timeSpan } from "../words.ts";

type Whole = Answer<"/api/sessions/:id">;
type Told = Answer<"/api/sessions/:id/told">;

/** The view. */
export function SessionView({ id }: { id: string }) {
  const { answer, error } = useGet(
    "/api/sessions/:id",
    { params: { id } },
    {
      freshens: ({ what, sessions }) =>
        what.includes("records") &&
        (sessions.length === 0 || sessions.some((one) => one.startsWith(id))),
    },
  );
  const isThere = answer !== undefined;
  useEffect(() => {
    // The place that the address names was not there yet when the page was loaded.
    if (isThere) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isThere]);
  const rest = useRest(id, answer);
  const { more } = rest;
  const whole = useMemo(() => answer && joined([answer, ...rest.pages]), [answer, rest.pages]);
  const { answer: told } = useGet("/api/sessions/:id/told", { params: { id } }, byRecords);
  const numbers = useMemo(() => (whole ? numbersOf(whole) : []), [whole]);
  const here = useHere(numbers);
  if (!whole)
    return (
      <Columns title="Session">
        <NotYet error={error} />
      </Columns>
    );
  const { session } = whole;
  return (
    <Columns
      title={session.title || "Session"}
      beside="What memory keeps"
      aside={<Kept of={whole} here={here} />}
    >
      <article class="conversation">
        {error !== undefined && <Trouble error={error} />}
        <Head whole={whole} isAll={more === undefined} />
        {numbers.length === 0 && <p class="empty">Nothing was captured in this session yet.</p>}
        <Turns whole={whole} told={told} numbers={numbers} />
        {rest.error !== undefined && <Trouble error={rest.error} />}
        {more !== undefined && (
          <Near key={numbers.length} height={40} isFirst={false}>
            {() => <Rest shown={numbers.length} more={more} />}
          </Near>
        )}
      </article>
      <Minimap turns={whole.turns} />
    </Columns>
  );
}

function Head({ whole, isAll }: { whole: Whole; isAll: boolean }) {
  const { session, turns } = whole;
  const { project, startedAt, endedAt, lastActiveAt, prompts, client, status } = session;
  const until = endedAt ?? lastActiveAt;
  // Without the pauses between prompts.
  const worked = turns.reduce((all, { time, startedAt }) => all + Math.max(0, time - startedAt), 0);
  const subtitle = afterTitle(session.subtitle, session.title);
  return (
    <header class="head-of-view">
      <p class="crumbs">
        <a href={`/memory?${new URLSearchParams({ project: project.id })}`}>
          <Said inline text={project.name} />
        </a>{" "}
        › {timeSpan(startedAt, until)} <MarkWords marks={marksOf(session)} />
      </p>
      <h1>
        <Title text={session.title} />
      </h1>
      {subtitle !== "" && (
        <p class="outcome">
          <Said inline text={subtitle} />
        </p>
      )}
      <p class="meta">
        worked {isAll ? "" : "more than "}
        {lasted(worked)} · <a href={`/memory?${new URLSearchParams({ client })}`}>{client}</a>
        <Maker from={session.from} to={(person) => `/memory?${new URLSearchParams({ person })}`} />{" "}
        · {counted(prompts, "prompt")}
        {project.branch !== undefined && (
          <>
            {" · "}
            <a href={`/search?${new URLSearchParams({ q: project.branch, project: project.id })}`}>
              <Said inline text={project.branch} />
            </a>
          </>
        )}
        {status === "active" && " · live"} ·{" "}
        <button
          type="button"
          class="quiet"
          onClick={() => save(`${session.id.slice(0, 8)}.md`, new Blob([asMarkdown(whole)]))}
          disabled={turns.length === 0}
        >
          Save as Markdown
        </button>
      </p>
      <div class="actions">
        <RecordActions
          {...{ id: session.id, kind: "session" }}
          marks={marksOf(session)}
          deleted={() => go("/memory")}
        />
      </div>
    </header>
  );
}

/** What follows the first page, as somebody asks for it. */
function useRest(id: string, first: Whole | undefined) {
  const [pages, setPages] = useState<Whole[]>([]);
  const [error, setError] = useState<unknown>();
  const since = (pages.at(-1) ?? first)?.next;
  const more = () => {
    setError(undefined);
    get("/api/sessions/:id", { params: { id }, query: { since } }).then(
      (page) => setPages([...pages, page]),
      setError,
    );
  };
  return { pages, error, more: since === undefined ? undefined : more };
}

/** Asked for as soon as somebody comes near it; the button asks again where that went wrong. */
function Rest({ shown, more }: { shown: number; more(): void }) {
  useEffect(more, []);
  return (
    <p class="hint">
      The first {counted(shown, "prompt")} are shown.{" "}
      <button type="button" onClick={more}>
        Show what follows
      </button>
    </p>
  );
}

/** Pages as one; what stands on the edge of two is there once. */
function joined([first, ...rest]: [Whole, ...Whole[]]): Whole {
  if (rest.length === 0) return first;
  const all = <Item extends { id: string }>(list: (page: Whole) => Item[]) => [
    ...new Map([first, ...rest].flatMap(list).map((item) => [item.id, item])).values(),
  ];
  return {
    session: first.session,
    prompts: all(({ prompts }) => prompts),
    summaries: all(({ summaries }) => summaries),
    observations: all(({ observations }) => observations),
    turns: all(({ turns }) => turns),
  };
}

/** Every prompt's number that anything is known of, in order. */
function numbersOf({ turns, prompts, observations }: Whole): number[] {
  const numbers = [...turns, ...prompts, ...observations].map(({ promptNumber }) => promptNumber);
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Prompts that are drawn together, and about how high each is, in px. */
const inBlock = 2;
const aboutStep = 420;

function Turns({
  whole,
  told,
  numbers,
}: {
  whole: Whole;
  told: Told | undefined;
  numbers: number[];
}) {
  const given = useMemo(() => told && givenBy(whole.turns, told), [whole, told]);
  const turns = useMemo(
    () => new Map(whole.turns.map((turn) => [turn.promptNumber, turn])),
    [whole],
  );
  const blocks = Array.from({ length: Math.ceil(numbers.length / inBlock) }, (_, at) =>
    numbers.slice(at * inBlock, (at + 1) * inBlock),
  );
  const records = told?.records ?? [];
  return (
    <>
      {given && <Given told={given.atStart} takenOut={[]} records={records} />}
      <div class="steps">
        {blocks.map((block, at) => (
          <Near
            key={block[0]}
            height={block.length * aboutStep}
            isFirst={at < 3 || block.some((number) => location.hash === `#prompt-${number}`)}
          >
            {() =>
              block.map((number) => {
                const turn = turns.get(number);
                const prompt = whole.prompts.find(({ promptNumber }) => promptNumber === number);
                return (
                  <section key={number} class="step" id={`prompt-${number}`}>
                    <div class="step-head">
                      <h2>
                        <a href={`#prompt-${number}`}>
                          {number === 0 ? "Before any prompt" : `Prompt ${number}`}
                        </a>
                      </h2>
                      {turn && (
                        <span class="meta">
                          {turn.end === "interrupted" && "stopped by you · "}
                          {turn.end === "open" && "not finished · "}
                          <a href={addressOf("turn", turn.id)} aria-label={`Trace of ${turn.id}`}>
                            trace
                          </a>
                        </span>
                      )}
                    </div>
                    <Given
                      told={given?.told.get(number) ?? []}
                      takenOut={given?.takenOut.get(number) ?? []}
                      records={records}
                    />
                    {turn ? <TurnBody turn={turn} /> : prompt && <Markdown text={prompt.text} />}
                  </section>
                );
              })
            }
          </Near>
        ))}
      </div>
    </>
  );
}

/** Fewer than these are all shown beside the conversation. */
const allBeside = 40;
/** Else those of so many prompts around the one that is read. */
const around = 3;

/** The number of the prompt that is read. */
function useHere(numbers: readonly number[]): number {
  const [here, setHere] = useState(numbers[0] ?? 0);
  useEffect(() => {
    let timer = 0;
    const look = () => {
      timer = 0;
      const steps = [...document.querySelectorAll(".step")];
      const first = steps.find((step) => step.getBoundingClientRect().bottom > 160);
      if (first) setHere(Number(first.id.replace("prompt-", "")));
    };
    const scrolled = () => {
      timer ||= Number(setTimeout(look, 120));
    };
    addEventListener("scroll", scrolled, { passive: true });
    return () => {
      removeEventListener("scroll", scrolled);
      clearTimeout(timer);
    };
  }, []);
  return here;
}

type Made = Whole["observations"][number] | Whole["summaries"][number];
const isOfSession = (made: Made) => "scope" in made && made.scope === "session";

/** What was derived: each line leads to its source in the conversation, and to its trace. */
function Kept({ of, here }: { of: Whole; here: number }) {
  const concluded = new Set(of.observations.map(({ promptNumber }) => promptNumber));
  // A prompt is one line: its summary only where nothing else was concluded from it.
  const summaries = of.summaries.filter(
    (one) => !isOfSession(one) && !concluded.has(one.promptNumber),
  );
  const all: Made[] = [...of.observations, ...summaries];
  const isLong = all.length > allBeside;
  const near = isLong
    ? all.filter(({ promptNumber }) => Math.abs(promptNumber - here) <= around)
    : all;
  const session = of.summaries.filter(isOfSession);
  return (
    <>
      <h2>What memory keeps of it</h2>
      <p class="hint">
        {isLong
          ? `${counted(all.length, "record")}; those of the prompts you read are shown.`
          : "Each line leads to its source."}
      </p>
      {all.length === 0 && <p class="hint">Nothing was concluded from it yet.</p>}
      <ul class="lines made">
        {[...session, ...near.toSorted((a, b) => a.promptNumber - b.promptNumber)].map((one) => (
          <KeptLine key={one.id} made={one} />
        ))}
      </ul>
    </>
  );
}

function KeptLine({ made }: { made: Made }) {
  const isSummary = "scope" in made;
  const kind = isSummary ? "summary" : "observation";
  const text = isSummary ? made.completed || made.learned || made.request : made.title;
  return (
    <li data-entry tabIndex={-1}>
      <a class="kept" href={addressOf(kind, made.id)}>
        <span class={`fact ${isSummary ? "" : toneOf(made.type)}`}>
          {isSummary ? (isOfSession(made) ? "session" : "summary") : made.type}
        </span>{" "}
        <Title text={text} />
      </a>
      <div class="why">
        <span class="reason">
          {made.promptNumber > 0 && !isOfSession(made) && (
            <a href={`#prompt-${made.promptNumber}`}>prompt {made.promptNumber}</a>
          )}{" "}
          {timeOfDay(made.time)}
        </span>
        <MarkWords marks={marksOf(made)} />
      </div>
    </li>
  );
}

const toneOf = (type: string) => (type === "bugfix" ? "good" : type === "decision" ? "dec" : "");

// To which prompt of a session belongs what it was given, and what was removed. Pure.

/** A prompt as far as that asks for it. */
interface Asked {
  promptNumber: number;
  startedAt: number;
  pieces: ReadonlyArray<{ toolUseId?: string | undefined }>;
}

/** At the start of the session, and by the numbers of its prompts. */
interface GivenBy {
  atStart: ToldText[];
  told: Map<number, ToldText[]>;
  takenOut: Map<number, TakenOut[]>;
}

/** A prompt's context is written down at about the prompt's time; all else at its own, after the prompt that it belongs to. */
export function givenBy(
  turns: readonly Asked[],
  given: { told: readonly ToldText[]; takenOut: readonly TakenOut[] },
): GivenBy {
  const before = (time: number) =>
    turns.findLast(({ startedAt }) => startedAt <= time)?.promptNumber ?? 0;
  const nearest = (time: number) =>
    turns.toSorted(
      (one, other) => Math.abs(one.startedAt - time) - Math.abs(other.startedAt - time),
    )[0]?.promptNumber ?? 0;
  const byTool = new Map(
    turns.flatMap(({ promptNumber, pieces }) =>
      pieces.flatMap(({ toolUseId }) =>
        toolUseId === undefined ? [] : [[toolUseId, promptNumber] as const],
      ),
    ),
  );
  return {
    atStart: given.told.filter(({ event }) => event === "SessionStart"),
    told: Map.groupBy(
      given.told.filter(({ event }) => event !== "SessionStart"),
      ({ event, time }) => (event === "UserPromptSubmit" ? nearest(time) : before(time)),
    ),
    takenOut: Map.groupBy(
      given.takenOut,
      ({ toolUseId, keptAt }) => byTool.get(toolUseId) ?? before(keptAt),
    ),
  };
}
