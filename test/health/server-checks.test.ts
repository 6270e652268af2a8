// What the doctor makes of a server's status: what is well, what to look at, what is broken, and what to do about it.
import { expect, test } from "bun:test";
import { checkStatus } from "../../src/health/server-checks.ts";
import { version } from "../../src/home/version.ts";
import type { SubscriptionInfo } from "../../src/runtime/ports.ts";
import type { ServerStatus } from "../../src/server/schemas/status.ts";
import { quietStatus } from "../support/quiet-status.ts";

const minute = 60_000;
const now = 100 * minute;

/** The checks of one name, each in one text. */
function said(name: string, change: Partial<ServerStatus>): string[] {
  return checkStatus({ ...quietStatus, version, ...change }, now)
    .filter((check) => check.name === name)
    .map(({ state, message }) => `${state} ${message}`);
}
const journal = (part: object) => ({ journal: { ...quietStatus.journal, ...part } as never });
const storage = (part: object) => ({ storage: { ...quietStatus.storage, ...part } as never });
const sqlite = quietStatus.plugins[0] as ServerStatus["plugins"][number];
const heard: SubscriptionInfo = {
  ...{ plugin: "sqlite", hook: "stored", kind: "parallel", order: "normal", deadlineMs: 5 },
  ...{ calls: 4, failures: 1, p50: null, p99: null, lastError: "sqlite failed in stored: boom" },
};

const kept = { contents: 1, references: 2, characters: 9_000, bytes: 1_000, oldestAt: 0 };
const damaged = ["/h/endless.db.damaged-1"];
const gateway = (part: object = {}) => ({
  gateway: {
    ...{ enabled: true, listening: true, port: 8_787, upstream: "https://api.example" },
    ...{ requests: 9, rewritten: 1, unsure: 0, failed: 0, whole: 0, unreached: 0, refused: 0 },
    ...{ sessions: 0, ...part },
  },
});
const sync = (part: object = {}) => ({
  sync: { lastAt: now - 2 * minute, trouble: null, wrong: [], ...part },
});
const budget = { dailyTokens: 1_000, sessionTokens: 9, day: "2026-11-21", usedToday: 10 };
const error = {
  code: "provider_auth",
  message: "a (m) did not accept the key.",
  fix: "Store one.",
};
const broken = { name: "a", state: "paused" as const, error };
const good = { name: "b", state: "works" as const };
const paused = (ms: number, part = "Stop") => ({
  plugins: [
    { ...sqlite, paused: [{ part, hook: "Stop", error: "slow", at: 0, until: now + ms }] },
    { ...sqlite, name: "heuristic", standby: ["observation" as const] },
  ],
});
const again = "slow; at once: `memoir plugin enable sqlite`";

// What the golden file beside the doctor does not show: the edges of each check.
test.each<[string, string, Partial<ServerStatus>, string[]]>([
  [
    "a handler that failed, by name where it left no words; models are told of elsewhere",
    "plugins",
    {
      subscriptions: [
        { ...heard, lastError: undefined } as never,
        { ...heard, hook: "complete" },
        { ...heard, plugin: "hub-folder", hook: "hub.pull" },
        { ...heard, failures: 0 },
      ],
    },
    ["warn plugin sqlite failed in stored (1 of 4 calls)"],
  ],
  ...(
    [
      [1_000, "1 s"],
      [0, "1 s"],
      [61_000, "61 s"],
      [119_500, "2 min"],
      [600_000, "10 min"],
      [7_200_000, "2 h"],
    ] as const
  ).map(([ms, words]): [string, string, Partial<ServerStatus>, string[]] => [
    `a pause of ${ms} ms`,
    "plugins",
    paused(ms),
    [`warn plugin sqlite is paused in Stop for another ${words}; ${again}`],
  ]),
  [
    "a pause of everything",
    "plugins",
    paused(40_000, "everything"),
    [`warn plugin sqlite is paused for another 40 s; ${again}`],
  ],
  [
    "a pause that another stands in for, whose error is told already",
    "plugins",
    {
      ...paused(40_000, "observation"),
      subscriptions: [{ ...heard, failures: 0, lastError: "slow" }],
    },
    [
      "warn plugin sqlite is paused in observation for another 40 s; heuristic does its work meanwhile; at once: `memoir plugin enable sqlite`",
    ],
  ],
  [
    "redaction that was switched off",
    "privacy",
    { plugins: [sqlite, { ...sqlite, name: "capture-privacy", state: "disabled" }] },
    [
      "warn redaction is switched off: secrets and private parts are kept as they were typed and printed",
    ],
  ],
  ["redaction at work", "privacy", { plugins: [{ ...sqlite, name: "capture-privacy" }] }, []],
  ["a journal with nothing to do", "journal", {}, ["ok 1.0 kB, nothing waits"]],
  [
    "events that wait for half an hour",
    "waiting",
    journal({ pendingEvents: 2, oldestPendingAt: now - 30 * minute }),
    [],
  ],
  [
    "work that failed for good, with its last reason",
    "journal",
    journal({ parkedWork: 2, parked: [{ reason: "disk is full" }, { reason: "older" }] }),
    ["fail 2 pieces of work were given up; the last: disk is full"],
  ],
  ["words alone, as they are meant to be", "meaning", {}, []],
  ["a storage without an index of its own", "search", {}, []],
  [
    "no observation, and no reason",
    "capture",
    { ...storage({ observations: 0 }), ...journal({ counters: { "event:Stop": 1 } }) },
    ["warn 1 event captured, 0 left out, and no observation yet: nothing in them was worth one"],
  ],
  ["nothing that was ever kept", "endless", {}, []],
  [
    "a damaged file beside what is kept",
    "endless",
    { endless: { kept, fileBytes: 40_000, damaged } },
    ["warn a damaged file was put aside: /h/endless.db.damaged-1"],
  ],
  ["no gateway", "gateway", {}, []],
  ["nothing shared", "sync", {}, []],
  ["memory that is shared", "sync", sync(), ["ok last synced 2m ago"]],
  ["a hub that was never reached", "sync", sync({ lastAt: null }), ["ok not synced yet"]],
  [
    "a hub that is away, and a member whose batches stop",
    "sync",
    sync({ trouble: "The folder is not there.", wrong: ["Bo, lap: Batch 5 does not count."] }),
    ["warn The folder is not there.", "warn Bo, lap: Batch 5 does not count."],
  ],
  ["a gateway that is off", "gateway", gateway({ enabled: false, listening: false }), []],
  [
    "a gateway that does not listen and does not say why",
    "gateway",
    gateway({ listening: false }),
    ["fail it does not listen on port 8787"],
  ],
  [
    "a gateway that does not reach the API, and whose strategy fails",
    "gateway",
    gateway({ unreached: 2, failed: 3 }),
    ["warn port 8787 → https://api.example, 9 requests; 2 did not reach it"],
  ],
  [
    "a model that works behind one that does not",
    "models",
    { models: { providers: [broken, good], inForce: "b", budget } },
    ["ok b is asked; 10 of 1,000 tokens used today"],
  ],
  [
    "calls that cannot be counted",
    "models",
    {
      models: {
        ...{ providers: [good], inForce: null, budget },
        error: { message: "no.", fix: "Do." },
      },
    },
    ["warn no."],
  ],
])("%s", (_, name, change, wanted) => {
  expect(said(name, change)).toEqual(wanted);
});

test("whatever is not well says what to do", () => {
  const checks = checkStatus(
    {
      ...{ ...quietStatus, version: "0", textWithheld: true, storage: { error: "locked" } },
      ...journal({ parkedWork: 1, damaged: ["a"], oldestPendingAt: 0 }),
      subscriptions: [heard],
    },
    now,
  );
  const poor = checks.filter(({ state }) => state !== "ok");
  expect(poor.length).toBe(7);
  for (const { fix } of poor) expect(fix).toMatch(/\w{3}.*\.$/);
});

test("what is built in is not to be switched off, a plugin of the user's may be", () => {
  const fixOf = (plugin: string) =>
    checkStatus(
      { ...quietStatus, version, subscriptions: [{ ...heard, plugin }] } as ServerStatus,
      now,
    ).find(({ name }) => name === "plugins")?.fix;
  expect(fixOf("sqlite")).toBe("The log has more; please report it with those lines.");
  expect(fixOf("mine")).toContain("`memoir plugin disable mine`");
});
