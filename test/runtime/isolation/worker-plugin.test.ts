// What one plugin's worker answers to the host's messages, message by message.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoirPaths } from "../../../src/home/paths.ts";
import type { Said, ToWorker } from "../../../src/runtime/isolation/messages.ts";
import { createWorkerPlugin } from "../../../src/runtime/isolation/worker-plugin.ts";
import { publishSdk } from "../../../src/runtime/plugins/sdk-module.ts";
import { hookKinds } from "../../../src/sdk/hooks.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-worker-plugin-"));
  // So that the plugin can import valibot.
  await publishSdk(memoirPaths(folder));
});
afterAll(() => rm(folder, { recursive: true }));

let made = 0;
/** A worker of the plugin with this body; `of` gives what it said of one kind, once it is so much. */
async function worker(body: string, refuses: (said: Said) => boolean = () => false) {
  const source = join(folder, `plugin-${++made}.ts`);
  await writeFile(
    source,
    `import * as v from "valibot";\nexport default { name: "plugin", description: "d", sdk: 1, ${body} };\n`,
  );
  const said: Said[] = [];
  let spoken = Promise.withResolvers<void>();
  const say = (one: Said) => {
    if (refuses(one)) throw new TypeError("it cannot be cloned");
    said.push(one);
    spoken.resolve();
    spoken = Promise.withResolvers();
  };
  const hear = createWorkerPlugin(
    { type: "setup", token: "x", source, home: "/home/ada/.memoir", clockMs: 1_000_000 },
    { say, log: () => undefined },
  );
  async function until<One>(find: () => One[], count: number): Promise<One[]> {
    while (find().length < count) await spoken.promise;
    return find();
  }
  const all = <Type extends Said["type"]>(type: Type) =>
    said.filter((one) => one.type === type) as Array<Extract<Said, { type: Type }>>;
  const of = {
    asks: (count = 1) => until(() => all("ask"), count),
    /** Number and value of each answer. */
    done: (count = 1) =>
      until(
        () => all("answer").flatMap(({ id, value, error }) => (error ? [] : [[id, value]])),
        count,
      ),
    /** Number and words of each failure. */
    failed: (count = 1) =>
      until(
        () => all("answer").flatMap(({ id, error }) => (error ? [[id, error.message]] : [])),
        count,
      ),
  };
  return { hear: (...messages: ToWorker[]) => messages.forEach((one) => void hear(one)), of, said };
}
const ask = (id: number, what: string, ...input: unknown[]): ToWorker => ({
  type: "ask",
  id,
  what,
  input,
  during: 0,
});
const call = (id: number, hasNext = false, input: unknown = { n: id }) =>
  ask(id, "Stop", input, hasNext);
const answer = (id: number, value: unknown): ToWorker => ({ type: "answer", id, value });

test("a plugin is told as data: what it declares, where, and its options as a schema", async () => {
  const { hear, of } = await worker(`
    slot: ["observation", "summarization"], events: ["SessionEnd"], start() {},
    config: v.strictObject({ ms: v.optional(v.number(), 7) }),
    hooks: {
      Stop() {},
      PostToolUse: { handler() {}, order: "pre", filter: { tool: ["Bash"] }, deadlineMs: 40 },
      UserPromptSubmit: { handler() {}, deadlineMs: (config) => config.ms * 2 },
    }`);
  hear(ask(1, "describe"), ask(2, "check", {}), ask(3, "check", { ms: "many" }));
  const answers = Object.fromEntries((await of.done(3)) as Array<[number, unknown]>);
  const at = (line: number) => expect.stringMatching(new RegExp(`plugin-\\d+\\.ts:${line}$`));
  const options = { type: "object", properties: { ms: { type: "number", default: 7 } } };
  expect(answers[1]).toEqual({
    name: "plugin",
    description: "d",
    sdk: 1,
    slot: ["observation", "summarization"],
    events: ["SessionEnd"],
    hasStart: true,
    importMs: expect.any(Number),
    config: expect.objectContaining(options),
    hooks: [
      { hook: "Stop", order: "normal", place: at(6) },
      {
        hook: "PostToolUse",
        order: "pre",
        filter: { tool: ["Bash"] },
        deadlineMs: 40,
        place: at(7),
      },
      { hook: "UserPromptSubmit", order: "normal", deadlineMs: "config", place: at(8) },
    ],
  });
  expect(answers[2]).toEqual({
    problems: [],
    config: { ms: 7 },
    deadlines: { UserPromptSubmit: 14 },
  });
  expect(answers[3]).toMatchObject({
    problems: [{ message: expect.stringContaining("number") }],
    deadlines: {},
  });
});

test("options that cannot cross to the host are left out", async () => {
  const { hear, of } = await worker(
    "config: v.pipe(v.strictObject({}), v.transform(() => ({ now: () => 1 }))), hooks: {}",
  );
  hear(ask(1, "check", {}));
  expect(await of.done()).toEqual([[1, { problems: [], deadlines: {} }]]);
});

test("storage, a model and Endless Mode are asked with all that was given, in the name of the call", async () => {
  const endless = ["original", "keep", "kept", "note", "figures", "settled"];
  const { hear, of } = await worker(`
    async start(ctx) { void ctx.storage.get("at its start"); },
    hooks: { async Stop(_, ctx) {
      for (const name of ${JSON.stringify(endless)}) await ctx.endless[name]("a", 2);
      await ctx.complete({ system: "s" });
      return Object.keys(ctx.storage);
    } }`);
  hear(ask(1, "start", {}));
  await of.done();
  hear(call(7));
  for (let n = 1; n <= 8; n++) hear(answer((await of.asks(n)).at(-1)?.id ?? 0, n));
  expect((await of.asks()).map(({ during, what, input }) => [during, what, ...input])).toEqual([
    [0, "storage.get", "at its start"],
    ...endless.map((name) => [7, `endless.${name}`, "a", 2]),
    [7, "complete", { system: "s" }],
  ]);
  const verbs = Object.keys(hookKinds).filter((name) => name.startsWith("storage."));
  const [, [, storage]] = (await of.done(2)) as [unknown, [number, string[]]];
  expect(storage.map((verb) => `storage.${verb}`)).toEqual(verbs);
});

test("a call has the state and config of its start, the clock of the host and a frozen input", async () => {
  const { hear, of } = await worker(`
    start: (ctx) => ({ plugin: ctx.plugin, home: ctx.home }),
    hooks: { Stop: (input, ctx) => ({ ...ctx.state, frozen: Object.isFrozen(input), ahead: ctx.now() - Date.now() > 900_000, next: "next" in ctx }) }`);
  hear(ask(1, "start", {}));
  expect(await of.done()).toEqual([[1, undefined]]);
  hear(call(2), call(3, true));
  const value = { plugin: "plugin", home: "/home/ada/.memoir", frozen: true, ahead: true };
  expect((await of.done(3)).slice(1)).toEqual([
    [2, { ...value, next: false }],
    [3, { ...value, next: true }],
  ]);
});

test("eight questions are under way at once, the others wait in order, each for an answer of its own", async () => {
  const { hear, of, said } = await worker(`hooks: { Stop: (_, ctx) =>
    Promise.all(Array.from({ length: 10 }, (_, n) => ctx.storage.get({ ids: [String(n)] }))) }`);
  hear(call(7));
  const asked = async (count: number) => (await of.asks(count)).map(({ input: [query] }) => query);
  const query = (n: number) => ({ ids: [String(n)] });
  expect(await asked(8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map(query));
  expect(said[0]).toMatchObject({ type: "ask", during: 7, what: "storage.get" });
  hear(answer(5, "fifth"));
  expect((await asked(9)).slice(8)).toEqual([query(8)]);
  for (const id of [1, 2, 3, 4, 6, 7, 8, 9, 10]) hear(answer(id, id));
  expect(await of.done()).toEqual([[7, [1, 2, 3, 4, "fifth", 6, 7, 8, 9, 10]]]);
});

test("the rest of a hook is asked with what was changed, else with the input; it may be left alone", async () => {
  const { hear, of } = await worker(
    `hooks: { Stop: async (input, ctx) => (input.n === 3 ? void ctx.next() : ctx.next(input.n === 2 ? { changed: true } : undefined)) }`,
  );
  hear(call(1, true), call(2, true), call(3, true));
  const asks = await of.asks(3);
  expect(asks.map(({ during, what, input }) => [during, what, ...input])).toEqual([
    [1, "next", { n: 1 }],
    [2, "next", { changed: true }],
    [3, "next", { n: 3 }],
  ]);
  const error = { name: "Error", message: "too late" };
  for (const { id } of asks) hear({ type: "answer", id, error });
  expect(await of.failed(2)).toEqual([
    [1, "too late"],
    [2, "too late"],
  ]);
  expect(await of.done()).toEqual([[3, undefined]]);
});

test("a deadline ends its own call's signal, with its reason", async () => {
  const { hear, of, said } = await worker(`hooks: { Stop: (input, { signal, storage }) => {
    void storage.get({ ids: [] });
    return new Promise((done) => signal.addEventListener("abort", () => done([input.n, signal.reason.code])));
  } }`);
  hear(call(1), call(2));
  await of.asks(2);
  hear({ type: "abort", id: 2 }, { type: "abort", id: 9 });
  expect(await of.done()).toEqual([[2, [2, "plugin_deadline"]]]);
  expect(said).toHaveLength(3);
});

test.each<[string, string, string]>([
  ["a hook that the plugin has not", "hooks: {}", "no hook Stop"],
  ["a result that cannot be sent", "hooks: { Stop: () => () => 1 }", "function"],
  ["a result that is too large", 'hooks: { Stop: () => "x".repeat(9_000_000) }', "MB"],
])("%s fails its call", async (_, body, words) => {
  const { hear, of } = await worker(body);
  hear(call(1));
  expect(await of.failed()).toEqual([[1, expect.stringContaining(words)]]);
});

test("a question that cannot be sent fails, and takes nobody's place", async () => {
  const { hear, of } = await worker(
    `hooks: { Stop: async (_, ctx) => {
      for (let n = 0; n < 9; n++) await ctx.complete({}).catch(() => undefined);
      return ctx.storage.get({ ids: [] });
    } }`,
    (said) => said.type === "ask" && said.what === "complete",
  );
  hear(call(1));
  expect(await of.asks()).toMatchObject([{ what: "storage.get" }]);
});

test("stop is called with the state; a worker that is asked says that it lives", async () => {
  const { hear, of } = await worker(
    `hooks: {}, start: () => "its state", stop: (state) => { throw new Error("stopped with " + state); }`,
  );
  hear(ask(1, "start", {}));
  await of.done();
  hear(ask(2, "stop"), ask(3, "ping"));
  expect(await of.failed()).toEqual([[2, "stopped with its state"]]);
  const [, [, bytes]] = (await of.done(2)) as [unknown, [number, number]];
  expect(bytes).toBeGreaterThan(1_000_000);
});
