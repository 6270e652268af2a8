// How a recorded session is handed over: in pieces, worked off between them, counted in bytes, and left where it was stopped.
import { expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { feedSession } from "../../src/backfill/feed-session.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { inFolder } from "../support/in-folder.ts";
import { busySession, type RecordedLines, recordedSession } from "../support/recorded-session.ts";
import { type NotedRecoverer, notedRecoverer } from "./fake-recoverer.ts";

type FeedOptions = Parameters<typeof feedSession>[1];

const start = Date.parse("2025-03-01T10:00:00Z");
const long = start + 24 * 3_600_000;

async function fed(
  recorded: readonly RecordedLines[],
  runtime: NotedRecoverer,
  more: Partial<FeedOptions> = {},
) {
  return inFolder(async (folder) => {
    for (const one of recorded) await one.write(folder);
    return feedFolder(folder, runtime, more);
  });
}

async function feedFolder(
  folder: string,
  runtime: NotedRecoverer,
  more: Partial<FeedOptions> = {},
) {
  const [files] = (await discoverTranscripts(folder)).sessions;
  if (!files) throw new Error("no session");
  let bytes = 0;
  const result = await feedSession(files, {
    runtime,
    reader: "backfill",
    modelFree: true,
    now: () => long,
    home: "/home",
    onBytes: (read) => {
      bytes += read;
    },
    ...more,
  });
  return { ...result, bytes, files };
}

function manyUses(count: number, size = 1): RecordedLines {
  const recorded = recordedSession("s1", "/gone/shop");
  recorded.prompt("Run them all", start);
  for (let at = 0; at < count; at++)
    recorded.run(`make part-${at}`, "x".repeat(size), start + 1_000 + at * 1_000);
  return recorded;
}

test("events are handed over fifty at a time, and at each end of a prompt", async () => {
  const runtime = notedRecoverer();
  const { counts } = await fed([manyUses(120)], runtime);
  const pieces = runtime.calls.filter((call) => call.startsWith("recover"));
  expect(pieces.slice(0, 2)).toEqual(["recover 50", "recover 50"]);
  expect(counts.committed).toBe(runtime.events.length);
  expect(runtime.events.filter(({ name }) => name === "PostToolUse")).toHaveLength(120);
  const two = notedRecoverer();
  await fed([busySession("s1", "/gone/shop", start, 2)], two);
  expect(two.calls.filter((call) => call.startsWith("recover"))).toEqual([
    ...["recover 6", "recover 1", "recover 5", "recover 1", "recover 1"],
  ]);
});

test("long results fill a piece sooner, and are worked off before more is read", async () => {
  const runtime = notedRecoverer();
  await fed([manyUses(100, 70_000)], runtime);
  const { calls } = runtime;
  const pieces = calls.filter((call) => call.startsWith("recover"));
  expect(Math.max(...pieces.map((call) => Number(call.split(" ")[1])))).toBeLessThan(20);
  const drains = calls.flatMap((call, at) => (call === "drain s1" ? [at] : []));
  expect(drains).toHaveLength(1);
  expect(calls.slice(drains[0]).some((call) => call.startsWith("recover"))).toBe(true);
  const short = notedRecoverer();
  await fed([manyUses(100)], short);
  expect(short.calls).not.toContain("drain s1");
});

test("a session is worked on once for each piece that brought something, closed, marked and let go", async () => {
  const runtime = notedRecoverer();
  await fed([busySession("s1", "/gone/shop", start, 1)], runtime);
  expect(runtime.calls).toEqual([
    "recover 6",
    "workOn s1",
    "recover 1",
    "workOn s1",
    "recover 1",
    "workOn s1",
    "drain s1 closing",
    "mark 1",
    "release s1",
  ]);
});

test("a session that hooks told of whole is neither worked on nor waited for nor ended again", async () => {
  const runtime = notedRecoverer({ recover: async (events) => events.map(() => "delivered") });
  const { counts, settled } = await fed([busySession("s1", "/gone/shop", start, 2)], runtime);
  expect(settled).toBe(true);
  expect(counts.committed).toBe(0);
  expect(runtime.events.map(({ name }) => name)).not.toContain("Stop");
  expect(runtime.events.map(({ name }) => name)).not.toContain("SessionEnd");
  expect(runtime.calls.some((call) => /^(workOn|drain)/.test(call))).toBe(false);
  expect(runtime.calls.slice(-2)).toEqual(["mark 1", "release s1"]);
});

test("what was taken in before a crash is waited for, but needs no new work", async () => {
  const runtime = notedRecoverer({ recover: async (events) => events.map(() => "recovered") });
  const { counts } = await fed([busySession("s1", "/gone/shop", start, 1)], runtime);
  expect(counts.recovered).toBe(runtime.events.length);
  expect(runtime.calls.some((call) => call.startsWith("workOn"))).toBe(false);
  expect(runtime.calls).toContain("drain s1 closing");
});

test("only the prompts in which hooks missed something are ended", async () => {
  const runtime = notedRecoverer({
    recover: async (events) =>
      events.map(({ time }) => (time < start + 60_000 ? "delivered" : "committed")),
  });
  await fed([busySession("s1", "/gone/shop", start, 3)], runtime);
  const stops = runtime.events.filter(({ name }) => name === "Stop");
  expect(stops.map(({ time }) => Math.floor((time - start) / 60_000))).toEqual([1, 2]);
  expect(runtime.events.at(-1)?.name).toBe("SessionEnd");
});

test("the bytes told come to the bytes of the files, a subagent's among them", async () => {
  const agent = recordedSession("s1", "/gone/shop", "a7");
  agent.prompt("Look", start + 2_000);
  agent.say("Nothing.", start + 2_500);
  const main = busySession("s1", "/gone/shop", start, 2);
  const { bytes, files } = await fed([main, agent], notedRecoverer());
  expect(files.agents).toHaveLength(1);
  expect(bytes).toBe(files.bytes);
});

test("what a subagent did comes where it began, between what its session did", async () => {
  const agents = ["a1", "a2"].map((name, at) => {
    const agent = recordedSession("s1", "/gone/shop", name);
    // The one whose name comes first began last.
    agent.prompt("Look", start + (at === 0 ? 70_000 : 10_000));
    agent.run(`look ${name}`, "seen", start + (at === 0 ? 70_500 : 10_500));
    return agent;
  });
  const runtime = notedRecoverer();
  await fed([busySession("s1", "/gone/shop", start, 3), ...agents], runtime);
  const order = runtime.events.flatMap(({ name, agent, time }) =>
    name === "UserPromptSubmit"
      ? [`prompt ${(time - start) / 60_000}`]
      : name === "PostToolUse" && agent
        ? [agent.id]
        : [],
  );
  expect(order).toEqual(["prompt 0", "a2", "prompt 1", "a1", "prompt 2"]);
});

test("a line that is not whole JSON costs that line alone", () =>
  inFolder(async (folder) => {
    const path = await busySession("s1", "/gone/shop", start, 1).write(folder);
    const text = await Bun.file(path).text();
    const lines = text.trimEnd().split("\n");
    await Bun.write(path, [lines[0], "{ broken", ...lines.slice(1)].join("\n"));
    const whole = notedRecoverer();
    await fed([busySession("s1", "/gone/shop", start, 1)], whole);
    const broken = notedRecoverer();
    await feedFolder(folder, broken);
    expect(broken.events.map(({ name }) => name)).toEqual(whole.events.map(({ name }) => name));
  }));

test("a prompt in another folder waits until the folder before is worked off", async () => {
  await inFolder(async (folder) => {
    const shop = recordedSession("s1", folder);
    shop.prompt("Here", start);
    shop.run("make", "ok", start + 1_000);
    const elsewhere = recordedSession("s1", "/gone/blog");
    elsewhere.prompt("There", start + 60_000);
    elsewhere.run("make", "ok", start + 61_000);
    shop.lines.push(...elsewhere.lines.map((line, at) => ({ ...line, uuid: `other-${at}` })));
    const runtime = notedRecoverer();
    await fed([shop], runtime);
    expect(runtime.calls).toContain("drain s1");
    expect([...new Set(runtime.events.map(({ cwd }) => cwd))]).toEqual([folder, "/gone/blog"]);
    expect(runtime.events.every(({ recovered }) => recovered?.modelFree === true)).toBe(true);
  });
});

test("memoir's own folder is refused, one whose name begins alike is not", async () => {
  const told = async (cwd: string) => {
    const runtime = notedRecoverer();
    await fed([busySession("s1", cwd, start, 1)], runtime);
    return runtime.events.length > 0;
  };
  expect([await told("/home"), await told("/home/x"), await told("/homestead")]).toEqual([
    false,
    false,
    true,
  ]);
});

test("stopped while work is awaited, it leaves no mark and the reason is given", async () => {
  const stopping = new AbortController();
  const runtime = notedRecoverer({
    drain: () => {
      stopping.abort(new Error("the server stops"));
      return new Promise(() => {});
    },
  });
  const feeding = fed([busySession("s1", "/gone/shop", start, 1)], runtime, {
    signal: stopping.signal,
  });
  await expect(feeding).rejects.toThrow("the server stops");
  expect(runtime.left.size).toBe(0);
  const before = notedRecoverer();
  const signal = AbortSignal.abort(new Error("too late"));
  await expect(
    fed([busySession("s1", "/gone/shop", start, 1)], before, { signal }),
  ).rejects.toThrow("too late");
  expect(before.events).toEqual([]);
});

test("work that fails is the feeding's failure", async () => {
  const runtime = notedRecoverer({ drain: () => Promise.reject(new Error("no journal")) });
  const { signal } = new AbortController();
  const feeding = fed([busySession("s1", "/gone/shop", start, 1)], runtime, { signal });
  await expect(feeding).rejects.toThrow("no journal");
});

test("a file that grew is read from its last prompt; a changed subagent is read again, the others are not", () =>
  inFolder(async (folder) => {
    const agents = [1, 2].map((at) => {
      const agent = recordedSession("s1", "/gone/shop", `a${at}`);
      agent.prompt("Look", start + at * 1_000);
      agent.run(`look ${at}`, "seen", start + at * 1_000 + 100);
      return agent;
    });
    const main = busySession("s1", "/gone/shop", start, 2);
    const path = await main.write(folder);
    for (const agent of agents) await agent.write(folder);
    const runtime = notedRecoverer();
    await feedFolder(folder, runtime);
    const all = runtime.events.length;
    await feedFolder(folder, runtime);
    expect(runtime.events).toHaveLength(all);
    const grown = busySession("s1", "/gone/shop", start, 3);
    const added = grown.lines.slice(main.lines.length);
    await appendFile(path, added.map((line) => `${JSON.stringify(line)}\n`).join(""));
    agents[1]?.run("look 3", "seen", start + 3_000);
    await agents[1]?.write(folder);
    await feedFolder(folder, runtime);
    const again = runtime.events.slice(all);
    expect(
      again.flatMap(({ agent, name }) => (agent && name === "PostToolUse" ? agent.id : [])),
    ).toEqual(["a2", "a2"]);
    const asked = again.filter(({ name }) => name === "UserPromptSubmit").map(({ time }) => time);
    expect(asked).toEqual([start + 60_000, start + 120_000]);
  }));
