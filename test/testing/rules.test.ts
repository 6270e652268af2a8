// The rules within a promise: each one that is broken fails it in words that name the rule.
import { expect, test } from "bun:test";
import { MemoirError } from "../../src/sdk/errors.ts";
import type { AnyPlugin, Slot } from "../../src/sdk/plugin.ts";
import { type ProviderScript, providerSecret, suites } from "../../src/testing/index.ts";
import {
  arrive,
  broken,
  capture,
  complete,
  completion,
  cut,
  draft,
  messages,
  observe,
  request,
  summarize,
  summary,
} from "./broken-plugins.ts";

type Rule = [slot: Slot, promise: string, rule: RegExp, plugin: AnyPlugin];

/** An observer whose answer is `result`, whatever it is asked. */
const answers = (result: object) => broken("observation", { observe: () => result as never });
const batchRules = "observes a batch by the rules of the model";
const refines = "keeps who made the result and what it took";
/** An extractor that changes the result. */
const extracts = (change: object) =>
  broken("observation", {
    extract: ({ batch, result }) => ({ batch, result: { ...result, ...change } }),
  });
const session = "answers the scope session by the rules of the model";
const ofSession = (result: object) => summarize((scope) => (scope === "session" ? result : {}));
const failing = (error: unknown) =>
  complete(() => {
    throw error;
  });
const said = (part: object) => complete(() => ({ ...completion, ...part }));
const spent = (part: object) => said({ usage: { ...completion.usage, ...part } });
const whole = "gives text, model, tokens and the reason of the end";

const rules: Rule[] = [
  ["observation", batchRules, /an answer is \{ observations/, answers({ observations: "none" })],
  [
    "observation",
    batchRules,
    /names the tool use "t9", which is not of its batch/,
    observe(() => [draft({ toolUseIds: ["t9"] })]),
  ],
  [
    "observation",
    batchRules,
    /"t9" is said to be skipped, and is not of the batch/,
    answers({ observations: [], skipped: { t9: "routine" } }),
  ],
  [
    "observation",
    batchRules,
    /"t1" is skipped and observed at once/,
    answers({ observations: [draft({ toolUseIds: ["t1"] })], skipped: { t1: "routine" } }),
  ],
  [
    "observation",
    batchRules,
    /the reason for skipping "t1" is a text/,
    answers({ observations: [], skipped: { t1: 3 } }),
  ],
  [
    "observation",
    "makes nothing of nothing",
    /a batch without tool uses has nothing to observe/,
    observe(({ toolUses }) => (toolUses.length === 0 ? [draft({ toolUseIds: [] })] : [])),
  ],
  ["observation", refines, /`result\.model` is whose work it is/, extracts({ model: "other" })],
  ["observation", refines, /tokens that were spent stay counted/, extracts({ observerTokens: 9 })],
  [
    "summarization",
    session,
    /says nothing: leave `summary` out/,
    ofSession({ summary: { ...summary, request: " " } }),
  ],
  ["summarization", session, /the title is empty/, ofSession({ title: " " })],
  ["summarization", session, /a title has 3 to 24 words/, ofSession({ title: "one\ntwo three" })],
  ["summarization", session, /a title has 3 to 24 words/, ofSession({ title: "w ".repeat(25) })],
  [
    "summarization",
    session,
    /a subtitle has at most 20 words/,
    ofSession({ subtitle: "w ".repeat(41) }),
  ],
  [
    "capture",
    "drops with a reason in words, and nothing else",
    /the reason is empty/,
    capture(() => ({ drop: " " })),
  ],
  [
    "capture",
    "drops with a reason in words, and nothing else",
    /a drop is \{ drop: reason \}/,
    capture(() => ({ drop: "no", why: "because" })),
  ],
  ...(["id", "key", "client", "session", "name"] as const).map(
    (field): Rule => [
      "capture",
      "leaves an event the happening that it is",
      new RegExp(`: ${field} must stay as it is`),
      capture((event) => ({ ...event, [field]: "other" })),
    ],
  ),
  ["provider", whole, /it gave no answer|`text` is a text/, said({ text: 1 })],
  ["provider", whole, /`model` names who answered/, said({ model: "" })],
  ["provider", whole, /stopReason "done" is none of/, said({ stopReason: "done" })],
  ["provider", whole, /tokens of the answer are counted/, spent({ output: 0 })],
  ["provider", whole, /tokens of the request are counted/, spent({ input: 0 })],
  ["provider", whole, /usage\.cacheRead is a whole number/, spent({ cacheRead: undefined })],
  ["provider", whole, /usage\.cacheWrite is a whole number/, spent({ cacheWrite: -1 })],
  ["provider", whole, /usage\.output is a whole number/, spent({ output: 1.5 })],
  ["provider", whole, /Hello from the test/, said({ text: "Something else." })],
  [
    "provider",
    "tells a wrong key from other failures",
    /a wrong key is not tried again/,
    failing(new MemoirError("provider_auth", "no", { retryAfterMs: 5 })),
  ],
  [
    "provider",
    "tells an answer that cannot be read",
    /throw a MemoirError with a provider_ code/,
    failing(new MemoirError("internal", "no")),
  ],
  [
    "provider",
    "tells an answer that cannot be read",
    /the key stands in an error/,
    failing(new MemoirError("provider_answer", "no", { cause: new Error(providerSecret) })),
  ],
  [
    "provider",
    "tells an answer that cannot be read",
    /the key stands in the log/,
    broken("provider", {
      complete: (_, ctx) => {
        ctx.log.warn(`sent ${providerSecret}`);
        throw new MemoirError("provider_answer", "no");
      },
    }),
  ],
  [
    "provider",
    "tells a server that is away",
    /it answered where it had to fail/,
    complete(() => completion),
  ],
  [
    "endless-mode",
    "gives a result back in its tool's own shape",
    /the result of Bash grew/,
    arrive((stdout, response) => ({ ...response, stdout: `${stdout}!` })),
  ],
  [
    "endless-mode",
    "gives a result back in its tool's own shape",
    /the result of Bash holds half a character/,
    arrive((_, response) => ({ ...response, stdout: "🎈".slice(0, 1) })),
  ],
  [
    "endless-mode",
    "keeps the whole before it takes anything out",
    /what was kept is not what came/,
    broken("endless-mode", {
      PostToolUse: async ({ session: of, toolUseId }, ctx) => {
        const known = await ctx.endless.original(toolUseId);
        const response = known?.response as Record<string, unknown> | undefined;
        if (typeof response?.stdout !== "string") return undefined;
        const about = { session: of, toolUseId, tool: "Bash", part: "output" as const };
        await ctx.endless.keep({ ...about, value: "less", before: response.stdout, after: "" });
        return { updatedToolOutput: cut(response.stdout, response) };
      },
    }),
  ],
  [
    "endless-mode",
    "leaves the rest of a request as it is, key by key",
    /the order of keys changed/,
    request((body) =>
      Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => a.localeCompare(b))),
    ),
  ],
  [
    "endless-mode",
    "leaves the rest of a request as it is, key by key",
    /who asks must stay as it is/,
    broken("endless-mode", { request: (asked) => ({ ...asked, session: "other" }) }),
  ],
  [
    "endless-mode",
    "keeps every tool use beside its result, and thinking as it was signed",
    /a tool use lost its result/,
    request((body) =>
      messages(body, (message, at) => (at === 2 ? { ...message, content: "…" } : message)),
    ),
  ],
];

const servers = {
  provider: async () => ({
    config: {},
    answer: (_script: ProviderScript) => {},
    stop: async () => {},
  }),
};

test.each(rules)("%s: %s: %p", async (slot, promise, rule, plugin) => {
  const found = suites[slot].find(({ name }) => name === promise);
  if (!found) throw new Error(`no suite promises that it ${promise}`);
  const beside = slot === "provider" ? servers : {};
  const outcome = await found.run({ plugin, ...beside }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
  expect((outcome as Error).message).toMatch(rule);
});
