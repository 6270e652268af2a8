// What was asked of the server, as it comes in, and again when it is otherwise there.
import { useEffect, useRef, useState } from "preact/hooks";
import type { AskedOf, RoutesOf } from "../server/route-types.ts";
import type { Changed } from "../server/server.ts";
import { get, Refusal } from "./api.ts";
import { useChanges } from "./changes.ts";
import { useConnection } from "./connection.ts";
import { useUndo } from "./undo.ts";

/** One of: nothing yet, an answer, or what went wrong. The last answer stays while the next is on its way. */
interface Asked<Answer> {
  answer?: Answer;
  error?: unknown;
  /** The question that `answer` answers. */
  to?: string;
  waiting: boolean;
}

export interface AskedHow {
  /** How long a question waits that takes another's place: somebody may still be typing it. */
  delayMs?: number;
  /** How long the first question waits; without it none. */
  firstMs?: number;
  /** Whether a change is asked for at once; without it nothing is. What was shown stays until the new answer is there. */
  freshens?(changed: Changed): boolean;
  /** However much changes, it is asked for no more often than this. Default 1,000; more for what is dear to answer. */
  everyMs?: number;
}

/** Asks whenever `question` changes, when the server was away, and when something changed; what came too late is dropped. */
export function useAsked<Answer>(
  question: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
  { delayMs = 0, firstMs = 0, freshens, everyMs = 1_000 }: AskedHow = {},
): Asked<Answer> & { again(): void } {
  const [asked, setAsked] = useState<Asked<Answer>>({ waiting: true });
  const [round, setRound] = useState(0);
  const last = useRef<string>(undefined);
  const { returns } = useConnection();
  const { round: acted } = useUndo();
  const again = () => setRound((n) => n + 1);
  const { freshen, begun, ended } = useSeldom(again, everyMs);
  useChanges((changed) => {
    if (freshens && (changed.all || freshens(changed))) freshen();
  });
  useEffect(() => {
    const control = new AbortController();
    begun();
    setAsked((before) => ({ ...before, waiting: true }));
    const put = (next: (before: Asked<Answer>) => Asked<Answer>) => {
      if (control.signal.aborted) return;
      setAsked(next);
      ended();
    };
    const { current } = last;
    const wait = current === undefined ? firstMs : current === question ? 0 : delayMs;
    last.current = question;
    const timer = setTimeout(() => {
      ask(control.signal).then(
        (answer) => put(() => ({ answer, to: question, waiting: false })),
        (error) => put((before) => failed(before, question, error)),
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [question, round, returns, freshens && acted]);
  return { ...asked, again };
}

/** What stands beside a view's rows, and is dearer than they are, is asked for so long after them: the server answers one at a time. */
export const besideMs = 300;

type Routes = RoutesOf<"get">;

/** Asks one route; what it is asked is the question. */
export function useGet<const Path extends keyof Routes & string>(
  path: Path,
  asked: AskedOf<Routes[Path]>,
  how?: AskedHow,
) {
  return useAsked(`${path} ${JSON.stringify(asked)}`, (signal) => get(path, asked, signal), how);
}

/** For what follows from records: asked for again as they are stored, changed or deleted. */
export const byRecords: AskedHow = { freshens: ({ what }) => what.includes("records") };

/** What stands there stays when it was asked for anew: nobody answering makes it no less true, and what was typed below it must not go. */
function failed<Answer>(before: Asked<Answer>, to: string, error: unknown): Asked<Answer> {
  if (before.to !== to || before.answer === undefined) return { error, to, waiting: false };
  return { ...before, waiting: false, ...(error instanceof Refusal && { error }) };
}

/** Lets something be done again: not before the last time has ended, and not sooner than a while after it began. */
function useSeldom(act: () => void, everyMs: number) {
  const latest = useRef(act);
  latest.current = act;
  const [state] = useState(() => ({ at: 0, isBusy: false, isWanted: false, timer: 0 }));
  useEffect(() => () => clearTimeout(state.timer), []);
  function freshen(): void {
    state.isWanted = true;
    if (state.isBusy || state.timer !== 0) return;
    const wait = Math.max(0, state.at + everyMs - performance.now());
    state.timer = Number(setTimeout(() => latest.current(), wait));
  }
  return {
    freshen,
    begun() {
      clearTimeout(state.timer);
      Object.assign(state, { at: performance.now(), isBusy: true, isWanted: false, timer: 0 });
    },
    ended() {
      state.isBusy = false;
      if (state.isWanted) freshen();
    },
  };
}
