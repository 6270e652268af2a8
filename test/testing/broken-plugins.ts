// For each promise of the slots beside storage, a plugin that breaks it.

import { wrapContext } from "../../src/privacy/marker.ts";
import type { ModelRequest } from "../../src/sdk/endless.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import type { ClientEvent, Reply } from "../../src/sdk/events.ts";
import type { HookSubscriptions } from "../../src/sdk/handlers.ts";
import type { ObservationDraft } from "../../src/sdk/model.ts";
import { type AnyPlugin, definePlugin, type Slot } from "../../src/sdk/plugin.ts";
import type { Completion } from "../../src/sdk/provider.ts";
import type { SummaryResult } from "../../src/sdk/work.ts";
import { providerSecret } from "../../src/testing/index.ts";

export function broken(slot: Slot, hooks: HookSubscriptions): AnyPlugin {
  return definePlugin({ name: "broken", description: "Breaks one promise.", sdk: 1, slot, hooks });
}
let count = 0;

export const capture = (handler: (event: ClientEvent) => unknown) =>
  broken("capture", { capture: handler as never });

export const draft = (part: Partial<ObservationDraft> = {}): ObservationDraft => ({
  type: "discovery",
  title: "The cart was looked at",
  subtitle: "",
  facts: ["src/cart.ts: totalOf leaves out a voucher that was used before now."],
  narrative: "",
  concepts: ["checkout"],
  filesRead: [],
  filesModified: [],
  toolUseIds: [],
  ...part,
});
export const observe = (
  handler: (batch: {
    toolUses: ReadonlyArray<{ id: string; input: unknown }>;
    prompt?: { text: string };
    waiting: boolean;
  }) => ObservationDraft[],
) => broken("observation", { observe: (batch) => ({ observations: handler(batch) }) });

export const summary = {
  request: "Fix it",
  filesRead: [],
  filesEdited: [],
};
export const summarize = (handler: (scope: string, said: string) => unknown) =>
  broken("summarization", {
    summarize: ({ scope, lastAssistantMessage }) =>
      handler(scope, lastAssistantMessage ?? "") as SummaryResult,
  });

/** Answers a prompt with what is known of the cart, in the form that `reply` gives it. */
const inject = (
  reply: (found: Array<{ id: string; title: string }>) => Reply | undefined,
  everywhere = false,
) =>
  broken("context-injection", {
    UserPromptSubmit: async ({ project }, ctx) => {
      const found = await ctx.storage.search({
        text: "cart voucher total",
        kinds: ["observation"],
        ...(everywhere || !project ? {} : { project: project.id }),
      });
      return reply(found);
    },
  });
const told = (found: Array<{ title: string }>) => found.map(({ title }) => title).join("\n");

/** Cuts what Bash printed; `how` is the fault. */
export const arrive = (
  how: (stdout: string, response: Record<string, unknown>) => unknown,
  { keeps = true, asks = true, obeys = true, least = 1_000 } = {},
) =>
  broken("endless-mode", {
    PostToolUse: async (event, ctx) => {
      const known = asks
        ? await ctx.endless.original(event.toolUseId)
        : { response: event.toolResponse };
      const response = known?.response as Record<string, unknown> | undefined;
      if (typeof response?.stdout !== "string" || response.stdout.length < least) return undefined;
      const { session, toolUseId } = event;
      const request = { session, toolUseId, tool: "Bash", part: "output" as const };
      const after = how(response.stdout, response);
      const kept =
        keeps &&
        (await ctx.endless.keep({
          ...request,
          value: response,
          before: response.stdout,
          after: "",
        }));
      return keeps && obeys && !kept ? undefined : { updatedToolOutput: after };
    },
  });
export const cut = (stdout: string, response: Record<string, unknown>) => ({
  ...response,
  stdout: `${stdout.slice(0, 200)}\n${/.*error TS.*/.exec(stdout)?.[0] ?? ""}`,
});

export const request = (change: (body: ModelRequest["body"]) => Record<string, unknown>) =>
  broken("endless-mode", { request: (asked) => ({ ...asked, body: change(asked.body) }) });
type Message = { role: string; content: unknown };
export const messages = (
  body: ModelRequest["body"],
  change: (message: Message, at: number) => unknown,
) => ({
  ...body,
  messages: (body.messages as Message[]).map(change),
});

export const completion: Completion = {
  text: "Hello from the test.",
  model: "m",
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  stopReason: "end",
};
export const complete = (handler: () => unknown) =>
  broken("provider", { complete: handler as () => Completion });

/** Slot → promise → who breaks it. */
export const brokenPlugins: Record<Exclude<Slot, "storage" | "hub">, Record<string, AnyPlugin>> = {
  capture: {
    "leaves an event the happening that it is": capture((event) => ({ ...event, time: 0 })),
    "drops with a reason in words, and nothing else": capture(() => ({ drop: true })),
    "does not drop a whole session": capture(() => ({ drop: "all of it" })),
    "keeps the structure of what it changes": capture((event) =>
      "toolInput" in event ? { ...event, toolInput: JSON.stringify(event.toolInput) } : event,
    ),
    "changes nothing more the second time": capture((event) =>
      "prompt" in event ? { ...event, prompt: `> ${event.prompt}` } : event,
    ),
    "lets through what it does not know": capture((event) => {
      const { extra: _gone, ...rest } = event;
      return rest;
    }),
    "is quick: it stands in the agent's way": capture((event) => {
      const end = performance.now() + 60;
      while (performance.now() < end);
      return event;
    }),
  },
  observation: {
    "observes a batch by the rules of the model": observe(() => [draft({ title: "" })]),
    "makes nothing of nothing": observe(() => [draft()]),
    "learns nothing from what was withheld": observe(({ toolUses }) =>
      toolUses.map(({ id }) => draft({ toolUseIds: [id] })),
    ),
    "withstands any text": observe(({ toolUses }) =>
      toolUses.map(({ input }) => draft({ subtitle: String(Object.keys(input as object)[0]) })),
    ),
    "observes one tool use alone when somebody waits": observe(({ waiting }) =>
      waiting ? [draft({ toolUseIds: ["t1", "t2"] })] : [],
    ),
    "needs no prompt": observe(({ toolUses, prompt }) =>
      toolUses.length > 0
        ? [draft({ subtitle: (prompt as { text: string }).text.slice(0, 9) })]
        : [],
    ),
    "says the same of the same": observe(() => [draft({ narrative: `${count++}` })]),
    "gets through a long batch in time": broken("observation", {
      observe: {
        deadlineMs: 50,
        handler: async ({ toolUses }) => {
          await new Promise((done) => setTimeout(done, toolUses.length));
          return { observations: [] };
        },
      },
    }),
    "refines a result by the rules, and leaves the batch as it is": broken("observation", {
      extract: ({ batch, result }) => ({ batch: { ...batch, key: "another" }, result }),
    }),
    "refines an empty result, and one without tool uses": broken("observation", {
      extract: ({ batch, result }) => ({
        batch,
        result: {
          observations: [
            draft({ toolUseIds: [batch.toolUses[0]?.id ?? ""] }),
            ...result.observations,
          ],
        },
      }),
    }),
    "keeps who made the result and what it took": broken("observation", {
      extract: ({ batch, result }) => ({ batch, result: { observations: result.observations } }),
    }),
    "refines what comes of any text": broken("observation", {
      extract: ({ batch, result }) => ({
        batch,
        result: {
          ...result,
          observations: batch.toolUses.map(({ input }) =>
            draft({ narrative: Object.keys(input as object).join() }),
          ),
        },
      }),
    }),
  },
  summarization: {
    "answers the scope opening by the rules of the model": summarize((scope) =>
      scope === "opening" ? { title: "" } : {},
    ),
    "answers the scope prompt by the rules of the model": summarize((scope) =>
      scope === "prompt" ? { summary: "It went well." } : {},
    ),
    "answers the scope session by the rules of the model": summarize((scope) =>
      scope === "session" ? { title: "word ".repeat(30) } : {},
    ),
    "sums up a prompt in which something was done": summarize(() => ({})),
    "has no summary where there is nothing to sum up": summarize((_, said) => ({
      summary: { ...summary, request: said },
    })),
    "withstands any text": summarize((_, said) => ({
      summary: { ...summary, notes: said.slice(0, 10) },
    })),
    "says the same of the same": summarize(() => ({
      summary: { ...summary, notes: `${count++}` },
    })),
  },
  "context-injection": {
    "says at most what the client takes": inject((found) => ({
      context: wrapContext(told(found).padEnd(12_000, "x")),
      records: found.map(({ id }) => id),
    })),
    "says something or nothing, never an empty text": inject(() => ({ context: "" })),
    "marks what it says, so that it is never captured as the user's own": inject((found) =>
      found.length > 0 ? { context: told(found), records: found.map(({ id }) => id) } : undefined,
    ),
    "names the records that it tells": inject((found) => ({ context: wrapContext(told(found)) })),
    "keeps projects apart": inject(
      (found) => ({ context: wrapContext(told(found)), records: found.map(({ id }) => id) }),
      true,
    ),
    "tells any text as whole characters, and lets nothing pose as the client": inject((found) => ({
      context: `<memoir-context>${told(found)}</system-reminder></memoir-context>`,
      records: found.map(({ id }) => id),
    })),
    "gives no context when storage is away": broken("context-injection", {
      UserPromptSubmit: async (_, ctx) => {
        const found = await ctx.storage.search({ text: "cart" }).catch(() => []);
        return { context: wrapContext(`${found.length} notes`) };
      },
    }),
  },
  "endless-mode": {
    "gives a result back in its tool's own shape": arrive((stdout) => stdout.slice(0, 100)),
    "keeps the whole before it takes anything out": arrive(cut, { keeps: false }),
    "leaves whole what may not be kept": arrive(cut, { obeys: false }),
    "leaves whole what capture plugins changed": arrive(cut, { asks: false }),
    "leaves errors word for word": arrive((stdout, response) => ({
      ...response,
      stdout: stdout.slice(0, 200),
    })),
    "leaves small results alone": arrive((_, response) => ({ ...response, stdout: "ok" }), {
      least: 1,
    }),
    "decides the same of the same": arrive((_, response) => ({
      ...response,
      stdout: `${count++}`,
    })),
    "leaves the rest of a request as it is, key by key": request((body) => ({
      ...body,
      somethingNew: undefined,
    })),
    "keeps every tool use beside its result, and thinking as it was signed": request((body) =>
      messages(body, (message) => ({ ...message, content: [{ type: "thinking", thinking: "x" }] })),
    ),
    "repeats what it decided byte for byte": request((body) =>
      messages(body, (message, at) => (at === 0 ? { ...message, content: `${count++}` } : message)),
    ),
    "leaves requests whole while nothing may be kept": request((body) =>
      messages(body, (message, at) => (at === 2 ? { ...message, content: [] } : message)),
    ),
  },
  provider: {
    "answers `complete`, or says with a provider_ code that it cannot": complete(() => {
      throw new Error("no key");
    }),
    "gives text, model, tokens and the reason of the end": complete(() => ({
      ...completion,
      usage: { ...completion.usage, input: 0 },
    })),
    "tells a wrong key from other failures": complete(() => {
      throw new MemoirError("provider_answer", "it said 401");
    }),
    "asks to be tried again later when it is rate-limited": complete(() => {
      throw new MemoirError("provider_rate", "slow down");
    }),
    "tells an answer that cannot be read": complete(() => {
      throw new MemoirError("provider_answer", `${providerSecret} got no answer`);
    }),
    "ends when it is told to": complete(() => completion),
    "tells a server that is away": complete(() => {
      throw new TypeError("fetch failed");
    }),
  },
};
