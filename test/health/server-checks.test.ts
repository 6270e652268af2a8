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

test.each<[string, string, Partial<ServerStatus>, string[]]>([
  ["the server's own version", "server", {}, [`ok memoir ${version}, pid 7, started 1h ago`]],
  [
    "a server of another version",
    "server",
    { version: "0.0.1" },
    [`warn memoir 0.0.1, pid 7, started 1h ago; this is memoir ${version}`],
  ],
  ["plugins that run", "plugins", {}, ["ok 1 running"]],
  [
    "a plugin that failed",
    "plugins",
    { plugins: [sqlite, { ...sqlite, name: "mine", state: "failed", error: "line 3" }] },
    ["fail mine: line 3"],
  ],
  [
    "a handler that fails now and then",
    "plugins",
    { subscriptions: [heard] },
    ["warn sqlite failed in stored: boom (1 of 4 calls)"],
  ],
  [
    "a plugin that is paused",
    "plugins",
    {
      plugins: [
        {
          ...sqlite,
          paused: [{ part: "Stop", hook: "Stop", error: "slow", at: 0, until: now + 40_000 }],
        },
      ],
    },
    [
      "warn plugin sqlite is paused in Stop for another 40 s; slow; at once: `memoir plugin enable sqlite`",
    ],
  ],
  [
    "text that is withheld",
    "privacy",
    { textWithheld: true },
    ["fail a capture plugin is not in force as configured, so all text is withheld"],
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
    "events that wait for their prompt's end",
    "journal",
    journal({ pendingEvents: 2, oldestPendingAt: now - 29 * minute }),
    ["ok 1.0 kB, 2 events waiting for the end of a prompt"],
  ],
  [
    "events that wait for longer than half an hour",
    "journal",
    journal({ pendingEvents: 2, oldestPendingAt: now - 31 * minute }),
    ["warn 2 events wait, the oldest since 31m ago"],
  ],
  [
    "work that was given up, with its last reason",
    "journal",
    journal({ parkedWork: 2, parked: [{ reason: "disk is full" }, { reason: "older" }] }),
    ["fail 2 pieces of work were given up; the last: disk is full"],
  ],
  [
    "a damaged journal",
    "journal",
    journal({ damaged: ["journal.db.damaged-1"] }),
    ["warn a damaged file was put aside: journal.db.damaged-1"],
  ],
  [
    "a journal that cannot be read",
    "journal",
    { journal: { error: "no space left" } },
    ["fail no space left"],
  ],
  ["what is stored", "storage", {}, ["ok 3 observations, 1 summary, 1 session, 2.0 MB"]],
  ["a storage that fails", "storage", { storage: { error: "locked" } }, ["fail locked"]],
  ["words alone, as they are meant to be", "meaning", {}, []],
  [
    "search by meaning",
    "meaning",
    storage({ turns: 9, meaning: { model: "nomic at host", turns: 9 } }),
    ["ok 9 of 9 turns by nomic at host"],
  ],
  [
    "search by meaning whose endpoint is down",
    "meaning",
    storage({ turns: 9, meaning: { model: "nomic at host", turns: 9, trouble: "no answer" } }),
    ["warn words alone find: no answer"],
  ],
  ["a storage without an index of its own", "search", {}, []],
  [
    "an index that is whole",
    "search",
    storage({ index: { isWhole: true, records: 9, indexed: 9 } }),
    ["ok finds all of 9 records"],
  ],
  [
    "an index that was made anew",
    "search",
    storage({ index: { isWhole: true, records: 9, indexed: 9, madeAnewAt: now - 3 * minute } }),
    ["ok finds all of 9 records; made anew 3m ago"],
  ],
  [
    "an index that is being made",
    "search",
    storage({ index: { isWhole: false, records: 9, indexed: 4 } }),
    ["warn is being made anew: 4 of 9 records"],
  ],
  ["nothing captured yet", "capture", {}, ["warn no event was captured yet"]],
  [
    "events and observations",
    "capture",
    journal({ counters: { "event:Stop": 2, "event:PostToolUse": 3, "drop:excluded": 1 } }),
    ["ok 5 events captured, 1 left out"],
  ],
  [
    "no observation yet, with the reasons, the most frequent first",
    "capture",
    {
      ...storage({ observations: 0 }),
      ...journal({
        pendingEvents: 2,
        counters: { "event:Stop": 1, "drop:excluded": 1, "skip:routine": 4, "settled:stored": 9 },
      }),
    },
    [
      "warn 1 event captured, 1 left out, and no observation yet: 2 wait for their prompt to end; left out as routine (4), excluded (1)",
    ],
  ],
  [
    "no observation, and no reason",
    "capture",
    { ...storage({ observations: 0 }), ...journal({ counters: { "event:Stop": 1 } }) },
    ["warn 1 event captured, 0 left out, and no observation yet: nothing in them was worth one"],
  ],
])("%s", (_, name, change, wanted) => {
  expect(said(name, change)).toEqual(wanted);
});

test("every part of a server is looked at", () => {
  const kept = { contents: 1, references: 2, characters: 9, bytes: 9, oldestAt: 0 };
  const gateway = {
    ...{ enabled: true, listening: false, port: 1, upstream: "https://x", error: "port taken" },
    ...{
      requests: 0,
      rewritten: 0,
      unsure: 0,
      failed: 0,
      whole: 0,
      unreached: 0,
      refused: 0,
      sessions: 0,
    },
  };
  const checks = checkStatus(
    { ...quietStatus, version, endless: { kept, fileBytes: 40_000, damaged: [] }, gateway },
    now,
  );
  expect(checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["server", "plugins", "endless", "gateway"]),
  );
  expect(said("endless", { endless: { kept, fileBytes: 40_000, damaged: [] } })).toEqual([
    "ok 2 originals kept in 40 kB",
  ]);
  expect(said("gateway", { gateway })).not.toEqual([]);
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
