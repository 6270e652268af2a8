// When a plugin is passed over, for how long, and what a restart knows of it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  liftPauses,
  type Oversight,
  openOversight,
} from "../../../src/runtime/isolation/oversight.ts";
import { type ErrorCode, MemoirError } from "../../../src/sdk/errors.ts";
import { memoryLog } from "../../support/hooks.ts";

const minute = 60_000;
let folder: string;
let paths: { pauses: string; inFlight: string };
let now: number;
const opened: Oversight[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-pauses-"));
  paths = { pauses: join(folder, "paused.json"), inFlight: join(folder, "in-flight") };
  now = 1_000;
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(log = memoryLog()): Promise<Oversight> {
  const one = await openOversight(paths, log, () => now);
  opened.push(one);
  return one;
}
/** One server after another; before each, the last one ended in this way. */
async function afterEnds(...ends: Array<{ hook?: string; key?: string; certain?: boolean }>) {
  let last = await open();
  for (const { hook = "Stop", key = "", certain = false } of ends) {
    await last.close();
    const text = `mine\t${hook}\t${key}${certain ? "\texit" : ""}`;
    await writeFile(paths.inFlight, text.padEnd(192));
    last = await open();
  }
  return last;
}
function end(of: Oversight, code: ErrorCode | undefined, plugin = "mine", error = "e"): void {
  const done = of.guard(plugin).begin("Stop", "Stop", {});
  if (code) done({ error: new MemoirError(code, error, { plugin }), own: true });
  else done({ worked: true });
}
const why = (of: Oversight, part = "Stop", key?: string, plugin = "mine") =>
  of.guard(plugin).refuses(part, { key });

/** `t`: it threw, `l`: it was late, `s`: it worked, a number: so many minutes pass. */
type Steps = ReadonlyArray<"t" | "l" | "s" | number>;
const codes = { t: "plugin_failed", l: "plugin_deadline", s: undefined } as const;

test.each<[string, Steps, number]>([
  ["not after four throws", ["t", "t", "t", "t"], 0],
  ["after five", ["t", "t", "t", "t", "t"], 1],
  ["not after two late calls", ["l", "l"], 0],
  ["after three", ["l", "l", "l"], 1],
  ["not when one in between worked", ["t", "t", "t", "t", "s", "t", "t", "t", "t"], 0],
  ["not longer by calls that were under way", ["l", "l", "l", "l", "l", "l", "l"], 1],
  ["no more when it is over", ["l", "l", "l", 1], 0],
  ["ten times as long when the next try fails", ["l", "l", "l", 2, "t"], 10],
  ["then an hour", ["l", "l", "l", 2, "t", 11, "t"], 60],
  ["and an hour again", ["l", "l", "l", 2, "t", 11, "t", 61, "t"], 60],
  ["longer also after a call that worked", ["l", "l", "l", 2, "s", "l", "l", "l"], 10],
  [
    "short again after twenty",
    ["l", "l", "l", 2, ...Array.from({ length: 20 }, () => "s" as const), "l", "l", "l"],
    1,
  ],
])("a plugin is paused: %s", async (_, steps, minutes) => {
  const one = await open();
  for (const step of steps) {
    if (typeof step === "number") now += step * minute;
    else end(one, codes[step]);
  }
  expect(((one.pauses("mine")[0]?.until ?? now) - now) / minute).toBe(minutes);
});

test("a part is passed over, with its reason; other parts and plugins are not", async () => {
  const log = memoryLog();
  const one = await open(log);
  for (const n of [0, 1, 2]) end(one, "plugin_deadline", "mine", `fault ${n}`);
  expect(why(one)).toMatchObject({
    code: "plugin_paused",
    plugin: "mine",
    hook: "Stop",
    retryAfterMs: 60_000,
    message: "plugin mine is paused for another 60 s: fault 2",
  });
  expect([why(one, "stored"), why(one, "Stop", "", "other")]).toEqual([undefined, undefined]);
  expect(one.pauses("mine")).toEqual([
    { part: "Stop", hook: "Stop", error: "fault 2", at: 1_000, until: 61_000 },
  ]);
  expect(log.lines.map(({ message }) => message)).toEqual(["a plugin is paused"]);
  now = 61_000;
  expect([why(one), one.pauses("mine")]).toEqual([undefined, []]);
});

test("a restart forgets no pause; what somebody lifts is over at the next look, and only that", async () => {
  const first = await open();
  for (const plugin of ["mine", "other"])
    for (let n = 0; n < 3; n++) end(first, "plugin_deadline", plugin);
  await first.close();
  const next = await open();
  expect([next.pauses("mine").length, next.pauses("other").length]).toEqual([1, 1]);
  expect(await liftPauses(paths.pauses, "mine")).toBe(true);
  expect(await liftPauses(paths.pauses, "mine")).toBe(false);
  await next.reread();
  expect([why(next), why(next, "Stop", "", "other")?.code]).toEqual([undefined, "plugin_paused"]);
  await next.close();
  expect(Object.keys(JSON.parse(await readFile(paths.pauses, "utf8")))).toEqual(["other"]);
});

test("a file that cannot be read counts as empty", async () => {
  for (const text of ["{", '{"mine":{"parts":{"Stop":{}}}}', "[]", '"x"']) {
    await writeFile(paths.pauses, text);
    expect((await open()).pauses("mine")).toEqual([]);
  }
});

test.each(["__proto__", "constructor", "toString"])(
  "a plugin called %s is one like any other",
  async (name) => {
    const one = await open();
    expect(why(one, name, "", name)).toBeUndefined();
    end(one, undefined, name);
    expect(one.pauses(name)).toEqual([]);
  },
);

describe("an unclean end", () => {
  test("is forgiven once; what was being worked on is not given again, also after a restart", async () => {
    for (const one of [await afterEnds({ key: "k1" }), await afterEnds()]) {
      expect(why(one)).toBeUndefined();
      expect(why(one, "Stop", "k1")?.message).toContain("the server ended while it had it");
      expect(why(one, "Stop", "k2")).toBeUndefined();
      await one.close();
    }
  });

  test.each([
    [
      "the second pauses all of it",
      [{}, { hook: "stored" }],
      "the server ended while it was in stored",
    ],
    [
      "one that it brought about pauses it at once",
      [{ certain: true }],
      "it ended the server in Stop",
    ],
  ])("%s", async (_, ends, words) => {
    const one = await afterEnds(...ends);
    expect(why(one, "capture")?.message).toContain(words);
    expect(one.pauses("mine")).toMatchObject([{ part: "everything" }]);
  });

  test.each([
    [200, false],
    [199, true],
  ])("after %p calls that worked, the next one pauses it: %p", async (calls, isPaused) => {
    const one = await afterEnds({});
    for (let n = 0; n < calls; n++) end(one, undefined);
    await one.close();
    expect(why(await afterEnds({})) !== undefined).toBe(isPaused);
  });

  test("keeps the last of what was being worked on, each once", async () => {
    const keys = Array.from({ length: 25 }, (_, n) => ({ key: `k${n}` }));
    const one = await afterEnds(...keys, { key: "k24" });
    now += 2 * 60 * minute;
    expect([4, 5, 24].map((n) => why(one, "Stop", `k${n}`) !== undefined)).toEqual([
      ...[false, true, true],
    ]);
  });

  test("names a plugin that was starting", async () => {
    (await open()).starts("mine");
    const one = await open();
    expect(JSON.parse(await readFile(paths.pauses, "utf8"))).toMatchObject({ mine: { kills: 1 } });
    expect(one.pauses("mine")).toEqual([]);
  });

  test("blames nobody whose calls are over, also of more than there is room for", async () => {
    const before = await open();
    for (let round = 0; round < 3; round++) {
      const ends = Array.from({ length: 40 }, (_, n) =>
        before.guard(`plugin-${n}`).begin("Stop", "Stop", {}),
      );
      for (const done of ends) done({ worked: true });
    }
    before.guard("last").begin("stored", "stored", { key: "k" });
    await open();
    expect(JSON.parse(await readFile(paths.pauses, "utf8"))).toEqual({
      last: { parts: {}, kills: 1, poison: ["k"] },
    });
  });
});
