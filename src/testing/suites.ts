// The conformance suites: for each slot, what a plugin promises that fills it.
import assert from "node:assert/strict";
import { unchangeableFields } from "../runtime/hooks/hook-table.ts";
import type { StorageClient } from "../sdk/context.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ClientEvent } from "../sdk/events.ts";
import type { Drop } from "../sdk/hooks.ts";
import type { Records } from "../sdk/model.ts";
import { type AnyPlugin, type Slot, slotNames } from "../sdk/plugin.ts";
import { besides } from "./beside.ts";
import { assertSameShape } from "./checks.ts";
import {
  openStorage,
  putAnew,
  type Room,
  type Subject,
  type SuiteCase,
  suiteCase,
} from "./room.ts";
import {
  clientEvent,
  hostileTexts,
  sampleMemory,
  sampleObservation,
  sampleSessionEvents,
  sampleTurn,
} from "./samples.ts";
import { injectionCases } from "./slots/context-injection.ts";
import { endlessCases } from "./slots/endless-mode.ts";
import { hubCases } from "./slots/hub.ts";
import { providerCases } from "./slots/provider.ts";
import { extractorCases, observerCases, summarizationCases } from "./slots/strategies.ts";
import { crashCases } from "./storage/crash.ts";
import { listingCases } from "./storage/listing.ts";
import { puttingCases } from "./storage/putting.ts";
import { searchCases } from "./storage/searching.ts";

// What a capture plugin promises: an event stays the happening it was, in its own shape, whatever is in it.

const isDrop = (value: ClientEvent | Drop): value is Drop => "drop" in value;

/** Takes each event through the plugin. */
async function captured(room: Room, events: readonly ClientEvent[]) {
  const host = await room.open();
  const pairs: Array<{ before: ClientEvent; after: ClientEvent | Drop }> = [];
  for (const before of events) {
    const after = await host.call("capture", before);
    if (after) pairs.push({ before, after });
  }
  return { host, pairs };
}

const hostileEvents = () =>
  hostileTexts.flatMap((text, at) => [
    clientEvent("UserPromptSubmit", { prompt: text }),
    clientEvent("PostToolUse", {
      toolUseId: `hostile-${at}`,
      toolInput: { command: text, nested: [[{ deep: text }]] },
      toolResponse: at % 2 === 0 ? text : { stdout: text, list: [text, 1, null, true] },
    }),
    clientEvent("PostToolUseFailure", { error: text, toolInput: text }),
  ]);

const captureCases: readonly SuiteCase[] = [
  suiteCase("leaves an event the happening that it is", async (room) => {
    const { pairs } = await captured(room, sampleSessionEvents());
    for (const { before, after } of pairs)
      if (!isDrop(after))
        for (const field of unchangeableFields)
          assert.equal(
            (after as unknown as Record<string, unknown>)[field],
            (before as unknown as Record<string, unknown>)[field],
            `${before.name}: ${field} must stay as it is`,
          );
  }),

  suiteCase("drops with a reason in words, and nothing else", async (room) => {
    const { pairs } = await captured(room, [...sampleSessionEvents(), ...hostileEvents()]);
    for (const { before, after } of pairs) {
      if (!isDrop(after)) continue;
      assert.deepEqual(Object.keys(after), ["drop"], `${before.name}: a drop is { drop: reason }`);
      assert.equal(typeof after.drop, "string", `${before.name}: the reason is a text`);
      assert.notEqual(after.drop.trim(), "", `${before.name}: the reason is empty`);
    }
  }),

  suiteCase("does not drop a whole session", async (room) => {
    const { pairs } = await captured(room, sampleSessionEvents());
    const kept = pairs.filter(({ after }) => !isDrop(after));
    if (kept.length === 0) room.warn("every event of the sample session was dropped");
    const ends = kept.filter(({ before }) => /^Session|^Stop$/.test(before.name));
    assert.ok(
      ends.length > 0 || pairs.length === 0,
      "SessionStart, Stop and SessionEnd were all dropped: work is planned from them",
    );
  }),

  suiteCase("keeps the structure of what it changes", async (room) => {
    const { pairs } = await captured(room, [...sampleSessionEvents(), ...hostileEvents()]);
    for (const { before, after } of pairs)
      if (!isDrop(after) && after.withheld !== true) assertSameShape(before, after, before.name);
  }),

  suiteCase("changes nothing more the second time", async (room) => {
    const { host, pairs } = await captured(room, [...sampleSessionEvents(), ...hostileEvents()]);
    for (const { before, after } of pairs)
      if (!isDrop(after))
        assert.deepEqual(
          await host.call("capture", after),
          after,
          `${before.name}: what was captured once is captured again as it is`,
        );
  }),

  suiteCase("lets through what it does not know", async (room) => {
    const unknown = clientEvent("Other", {
      clientEvent: "SomethingNew",
      extra: { field: [1, { deep: "text" }], empty: null },
    });
    const { pairs } = await captured(room, [unknown]);
    for (const { after } of pairs) if (!isDrop(after)) assertSameShape(unknown, after, "Other");
  }),

  suiteCase("is quick: it stands in the agent's way", async (room) => {
    const host = await room.open();
    const event = clientEvent("PostToolUse", {
      toolResponse: {
        stdout: "INFO request 42 took 17 ms in worker-3\n".repeat(5_000),
        stderr: "",
      },
    });
    await host.call("capture", event);
    const begun = performance.now();
    for (let i = 0; i < 5; i++) await host.call("capture", event);
    const each = (performance.now() - begun) / 5;
    if (each > 50)
      room.warn(`200 KB took ${each.toFixed(0)} ms; an event that is late goes on without it`);
  }),
];

// The promises of `storage.amend`, for a storage that has it: the user's words stay, and what is hidden is not shown.

const records: Records = {
  observations: [sampleObservation({ title: "Walrus reloads", facts: ["It reloads twice."] })],
  turns: [sampleTurn()],
  memory: [sampleMemory({ content: "Use the walrus" })],
};

/** A storage may go without: then it says so, and nothing else is asked of it. */
function amendCase(
  name: string,
  check: (storage: StorageClient, ids: { observation: string; turn: string }) => Promise<void>,
): SuiteCase {
  return suiteCase(name, async (room) => {
    const { storage } = await openStorage(room);
    const { observations, turns } = await putAnew(storage, records);
    const [observation = "", turn = ""] = [observations[0], turns[0]];
    try {
      await storage.amend({ id: observation, pinned: false });
    } catch (error) {
      if (error instanceof MemoirError && error.code === "storage_unanswered") return;
      throw error;
    }
    await check(storage, { observation, turn });
  });
}

const amendingCases: SuiteCase[] = [
  amendCase("keeps the user's words over a later put, and undoes them", async (storage, ids) => {
    const id = ids.observation;
    await storage.amend({ id, set: { title: "Otter reloads" } });
    await putAnew(storage, records);
    const [kept] = await storage.observations({});
    assert.equal(kept?.title, "Otter reloads");
    assert.deepEqual(kept.edited?.was, { title: "Walrus reloads" });
    assert.equal((await storage.search({ text: "otter" }))[0]?.id, id, "found by the new words");
    assert.deepEqual(await storage.search({ text: "walrus", kinds: ["observation"] }), []);
    const { record } = await storage.amend({ id, undo: true });
    assert.equal("title" in record && record.title, "Walrus reloads");
  }),

  amendCase("leaves out what is hidden where that is asked for", async (storage, ids) => {
    for (const id of Object.values(ids)) await storage.amend({ id, hidden: true });
    const shown = { hidden: false };
    assert.deepEqual(await storage.get({ ids: Object.values(ids), ...shown }), []);
    assert.deepEqual(await storage.observations(shown), []);
    assert.deepEqual(await storage.turns(shown), []);
    assert.deepEqual(
      await storage.search({ text: "walrus", kinds: ["observation"], ...shown }),
      [],
    );
    assert.equal((await storage.get({ ids: Object.values(ids) })).length, 2);
  }),

  amendCase(
    "leaves out what was made of a hidden turn until that is shown again",
    async (storage, ids) => {
      const all = Object.values(ids);
      const shown = async () =>
        (await storage.get({ ids: all, hidden: false })).map(({ record }) => record.id);
      await storage.amend({ id: ids.turn, hidden: true });
      assert.deepEqual(await shown(), []);
      assert.deepEqual(await storage.observations({ hidden: false }), []);
      await storage.amend({ id: ids.turn, hidden: false });
      assert.deepEqual(await shown(), all);
    },
  ),

  amendCase("lists what is pinned, and refuses to edit evidence", async (storage, ids) => {
    await storage.amend({ id: ids.turn, pinned: true });
    assert.deepEqual(
      (await storage.turns({ marked: "pinned" })).map(({ id }) => id),
      [ids.turn],
    );
    assert.deepEqual(await storage.observations({ marked: "pinned" }), []);
    await assert.rejects(storage.amend({ id: ids.turn, set: { text: "Other" } }));
    await assert.rejects(storage.amend({ id: "o999999", hidden: true }));
  }),
];

/**
 * What the plugins of each slot promise. Every case wants nothing but the plugin.
 *
 * @example
 * ```ts
 * import { join } from "node:path";
 * import { test } from "node:test";
 * import { openRecords, recordHooks } from "memoir/records";
 * import { definePlugin } from "memoir/sdk";
 * import { suites } from "memoir/testing";
 *
 * const plugin = definePlugin({
 *   name: "elsewhere",
 *   description: "Keeps memory in a file of its own.",
 *   sdk: 1,
 *   slot: "storage",
 *   start: async (ctx) => ({ records: await openRecords(join(ctx.home, "elsewhere.db"), ctx.now) }),
 *   hooks: recordHooks,
 *   stop: (state) => state?.records.close(),
 * });
 * for (const { name, run } of suites.storage) test(name, () => run({ plugin }).then(() => {}));
 * ```
 */
export const suites: { readonly [Name in Slot]: readonly SuiteCase[] } = {
  capture: captureCases,
  observation: [...observerCases, ...extractorCases],
  summarization: summarizationCases,
  "context-injection": injectionCases,
  "endless-mode": endlessCases,
  storage: [...puttingCases, ...listingCases, ...searchCases, ...amendingCases, ...crashCases],
  provider: providerCases,
  hub: hubCases,
};

// Runs the suites of a plugin's slots without a test runner.

/** One promise that was not kept. */
export interface SuiteFailure {
  /** Whose promise it is: a slot, or what the plugin brings beside: `schedules`, `data`, `redactions`, `rank`, `export`, `clients`, `operations`, `routes`, `panels`. */
  slot: string;
  /** The promise. */
  name: string;
  /** What was expected and what came, in words. */
  message: string;
  error: unknown;
}

/** What a run came to. */
export interface SuiteReport {
  passed: number;
  failed: number;
  skipped: Array<{ slot: string; name: string; reason: string }>;
  warnings: Array<{ slot: string; name: string; warning: string }>;
  failures: SuiteFailure[];
  /** The slots, and what it brings beside, whose promises were tried. */
  of: string[];
}

/** What `runSuite` takes beside the plugin. */
export interface SuiteOptions extends Omit<Subject, "plugin"> {
  /**
   * Default: all slots the plugin declares, and what it brings beside; without a slot, what an extractor promises where it is one.
   */
  slots?: readonly Slot[];
  /** Called as each case ends. */
  caseEnded?(slot: string, name: string, state: "passed" | "failed" | "skipped"): void;
}

/**
 * Runs every case of the plugin's slots, or of an extractor, one after the other. Never rejects for a case's sake.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { definePlugin } from "memoir/sdk";
 * import { runSuite } from "memoir/testing";
 *
 * const plugin = definePlugin({
 *   name: "quiet",
 *   description: "Observes nothing.",
 *   sdk: 1,
 *   slot: "observation",
 *   hooks: { observe: () => ({ observations: [] }) },
 * });
 * const { failures } = await runSuite(plugin);
 * assert.deepEqual(failures.map(({ name, message }) => `${name}: ${message}`), []);
 * ```
 */
export async function runSuite(
  plugin: AnyPlugin,
  options: SuiteOptions = {},
): Promise<SuiteReport> {
  const { slots, caseEnded, ...rest } = options;
  const report: SuiteReport = {
    ...{ passed: 0, failed: 0, skipped: [], warnings: [], failures: [] },
    of: [],
  };
  const declared = slots ?? [plugin.slot ?? []].flat();
  // An extractor refines what others observed: it has the second half of their promises.
  const alone = declared.length === 0 && slots === undefined && plugin.hooks.extract !== undefined;
  const tried: Array<{ slot: string; cases: readonly SuiteCase[] }> = slotNames
    .filter((slot) => declared.includes(slot))
    .map((slot) => ({ slot, cases: suites[slot] }));
  if (alone) tried.push({ slot: "observation", cases: extractorCases });
  if (slots === undefined)
    for (const { name, isOf, cases } of besides)
      if (isOf(plugin))
        tried.push({ slot: name, cases: typeof cases === "function" ? cases(plugin) : cases });
  for (const { slot, cases } of tried) {
    report.of.push(alone && slot === "observation" ? "an extractor" : slot);
    for (const { name, run } of cases) {
      try {
        const { skipped: reason, warnings } = await run({ ...rest, plugin });
        for (const warning of warnings) report.warnings.push({ slot, name, warning });
        if (reason === undefined) report.passed += 1;
        else report.skipped.push({ slot, name, reason });
        caseEnded?.(slot, name, reason === undefined ? "passed" : "skipped");
      } catch (error) {
        report.failed += 1;
        const message = error instanceof Error ? error.message : String(error);
        report.failures.push({ slot, name, message, error });
        caseEnded?.(slot, name, "failed");
      }
    }
  }
  return report;
}
