// Endless Mode in a running session: clears, injects and retires in its requests, decided once, so that the prompt cache holds.
import {
  definePlugin,
  memoirCommand,
  type Settled,
  type StorageClient,
} from "../../src/sdk/index.ts";
import { createLearnt, type Learnt } from "../../src/strategy/index.ts";
import { dropOldest } from "../../src/text/index.ts";
import { type Book, openBook } from "./book.ts";
import { type Config, ConfigSchema } from "./config.ts";
import { createTrials, rewriteRequest, type Trials } from "./rewrite.ts";

// Which observations are there about which tool use: read from storage once for each session, then by each end that is announced.

const mostSessions = 200;
const mostObservations = 2_000;

type Observed = ReturnType<typeof createObserved>;

/** Knows nothing at first. */
export function createObserved() {
  const sessions = new Map<string, Map<string, string[]>>();
  return {
    /** Ids of observations by tool use. Rejects when storage does not answer. */
    async of(
      session: string,
      storage: StorageClient,
    ): Promise<ReadonlyMap<string, readonly string[]>> {
      const known = sessions.get(session);
      if (known) return known;
      const fresh = new Map<string, string[]>();
      // In place before the answer: an end that is announced meanwhile is not missed.
      sessions.set(session, fresh);
      dropOldest(sessions, mostSessions);
      try {
        const list = await storage.observations({ session, limit: mostObservations });
        for (const { id, toolUseIds } of list) for (const use of toolUseIds) add(fresh, use, [id]);
      } catch (error) {
        sessions.delete(session);
        throw error;
      }
      return fresh;
    },
    /** A tool use ended. */
    settled({ session, toolUseId, observations }: Settled): void {
      const known = sessions.get(session);
      if (known && observations.length > 0) add(known, toolUseId, observations);
    },
  };
}

function add(known: Map<string, string[]>, toolUseId: string, ids: readonly string[]): void {
  known.set(toolUseId, [...new Set([...(known.get(toolUseId) ?? []), ...ids])]);
}

// Lets work on one thing begin only when the work before on the same thing has ended.

/** Runs `work` after earlier work under the same key, however that ended. */
type Turnstile = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Keys that nobody works on are forgotten. */
export function createTurnstile(): Turnstile {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const own = before.then(work, work);
    last.set(key, own);
    const leave = () => {
      if (last.get(key) === own) last.delete(key);
    };
    own.then(leave, leave);
    return own;
  };
}

interface State {
  book: Book;
  command: string;
  observed: Observed;
  learnt: Learnt;
  trials: Trials;
  /** Requests of one session are decided one after the other. */
  turnstile: Turnstile;
}

/** Below the time after which a request goes on without us. */
const deadlineMs = 1_800;

export default definePlugin<Config, State>({
  name: "gateway",
  description:
    "Clears and retires in a running session's requests, on their way through memoir's gateway.",
  sdk: 1,
  slot: "endless-mode",
  config: ConfigSchema,
  async start(ctx) {
    const book = await openBook(`${ctx.home}/endless-gateway.db`, ctx.now(), ctx.log);
    return {
      book,
      command: await memoirCommand(ctx.home),
      observed: createObserved(),
      learnt: createLearnt(
        () => ctx.endless.figures(),
        () => ctx.now(),
      ),
      trials: createTrials(book.refusedInputs()),
      turnstile: createTurnstile(),
    };
  },
  hooks: {
    request: {
      deadlineMs,
      handler: (request, ctx) =>
        ctx.state.turnstile(request.session, () =>
          rewriteRequest(request, {
            ctx,
            book: ctx.state.book,
            command: ctx.state.command,
            learnt: ctx.state.learnt,
            trials: ctx.state.trials,
            observed: (session) => ctx.state.observed.of(session, ctx.storage),
            signal: ctx.signal,
          }),
        ),
    },
    responded({ session, agent = "", model, status, refused, usage }, { state, now, log }) {
      if (status !== 200) return;
      const back = state.trials.taken(session, refused === true);
      if (back.length > 0) {
        state.book.withdrawInputs(session, back, now());
        log.warn("inputs beside thinking were cleared, and the API refused that: they came back", {
          session,
          inputs: back.length,
        });
      }
      if (usage) state.book.answered({ session, agent, model, at: now(), usage });
    },
    settled(end, { state }) {
      state.observed.settled(end);
    },
    forgotten: (gone, { state }) => state.book.forget(gone),
  },
  stop: (state) => state?.book.close(),
});
