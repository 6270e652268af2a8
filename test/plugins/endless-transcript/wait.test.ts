// Waiting for what is observed of a tool use: for how long, what the model is given of it, and what is noted.
import { describe, expect, test } from "bun:test";
import { begin, createWaits, waitFor } from "../../../plugins/endless-transcript/index.ts";
import type { PluginContext } from "../../../src/sdk/context.ts";
import type { ClientEvents } from "../../../src/sdk/events.ts";
import type { Settled } from "../../../src/sdk/work.ts";
import { clientEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";
import { observation } from "../../support/records.ts";

const settledAs = (more: Partial<Settled> = {}): Settled => ({
  ...{ session: "s1", toolUseId: "t1", outcome: "stored", observations: ["o1"], ...more },
});

/** A host that settles with `end` after 30 ms of its own clock, which begins at 1000. */
function host(end: Settled | undefined) {
  const clock = { now: 1_000 };
  const asked: unknown[] = [];
  const notes: unknown[] = [];
  const log = keptLog();
  const ctx = {
    ...{ config: { waitSeconds: 7 }, log, now: () => clock.now },
    endless: {
      settled: async (...given: unknown[]) => {
        asked.push(given);
        clock.now += 30;
        return end;
      },
      note: async (note: unknown) => void notes.push(note),
    },
    storage: {
      get: async ({ ids }: { ids: string[] }) => [
        ...ids.map((id) => ({
          kind: "observation",
          record: observation(id, { title: `Title ${id}` }),
        })),
        { kind: "summary", record: {} },
      ],
    },
  } as unknown as PluginContext<never>;
  return { ctx, asked, notes, log, clock };
}
const event = (more: Partial<ClientEvents["PostToolUse"]> = {}) =>
  clientEvent("PostToolUse", { toolUseId: "t1", toolName: "Bash", time: 990, ...more });
const about = { session: "s1", tool: "Bash", toolUseId: "t1", project: "github.com/acme/shop" };

test("what was observed is given, once, with the ids of its records", async () => {
  const { ctx, asked, notes } = host(settledAs({ observations: ["o1", "o2"] }));
  const waits = createWaits();
  const reply = await waitFor(event(), ctx, waits);
  expect(asked).toEqual([["t1", 7_000]]);
  expect(reply?.records).toEqual(["o1", "o2"]);
  expect(reply?.context).toMatch(
    /tool-use="?t1[\s\S]*memoir observed:\n\n[\s\S]*Title o1[\s\S]*Title o2/,
  );
  expect(notes).toEqual([
    { kind: "waited", ...about, ms: 30, reason: "stored" },
    { kind: "injected", ...about, characters: reply?.context?.length },
  ]);
  expect(await waitFor(event(), ctx, waits)).toBeUndefined();
  const other = host(settledAs({ session: "s2", observations: ["o1"] }));
  expect((await waitFor(event({ session: "s2" }), other.ctx, waits))?.records).toEqual(["o1"]);
});

test("how long the tool ran, from PreToolUse to PostToolUse, stands in the metrics", async () => {
  const { ctx, notes } = host(settledAs({ observations: [] }));
  const waits = createWaits();
  begin(waits, "t1", 340);
  await waitFor(event(), ctx, waits);
  expect(notes).toContainEqual({ kind: "ran", ...about, ms: 650 });
  const other = host(settledAs({ observations: [] }));
  await waitFor(event(), other.ctx, waits);
  expect(other.notes).toEqual([{ kind: "waited", ...about, ms: 30, reason: "stored" }]);
});

test("of several that were observed side by side only the new ones are given", async () => {
  const waits = createWaits();
  await waitFor(event(), host(settledAs({ observations: ["o1"] })).ctx, waits);
  const reply = await waitFor(event(), host(settledAs({ observations: ["o1", "o2"] })).ctx, waits);
  expect(reply?.records).toEqual(["o2"]);
});

test("a tool use of which nothing was observed gives nothing, and says how it ended", async () => {
  const { ctx, notes } = host(settledAs({ outcome: "skipped", observations: [] }));
  expect(await waitFor(event(), ctx, createWaits())).toBeUndefined();
  expect(notes).toEqual([{ kind: "waited", ...about, ms: 30, reason: "skipped" }]);
});

test.each<[string, Settled | undefined]>([
  ["that did not end in time", undefined],
  ["of which another session's end was told", settledAs({ session: "s2" })],
])("a tool use %s is noted as timed out", async (_, end) => {
  const { ctx, notes, log } = host(end);
  expect(await waitFor(event(), ctx, createWaits())).toBeUndefined();
  expect(notes).toEqual([{ kind: "timed-out", ...about, ms: 30 }]);
  expect(log.lines[0]?.fields).toEqual({ ms: 30, outcome: "timed out" });
});

describe("nobody waits", () => {
  test("for an event that is older than five seconds, or was read from a transcript", async () => {
    for (const [more, waits] of [
      [{ time: 1_000 - 5_000 }, 1],
      [{ time: 1_000 - 5_001 }, 0],
      [{ recovered: { modelFree: false } }, 0],
    ] as const) {
      const { ctx, asked } = host(settledAs());
      await waitFor(event(more), ctx, createWaits());
      expect(asked).toHaveLength(waits);
    }
  });
});

test("of tools that began the newest five thousand are remembered", () => {
  const waits = createWaits();
  for (let n = 0; n <= 5_000; n++) begin(waits, `t${n}`, n);
  expect([waits.begun.size, waits.begun.has("t0"), waits.begun.get("t1")]).toEqual([
    5_000,
    false,
    1,
  ]);
});
