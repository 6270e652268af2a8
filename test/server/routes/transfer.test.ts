// Routes that carry memory, read what was recorded, and change what is in force: what is asked of whom, in which order, and what an answer waits for.
import { expect, test } from "bun:test";
import type { Backfills } from "../../../src/backfill/job.ts";
import { createApp } from "../../../src/server/app.ts";
import { noon, sampleMemory, samplePrompt, sampleSession } from "../../../src/testing/samples.ts";
import { appOptions } from "../app-options.ts";
import type { FakeOptions } from "../fake-runtime.ts";
import { emptyStorage } from "../memory/transfer/storage.ts";

function open(fake: FakeOptions = {}, more: Partial<ReturnType<typeof appOptions>> = {}) {
  const options = { ...appOptions(fake), ...more };
  const app = createApp(options);
  const ask = async (method: string, path: string, body?: object) => {
    const response = await app.handle(
      new Request(`http://localhost${path}`, {
        method,
        ...(body && {
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  return { ask, runtime: options.runtime };
}

/** Routes over a real storage in memory. */
async function overStorage() {
  const { runtime, records } = await emptyStorage();
  const fake = appOptions().runtime;
  return { ...open({}, { runtime: { ...fake, ...runtime } }), records };
}
const line = (promptNumber: number) => ({
  line: promptNumber,
  text: JSON.stringify({ kind: "prompt", record: samplePrompt({ promptNumber }) }),
});

test("an import stores unless it is a dry run, and an export gives it back by the same filter page by page", async () => {
  const { ask, records } = await overStorage();
  const dry = await ask("POST", "/api/import", { lines: [line(1)], dryRun: true });
  expect([dry.status, dry.body.stored]).toEqual([200, { prompts: 1 }]);
  expect(await records.prompts({})).toEqual([]);
  await ask("POST", "/api/import", { lines: [line(1), line(2)] });
  expect(await records.prompts({})).toHaveLength(2);
  await records.put({ key: "s", records: { sessions: [sampleSession()] } });
  const first = await ask("POST", "/api/export", { since: noon });
  expect(first.body.records.map(({ kind }: { kind: string }) => kind)).toEqual([
    ...["prompt", "prompt", "session"],
  ]);
  expect(first.body.next).toBeNull();
  const cursor = { by: "changes", after: (await records.changes({})).position };
  const next = await ask("POST", "/api/export", { since: noon, cursor });
  expect(next.body).toEqual({ records: [], next: null });
  const later = await ask("POST", "/api/export", { since: noon + 1 });
  expect(later.body.records).toEqual([]);
});

test("what took a record's place goes along, whichever of the two lines comes first", async () => {
  const from = await overStorage();
  const said = (content: string) => sampleMemory({ content });
  await from.records.put({ key: "m", records: { memory: [said("Tabs"), said("Always tabs")] } });
  await from.records.amend({ id: "m1", merged: "m2" });
  const { body } = await from.ask("POST", "/api/export", {});
  const lines = body.records.map((one: object, at: number) => ({
    line: at + 1,
    text: JSON.stringify(one),
  }));
  for (const order of [lines, lines.toReversed()]) {
    const { ask, records } = await overStorage();
    for (const line of order) await ask("POST", "/api/import", { lines: [line] });
    const items = await records.memory({});
    const [kept] = items.filter(({ hidden }) => !hidden);
    expect(items.map(({ merged }) => merged).sort()).toEqual([kept?.id, undefined]);
  }
});

test("a backfill is begun, watched and stopped; the answer to a stop tells how it stands then", async () => {
  const progress = (state: "running" | "stopped") => ({
    ...{ state, startedAt: 1, endedAt: state === "stopped" ? 2 : null, failures: [] },
    ...{ sessions: { done: 0, total: 1 }, bytes: { done: 0, total: 1 }, unsettled: 0 },
    events: { committed: 0, delivered: 0, recovered: 0, dropped: 0 },
  });
  let now: ReturnType<typeof progress> | undefined;
  const begun: unknown[] = [];
  const backfills = {
    progress: () => now,
    start(body: unknown) {
      begun.push(body);
      now = progress("running");
      return now;
    },
    async stop() {
      await Promise.resolve();
      now = progress("stopped");
    },
  } as unknown as Backfills;
  const { ask } = open({}, { backfills });
  expect((await ask("GET", "/api/backfill")).body).toEqual({ progress: null });
  const body = { sessions: [], modelFree: true };
  const started = await ask("POST", "/api/backfill", body);
  expect([started.body.progress?.state, begun]).toEqual(["running", [body]]);
  expect((await ask("GET", "/api/backfill")).body.progress.state).toBe("running");
  expect((await ask("POST", "/api/backfill/stop")).body.progress.state).toBe("stopped");
});

test("the files that a backfill read are listed, of the backfill's own marks", async () => {
  const { ask, runtime } = open();
  const mark = { path: "/t/a.jsonl", bytes: 7, changedAt: 1, offset: 7, lines: 1 };
  runtime.transcripts.marks = ((reader: string) =>
    new Map(reader === "backfill" ? [[mark.path, mark]] : [])) as never;
  const { status, body } = await ask("GET", "/api/backfill/read");
  expect([status, body.files?.length ?? body]).toEqual([200, 1]);
});

test("a reload answers once plugins and what hangs on them are in force", async () => {
  const done: string[] = [];
  const { ask, runtime } = open(
    {},
    {
      async reloaded() {
        await Promise.resolve();
        done.push("deadlines");
      },
    },
  );
  runtime.reload = async () => {
    await Promise.resolve();
    done.push("plugins");
  };
  const { body } = await ask("POST", "/api/reload");
  expect([body, done]).toEqual([{ reloaded: true }, ["plugins", "deadlines"]]);
});

test("a drain has half a minute unless told, and of whom it names", async () => {
  const { ask, runtime } = open();
  await ask("POST", "/api/drain");
  await ask("POST", "/api/drain", { session: "s1", timeoutMs: 5 });
  expect(runtime.drains).toEqual([{ timeoutMs: 30_000 }, { session: "s1", timeoutMs: 5 }]);
});
