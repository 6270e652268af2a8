// What plugins do beside their slots, in their workers: by the clock, with data of their own, with rules of redaction, in search and in exports.
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { redactText } from "../../../src/privacy/redact.ts";
import { redactEvent } from "../../../src/runtime/events/redact-event.ts";
import { pluginJobs } from "../../../src/runtime/schedules/scheduler.ts";
import { promptEvent } from "../../support/hooks.ts";
import { testRuntimes } from "../test-runtimes.ts";

const { start, config, home } = testRuntimes();

/** Writes a plugin into the home. */
async function drop(name: string, body: string): Promise<string> {
  const path = join(home(), "plugins", `${name}.ts`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(
    path,
    `export default {\n  name: "${name}", description: "d", sdk: 1,\n${body}\n};\n`,
  );
  return path;
}

const infoOf = (runtime: Awaited<ReturnType<typeof start>>["runtime"], name: string) =>
  runtime.hooks.subscriptions().filter(({ plugin }) => plugin === name);
const stateOf = async (runtime: Awaited<ReturnType<typeof start>>["runtime"], name: string) =>
  (await runtime.status()).plugins.find((plugin) => plugin.name === name);

/** A handler that is not late on a busy machine: only what hangs is held to a short deadline. */
const calmly = (handler: string) => `{ deadlineMs: 60_000, handler: ${handler} }`;

/** Resolves once the worker that was stuck is ended: a while after the deadline, on a busy machine a long one. */
async function workerEnded(log: Awaited<ReturnType<typeof start>>["log"]): Promise<void> {
  while (!JSON.stringify(log.lines).includes("a plugin's worker ended")) await Bun.sleep(20);
}

describe("a schedule", () => {
  test("is called by its name, with the plugin's state, and counted by itself", async () => {
    await drop(
      "clock",
      `  hooks: {},
  start: () => ({ greeting: "hello" }),
  schedules: {
    first: { every: "10 min", run: ({ dueAt }, ctx) => ctx.log.info(dueAt + ctx.state.greeting) },
    second: { at: "18:30", run: () => { throw new Error("boom"); } },
  },`,
    );
    const { runtime, log } = await start();
    const jobs = pluginJobs(runtime.parts);
    expect(jobs.map(({ id, when }) => [id, when])).toEqual([
      ["clock/first", { every: "10 min" }],
      ["clock/second", { at: "18:30" }],
    ]);
    await jobs[0]?.run(7);
    await jobs[1]?.run(8);
    expect(JSON.stringify(log.lines)).toContain("7hello");
    expect(runtime.parts.list()).toMatchObject([
      { part: "schedules.first", every: "10 min", calls: 1, failures: 0 },
      {
        part: "schedules.second",
        failures: 1,
        lastError: expect.stringMatching(/failed in schedules.second: boom \(.*clock\.ts:7/),
      },
    ]);
  });

  test("that throws each minute is paused, and its neighbours are not", async () => {
    await drop(
      "clock",
      `  hooks: {},
  schedules: {
    wrong: { every: "1 min", run: () => { throw new Error("boom"); } },
    fine: { every: "1 min", run() {} },
  },`,
    );
    const { runtime } = await start();
    const [wrong, fine] = pluginJobs(runtime.parts);
    for (let at = 0; at < 8; at++) {
      await wrong?.run(at);
      await fine?.run(at);
    }
    expect((await stateOf(runtime, "clock"))?.paused).toMatchObject([{ part: "schedules.wrong" }]);
    const [first, second] = runtime.parts.list();
    expect([first?.calls, second?.calls]).toEqual([5, 8]);
  });

  test("that hangs is ended at its deadline, and the next run works", async () => {
    await drop(
      "clock",
      `  hooks: {},
  schedules: {
    stuck: { every: "1 min", deadlineMs: 300, run: () => { while (true); } },
    fine: { every: "1 min", run() {} },
  },`,
    );
    const { runtime, log } = await start();
    const [stuck, fine] = pluginJobs(runtime.parts);
    // Its worker is there: else the deadline may be over before the call has begun.
    await fine?.run(0);
    await stuck?.run(1);
    await workerEnded(log);
    await fine?.run(2);
    const [first, second] = runtime.parts.list();
    expect(first?.lastError).toContain("schedules.stuck");
    expect([second?.calls, second?.failures]).toEqual([2, 0]);
  });
});

describe("data of its own", () => {
  test("is there in start, in handlers and in schedules, and after a reload", async () => {
    await drop(
      "keeper",
      `  data: { migrations: ["CREATE TABLE seen (n INTEGER)"], forget: {} },
  start: (ctx) => ctx.data.run("INSERT INTO seen VALUES (1)"),
  hooks: { Stop: ${calmly(`(_, ctx) => ({ context: String(ctx.data.all("SELECT * FROM seen").length) })`)} },`,
    );
    const { runtime } = await start();
    const stop = { ...promptEvent(), name: "Stop", stopHookActive: false } as never;
    expect(await runtime.hooks.sequence("Stop", stop)).toMatchObject([
      { result: { context: "1" } },
    ]);
    await drop(
      "keeper",
      `  data: { migrations: ["CREATE TABLE seen (n INTEGER)", "ALTER TABLE seen ADD COLUMN m"] },
  hooks: { Stop: ${calmly(`(_, ctx) => ({ context: JSON.stringify(ctx.data.get("SELECT * FROM seen")) })`)} },`,
    );
    await runtime.reload();
    expect(await runtime.hooks.sequence("Stop", stop)).toMatchObject([
      { result: { context: '{"n":1,"m":null}' } },
    ]);
  });

  test("whose migration fails names file and line, and the plugin goes on as it was", async () => {
    await drop(
      "keeper",
      `  data: { migrations: ["CREATE TABLE seen (n INTEGER)"] },
  hooks: { Stop: ${calmly(`() => ({ context: "old" })`)} },`,
    );
    const { runtime } = await start();
    const path = await drop(
      "keeper",
      `  data: {
    migrations: [
      "CREATE TABLE seen (n INTEGER)",
      "ALTER TABLE sen ADD COLUMN m",
    ],
  },
  hooks: { Stop: ${calmly(`() => ({ context: "new" })`)} },`,
    );
    await runtime.reload();
    expect((await stateOf(runtime, "keeper"))?.error).toContain(`${path}:6`);
    const stop = { ...promptEvent(), name: "Stop", stopHookActive: false } as never;
    expect(await runtime.hooks.sequence("Stop", stop)).toMatchObject([
      { result: { context: "old" } },
    ]);
  });

  test("that is not declared is refused in words", async () => {
    await drop(
      "keeper",
      `  hooks: { Stop: ${calmly(`(_, ctx) => void ctx.data.all("SELECT 1")`)} },`,
    );
    const { runtime } = await start();
    await runtime.hooks.sequence("Stop", { ...promptEvent(), name: "Stop" } as never);
    expect(infoOf(runtime, "keeper")[0]?.lastError).toContain("declares no data");
  });

  test("is not left locked by a worker that was ended in the midst of a transaction", async () => {
    await drop(
      "keeper",
      `  data: { migrations: ["CREATE TABLE seen (n INTEGER)"] },
  hooks: {
    Stop: ${calmly(`(_, ctx) => ({ context: String(ctx.data.run("INSERT INTO seen VALUES (1)").changes) })`)},
    SessionEnd: {
      deadlineMs: 300,
      handler: (_, ctx) => ctx.data.transaction(() => { ctx.data.run("INSERT INTO seen VALUES (2)"); while (true); }),
    },
  },`,
    );
    const { runtime, log } = await start();
    const stop = { ...promptEvent(), name: "Stop", stopHookActive: false } as never;
    // Its worker is there: else the deadline may be over before the call has begun.
    await runtime.hooks.sequence("Stop", stop);
    await runtime.hooks.sequence("SessionEnd", { ...promptEvent(), name: "SessionEnd" } as never);
    await workerEnded(log);
    expect(await runtime.hooks.sequence("Stop", stop)).toMatchObject([
      { result: { context: "1" } },
    ]);
  });
});

describe("a rule of redaction", () => {
  const rule = (pattern: string, more = "") =>
    `  hooks: {}, redactions: { "staff-id": { pattern: ${JSON.stringify(pattern)}, keyword: "Emp-", removes: ["ask EMP-12345"]${more} } },`;

  test("holds everywhere, also on the way to the spool, until its plugin is gone", async () => {
    const path = await drop("staff", rule("EMP-\\d{5}", ', keeps: ["EMP-12"]'));
    const { runtime } = await start();
    expect(redactText("tell EMP-54321 so").text).toBe("tell [redacted:staff-id] so");
    expect((await stateOf(runtime, "staff"))?.brings).toEqual(["redaction staff-id"]);
    const event = { ...promptEvent(), prompt: "tell EMP-54321 so" };
    expect(await redactEvent(event, home())).toMatchObject({
      prompt: "tell [redacted:staff-id] so",
    });
    await rm(path);
    await runtime.reload();
    expect(redactText("tell EMP-54321 so").count).toBe(0);
    expect(await redactEvent(event, home())).toMatchObject({ prompt: event.prompt });
  });

  test("of a plugin that cannot be loaded any more holds as it was, also after a restart", async () => {
    const path = await drop("staff", rule("EMP-\\d{5}"));
    const first = await start();
    await writeFile(path, "export default {");
    await first.runtime.reload();
    expect(redactText("tell EMP-54321 so").count).toBe(1);
    await first.runtime.stop();
    const second = await start();
    expect((await stateOf(second.runtime, "staff"))?.state).toBe("failed");
    expect(redactText("tell EMP-54321 so").count).toBe(1);
  });

  test("where the kept rules cannot be read, no text is spooled", async () => {
    await writeFile(join(home(), "plugin-rules.json"), "{");
    const event = { ...promptEvent(), prompt: "tell EMP-54321 so" };
    expect(JSON.stringify(await redactEvent(event, home()))).not.toContain("EMP-54321");
  });

  test("stands beside the user's own", async () => {
    await drop("staff", rule("EMP-\\d{5}"));
    await config({ privacy: { redact: { rules: { ship: "HMS-\\w+" } } } });
    await start();
    expect(redactText("EMP-12345 on HMS-Beagle").count).toBe(2);
    expect(JSON.parse(await readFile(join(home(), "plugin-rules.json"), "utf8"))).toMatchObject({
      "staff:staff-id": { pattern: "EMP-\\d{5}" },
    });
  });
});

test("a step in ranking gives the same results in another order, and nothing else", async () => {
  await drop(
    "last-first",
    `  hooks: { rank: ${calmly("({ query, results }) => ({ query, results: results.toReversed() })")} },`,
  );
  const { runtime } = await start();
  const results = [{ id: "o1" }, { id: "o2" }] as never;
  const ranked = await runtime.hooks.reduce("rank", { query: { text: "a" }, results });
  expect(ranked.value.results.map(({ id }) => id)).toEqual(["o2", "o1"]);
});

const steps: ReadonlyArray<readonly [what: string, body: string, said: string]> = [
  ["leaves one out", "results: results.slice(1)", "without 1 of 2 results"],
  ["makes one up", 'results: [...results, { id: "o9" }]', "with 1 results that were not found"],
  ["has one twice", "results: [...results, results[0]]", "with a result twice"],
  ["answers no list", 'results: "all"', "its answer does not fit rank"],
  ["answers results without ids", "results: [{}, {}]", "its answer does not fit rank"],
  ["throws", "results: results.map((one) => one.nope.nope)", "steps.ts:3"],
  ["never answers", "results: (() => { while (true); })()", "did not answer rank within"],
  ["answers 20 MB", 'results, query: { text: "x".repeat(2e7) }', "more than the 8 MB"],
];

test.each([...steps])("a step in ranking that %s changes nothing", async (_what, body, said) => {
  // Only who never answers is late, on the busiest machine too.
  const deadlineMs = said.startsWith("did not answer") ? 300 : 60_000;
  const rank = `({ query, results }) => ({ query, ${body} })`;
  await drop("steps", `  hooks: { rank: { deadlineMs: ${deadlineMs}, handler: ${rank} } },`);
  const { runtime } = await start();
  const results = [{ id: "o1" }, { id: "o2" }] as never;
  const ranked = await runtime.hooks.reduce("rank", { query: { text: "a" }, results });
  expect(ranked.value.results.map(({ id }) => id)).toEqual(["o1", "o2"]);
  expect(infoOf(runtime, "steps")[0]?.lastError).toContain(said);
});
