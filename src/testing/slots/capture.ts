// What a capture plugin promises: an event stays the happening it was, in its own shape, whatever is in it.
import assert from "node:assert/strict";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Drop } from "../../sdk/hooks.ts";
import { assertSameShape } from "../checks.ts";
import { type Room, type SuiteCase, suiteCase } from "../room.ts";
import { clientEvent, sampleSessionEvents } from "../samples/events.ts";
import { hostileTexts } from "../samples/hostile-texts.ts";

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

/** The fields that tell which happening it is. */
const identity = ["id", "key", "client", "session", "time", "name", "toolUseId"] as const;

export const captureCases: readonly SuiteCase[] = [
  suiteCase("leaves an event the happening that it is", async (room) => {
    const { pairs } = await captured(room, sampleSessionEvents());
    for (const { before, after } of pairs)
      if (!isDrop(after))
        for (const field of identity)
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
