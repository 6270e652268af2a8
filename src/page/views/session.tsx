// One session: what was asked, done and answered, as it was said, and beside it what was made of it.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pieceNames } from "../../evidence/piece-names.ts";
import type { Answer } from "../../server/route-types.ts";
import { addressOf } from "../address.ts";
import { get } from "../api.ts";
import type { TakenOut, ToldText } from "../parts/given.tsx";
import { Given } from "../parts/given.tsx";
import { MarkWords } from "../parts/marks.tsx";
import { Near } from "../parts/near.tsx";
import { RecordActions } from "../parts/record-actions.tsx";
import { Said } from "../parts/said.tsx";
import { NotYet, Trouble } from "../parts/trouble.tsx";
import { useAsked } from "../use-asked.ts";
import { counted, timeOfDay, timeSpan } from "../words.ts";
import { marksOf } from "./sessions.tsx";

type Whole = Answer<"/api/sessions/:id">;
type Turn = Whole["turns"][number];

/** The view. */
export function SessionView({ id }: { id: string }) {
  const { answer, error, again } = useAsked(
    id,
    (signal) => get("/api/sessions/:id", { params: { id } }, signal),
    {
      freshens: ({ what, sessions }) =>
        what.includes("records") &&
        (sessions.length === 0 || sessions.some((one) => one.startsWith(id))),
    },
  );
  const title = answer?.session.title || "Session";
  useEffect(() => {
    document.title = `${title} · memoir`;
  }, [title]);
  const isThere = answer !== undefined;
  useEffect(() => {
    // The place that the address names was not there yet when the page was loaded.
    if (isThere) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isThere]);
  const rest = useRest(id, answer);
  const { answer: told } = useAsked(`told ${id}`, (signal) => askedTold(id, signal), {
    freshens: ({ what }) => what.includes("records"),
  });
  if (!answer) return <NotYet error={error} />;
  const { session } = answer;
  const whole = joined([answer, ...rest.pages]);
  const { turns, prompts } = whole;
  const given = told && givenBy(turns, told);
  const records = told?.records ?? [];
  return (
    <article>
      {error !== undefined && <Trouble error={error} />}
      <header class="head-of-view">
        <p class="head">
          <span class="kind">Session</span>
          <MarkWords marks={marksOf(session)} />
        </p>
        <h1>
          <Said inline text={title} />
        </h1>
        {session.subtitle !== "" && <Said text={session.subtitle} />}
        <p class="foot">
          <Said inline text={session.project.name} /> ·{" "}
          {timeSpan(session.startedAt, session.endedAt ?? session.lastActiveAt)} ·{" "}
          {counted(session.prompts, "prompt")} · {counted(session.observations, "observation")}
          {session.status === "active" && " · open"}
        </p>
        <RecordActions stored={{ kind: "session", record: session }} changed={again} />
        {given && <Given told={given.atStart} takenOut={[]} records={records} />}
      </header>
      {turns.length + prompts.length === 0 && (
        <p class="empty">Nothing was captured in this session yet.</p>
      )}
      <div class="steps">
        {blocksOf(numbersOf(whole)).map((numbers, at) => (
          <Near
            key={numbers[0]}
            height={numbers.length * aboutStep}
            isFirst={at === 0 || numbers.some((number) => location.hash === `#prompt-${number}`)}
          >
            {() =>
              numbers.map((number) => (
                <Step key={number} number={number} of={whole}>
                  {given && (
                    <Given
                      told={given.told.get(number) ?? []}
                      takenOut={given.takenOut.get(number) ?? []}
                      records={records}
                    />
                  )}
                </Step>
              ))
            }
          </Near>
        ))}
      </div>
      {rest.error !== undefined && <Trouble error={rest.error} />}
      {rest.more && (
        <p class="hint">
          The first {counted(turns.length, "prompt")} are shown.{" "}
          <button type="button" onClick={rest.more}>
            Show what follows
          </button>
        </p>
      )}
      <MadeOf title="Of the whole session" of={whole} at={(one) => isOfSession(one)} />
    </article>
  );
}

/** Endless Mode's file may be unreadable: then nothing is said of either. */
function askedTold(id: string, signal: AbortSignal) {
  return get("/api/sessions/:id/told", { params: { id } }, signal);
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
const inBlock = 10;
const aboutStep = 320;

function blocksOf(numbers: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(numbers.length / inBlock) }, (_, at) =>
    numbers.slice(at * inBlock, (at + 1) * inBlock),
  );
}

interface StepProps {
  number: number;
  of: Whole;
  /** What the session was given then. */
  children: ComponentChildren;
}

/** One prompt: left what was said and done, right what was made of it. */
function Step({ number, of, children }: StepProps) {
  const turn = of.turns.find(({ promptNumber }) => promptNumber === number);
  const prompt = of.prompts.find(({ promptNumber }) => promptNumber === number);
  return (
    <section class="step" id={`prompt-${number}`} aria-labelledby={`of-prompt-${number}`}>
      <h2 id={`of-prompt-${number}`}>
        <a href={`#prompt-${number}`}>{number === 0 ? "Before any prompt" : `Prompt ${number}`}</a>
        {turn && (
          <span class="foot">
            {" "}
            {timeOfDay(turn.startedAt)} ·{" "}
            {{ closed: "ended", interrupted: "stopped by you", open: "left open" }[turn.end]} ·{" "}
            <a href={addressOf("turn", turn.id)}>open</a>
          </span>
        )}
      </h2>
      {children}
      <div class="beside">
        <div>
          {turn ? <Pieces turn={turn} /> : prompt && <Piece name="you asked" text={prompt.text} />}
        </div>
        <MadeOf
          title="Made of it"
          of={of}
          at={(one) => one.promptNumber === number && !isOfSession(one)}
        />
      </div>
    </section>
  );
}

/** What was said and done, in order. */
export function Pieces({ turn }: { turn: Turn }) {
  const changed = turn.files.filter((file) => file.changed);
  const leftOut = Object.entries(turn.leftOut ?? {});
  return (
    <>
      {turn.pieces.map((piece, at) => (
        <Piece key={at} name={pieceNames[piece.kind]} {...piece} />
      ))}
      {changed.length > 0 && (
        <div class="piece">
          <h3>changed</h3>
          <ul class="files">
            {changed.map(({ path }) => (
              <li key={path}>
                <a href={`/search?file=${encodeURIComponent(path)}`}>
                  <Said inline text={path} />
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {leftOut.length > 0 && (
        <p class="hint">
          Not kept, because there were too many:{" "}
          {leftOut.map(([kind, count]) => `${count} of ${kind}`).join(", ")}
        </p>
      )}
    </>
  );
}

interface PieceProps {
  name: string;
  text: string;
  about?: string | undefined;
  described?: string | undefined;
  times?: number | undefined;
  shortened?: number | undefined;
  agent?: string | undefined;
}

/** Commands are shown as they were run, words as they were said. */
function Piece({ name, text, about, described, times, shortened, agent }: PieceProps) {
  const isYours = name.startsWith("you ");
  const isOutput = ["failed", "repaired", "passed", "ran"].includes(name);
  return (
    <div class={`piece ${isYours ? "yours" : ""} ${name === "failed" ? "failed" : ""}`}>
      <h3>
        {name}
        {agent !== undefined && (
          <>
            {" "}
            by <Said inline text={agent} />
          </>
        )}
        {times !== undefined && ` ${times} times`}
      </h3>
      {described !== undefined && <Said text={described} />}
      {about !== undefined && (
        <div class="command">
          <Said text={about} />
        </div>
      )}
      {text !== "" && (
        <div class={isOutput ? "output" : "words"}>
          <Said text={text} />
        </div>
      )}
      {shortened !== undefined && shortened > 0 && (
        <p class="hint">{counted(shortened, "character")} were not kept.</p>
      )}
    </div>
  );
}

type Made = Whole["observations"][number] | Whole["summaries"][number];
const isOfSession = (made: Made) => "scope" in made && made.scope === "session";

/** Observations and summaries, each of which leads to its own view. */
function MadeOf({ title, of, at }: { title: string; of: Whole; at(made: Made): boolean }) {
  const observations = of.observations.filter(at);
  const summaries = of.summaries.filter(at);
  if (observations.length + summaries.length === 0) return null;
  return (
    <aside class="made" aria-label={title}>
      <h3>{title}</h3>
      {observations.map((one) => (
        <a class="card" key={one.id} href={addressOf("observation", one.id)}>
          <span class="head">
            <span class={`kind ${one.type}`}>{one.type}</span>
            <MarkWords marks={marksOf(one)} />
          </span>
          <strong>
            <Said inline text={one.title} />
          </strong>
          {one.subtitle !== "" && <Said inline text={one.subtitle} />}
        </a>
      ))}
      {summaries.map((one) => (
        <a class="card" key={one.id} href={addressOf("summary", one.id)}>
          <span class="head">
            <span class="kind">Summary</span>
            <MarkWords marks={marksOf(one)} />
          </span>
          <Said inline text={one.completed || one.request || one.learned} />
        </a>
      ))}
    </aside>
  );
}

// To which prompt of a session belongs what was told, and what was taken out. Pure.

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
