// What one plugin's worker answers to the host's messages, message by message.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Said, ToWorker } from "../../../src/runtime/isolation/wire.ts";
import { createWorkerPlugin } from "../../../src/runtime/isolation/worker-plugin.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-worker-plugin-"));
});
afterAll(() => rm(folder, { recursive: true }));

let made = 0;
/** A worker of the plugin with this body; `of` gives what it said of one kind, once it is so much. */
async function worker(body: string, refuses: (said: Said) => boolean = () => false) {
  const source = join(folder, `plugin-${++made}.ts`);
  await writeFile(
    source,
    `export default { name: "plugin", description: "d", sdk: 1, ${body} };\n`,
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
  async function of<Type extends Said["type"]>(type: Type, count = 1) {
    const found = () =>
      said.filter((one) => one.type === type) as Array<Extract<Said, { type: Type }>>;
    while (found().length < count) await spoken.promise;
    return found();
  }
  return { hear: (...messages: ToWorker[]) => messages.forEach((one) => void hear(one)), of, said };
}
const call = (id: number, hasNext = false, input: unknown = { n: id }) =>
  ({ type: "call", id, hook: "Stop", input, hasNext }) as ToWorker;

test("a call has the state and config of its start, the clock of the host and a frozen input", async () => {
  const { hear, of } = await worker(`
    start: (ctx) => ({ plugin: ctx.plugin, home: ctx.home }),
    hooks: { Stop: (input, ctx) => ({ ...ctx.state, frozen: Object.isFrozen(input), ahead: ctx.now() - Date.now() > 900_000, next: "next" in ctx }) }`);
  hear({ type: "start", id: 1, options: {} });
  expect(await of("done")).toEqual([{ type: "done", id: 1, value: undefined }]);
  hear(call(2), call(3, true));
  const value = { plugin: "plugin", home: "/home/ada/.memoir", frozen: true, ahead: true };
  expect((await of("done", 3)).slice(1)).toEqual([
    { type: "done", id: 2, value: { ...value, next: false } },
    { type: "done", id: 3, value: { ...value, next: true } },
  ]);
});

test("eight questions are under way at once, the others wait in order, each for an answer of its own", async () => {
  const { hear, of, said } = await worker(`hooks: { Stop: (_, ctx) =>
    Promise.all(Array.from({ length: 10 }, (_, n) => ctx.storage.get({ ids: [String(n)] }))) }`);
  hear(call(7));
  const asked = async (count: number) =>
    (await of("ask", count)).map(({ input: [query] }) => query);
  const query = (n: number) => ({ ids: [String(n)] });
  expect(await asked(8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map(query));
  expect(said[0]).toMatchObject({ type: "ask", call: 7, what: "storage.get" });
  hear({ type: "answer", ask: 5, value: "fifth" });
  expect((await asked(9)).slice(8)).toEqual([query(8)]);
  for (const ask of [1, 2, 3, 4, 6, 7, 8, 9, 10]) hear({ type: "answer", ask, value: ask });
  const [done] = await of("done");
  expect(done?.value).toEqual([1, 2, 3, 4, "fifth", 6, 7, 8, 9, 10]);
});

test("the rest of a hook is asked with what was changed, else with the input; it may be left alone", async () => {
  const { hear, of } = await worker(
    `hooks: { Stop: async (input, ctx) => (input.n === 3 ? void ctx.next() : ctx.next(input.n === 2 ? { changed: true } : undefined)) }`,
  );
  hear(call(1, true), call(2, true), call(3, true));
  const asks = await of("ask", 3);
  expect(asks.map(({ call: of, what, input }) => [of, what, ...input])).toEqual([
    [1, "next", { n: 1 }],
    [2, "next", { changed: true }],
    [3, "next", { n: 3 }],
  ]);
  const error = { name: "Error", message: "too late" };
  for (const { ask } of asks) hear({ type: "answer", ask, error });
  expect((await of("failed", 2)).map(({ id, error: told }) => [id, told.message])).toEqual([
    [1, "too late"],
    [2, "too late"],
  ]);
  expect((await of("done")).map(({ id }) => id)).toEqual([3]);
});

test("a deadline ends its own call's signal, with its reason", async () => {
  const { hear, of, said } = await worker(`hooks: { Stop: (input, { signal, storage }) => {
    void storage.get({ ids: [] });
    return new Promise((done) => signal.addEventListener("abort", () => done([input.n, signal.reason.code])));
  } }`);
  hear(call(1), call(2));
  await of("ask", 2);
  hear({ type: "abort", id: 2 }, { type: "abort", id: 9 });
  expect(await of("done")).toEqual([{ type: "done", id: 2, value: [2, "plugin_deadline"] }]);
  expect(said).toHaveLength(3);
});

test.each<[string, string, string]>([
  ["a hook that the plugin has not", "hooks: {}", "no hook Stop"],
  ["a result that cannot be sent", "hooks: { Stop: () => () => 1 }", "function"],
  ["a result that is too large", 'hooks: { Stop: () => "x".repeat(9_000_000) }', "MB"],
])("%s fails its call", async (_, body, words) => {
  const { hear, of } = await worker(body);
  hear(call(1));
  const [failed] = await of("failed");
  expect([failed?.id, failed?.error.message]).toEqual([1, expect.stringContaining(words)]);
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
  expect(await of("ask")).toMatchObject([{ what: "storage.get" }]);
});

test("stop is called with the state; a worker that is asked says that it lives", async () => {
  const { hear, of } = await worker(
    `hooks: {}, start: () => "its state", stop: (state) => { throw new Error("stopped with " + state); }`,
  );
  hear({ type: "start", id: 1, options: {} });
  await of("done");
  hear({ type: "stop", id: 2 }, { type: "ping", id: 3 });
  expect(await of("failed")).toMatchObject([
    { id: 2, error: { message: "stopped with its state" } },
  ]);
  const [pong] = await of("pong");
  expect([pong?.id, (pong?.heapBytes ?? 0) > 0]).toEqual([3, true]);
});
