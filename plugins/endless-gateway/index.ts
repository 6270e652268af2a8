// Endless Mode in a running session: clears, injects and retires in its requests, decided once, so that the prompt cache holds.
import { definePlugin } from "../../src/sdk/index.ts";
import { type Clearing, createClearing } from "../../src/strategy/index.ts";
import { type Books, createBooks } from "./book.ts";
import { type Config, ConfigSchema } from "./config.ts";
import { rewriteRequest } from "./rewrite.ts";

// Lets work on one thing begin only when the work before on the same thing has ended.

/** Runs `work` after earlier work under the same key, however that ended. */
type Turnstile = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Keys that nobody works on are forgotten. */
function createTurnstile(): Turnstile {
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
  books: Books;
  clearing: Clearing;
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
    return {
      books: createBooks(ctx.endless),
      clearing: await createClearing(ctx),
      turnstile: createTurnstile(),
    };
  },
  hooks: {
    request: {
      deadlineMs,
      handler: (request, ctx) =>
        ctx.state.turnstile(request.session, async () =>
          rewriteRequest(request, {
            ctx,
            book: await ctx.state.books.of(request.session),
            clearing: ctx.state.clearing,
            signal: ctx.signal,
          }),
        ),
    },
    async responded({ session, project, refused }, { endless, state }) {
      if (!refused) return;
      await state.turnstile(session, () => state.books.withdraw(session));
      const reason = "the API refused a shortened request; the session goes out whole";
      await endless.note({ kind: "declined", session, ...(project && { project }), reason });
    },
    // The host has taken it out of the store by then; its sessions lose what they have in the cache.
    forgotten: (_, { state }) => state.books.reread(),
  },
});
