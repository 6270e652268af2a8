// What a context-injection plugin promises: little, whole, marked, named; and nothing where there is nothing to say.
import assert from "node:assert/strict";
import { hasContext } from "../../privacy/marker.ts";
import type { StorageClient } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent, Reply } from "../../sdk/events.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import type { NewObservation } from "../../sdk/model.ts";
import { assertWholeText } from "../checks.ts";
import { type Room, type SuiteCase, suiteCase } from "../room.ts";
import {
  blog,
  clientEvent,
  hostileTexts,
  sampleMemory,
  sampleObservation,
  sampleSession,
  sampleSessionEvents,
  sampleSummary,
  shop,
} from "../samples.ts";
import { type TestHost, testTime } from "../test-host.ts";

/** The most characters that a client takes from one hook. */
const budget = 10_000;
const fields = [
  ...["context", "records", "traces", "omitted", "noted", "systemMessage", "updatedToolOutput"],
];

/** Events of a new session in the shop, and what an observation of the shop is about. */
const events = (): ClientEvent[] => [
  ...sampleSessionEvents(),
  clientEvent("SessionStart", { source: "compact", session: "s-new" }),
  clientEvent("UserPromptSubmit", {
    session: "s-new",
    prompt: "Why does the voucher change the cart total in src/cart.ts?",
  }),
];

const verbs: ReadonlyArray<keyof StorageClient> = [
  "search",
  "get",
  "observations",
  "summaries",
  "prompts",
  "sessions",
  "memory",
  "stats",
];

async function replies(host: TestHost): Promise<Reply[]> {
  const given: Reply[] = [];
  for (const event of events()) {
    if (!clientEventNames.includes(event.name)) continue;
    const reply = await host.call(event.name, event as never);
    if (!reply) continue;
    for (const field of Object.keys(reply))
      assert.ok(fields.includes(field), `a reply has no field "${field}"`);
    given.push(reply);
  }
  return given;
}

/** A host over a storage with these observations of the shop, each of a session of its own. */
async function hostWith(room: Room, parts: ReadonlyArray<Partial<NewObservation>>) {
  const host = await room.open();
  await host.storage.put({
    key: "suite",
    records: {
      sessions: parts.map(({ project }, at) =>
        sampleSession({
          id: `old-${at}`,
          project: project === blog.id ? blog : shop,
          title: `Old session number ${at}`,
          status: "ended",
          endedAt: testTime - 1_000,
        }),
      ),
      observations: parts.map((part, at) =>
        sampleObservation({ session: `old-${at}`, time: testTime - (at + 1) * 60_000, ...part }),
      ),
      summaries: [
        sampleSummary({
          session: "old-0",
          scope: "session",
          request: "Fix the cart",
          nextSteps: "Add a test",
        }),
      ],
      memory: [sampleMemory({ kind: "decisions", content: "Amounts are integers of cents" })],
    },
  });
  return host;
}

const voucher: Partial<NewObservation> = {
  type: "bugfix",
  title: "Voucher subtracted only once",
  subtitle: "The cart total no longer subtracts a used voucher again",
  facts: ["src/cart.ts: totalOf leaves out a voucher that was used before."],
  narrative: "The voucher changed the cart total twice.",
  concepts: ["checkout"],
  filesModified: ["src/cart.ts"],
};

export const injectionCases: readonly SuiteCase[] = [
  suiteCase("says at most what the client takes", async (room) => {
    const long = Array.from({ length: 120 }, (_, i) => ({
      ...voucher,
      title: `Voucher number ${i} in the cart total`,
      subtitle: "voucher cart total ".repeat(8).trim(),
      facts: Array.from({ length: 7 }, (_, n) => `Fact ${n} of ${i}: ${"cart ".repeat(28)}`),
      narrative: "The voucher changes the total of the cart. ".repeat(100),
    }));
    for (const { context } of await replies(await hostWith(room, long)))
      assert.ok(
        (context?.length ?? 0) <= budget,
        `a context of ${context?.length} characters; the client takes ${budget} and cuts the rest`,
      );
  }),

  suiteCase("says something or nothing, never an empty text", async (room) => {
    for (const parts of [[], [voucher]])
      for (const { context, systemMessage } of await replies(await hostWith(room, parts))) {
        assert.notEqual(context?.trim(), "", "the context is empty: leave it out then");
        assert.notEqual(systemMessage?.trim(), "", "the message is empty: leave it out then");
      }
  }),

  suiteCase("marks what it says, so that it is never captured as the user's own", async (room) => {
    for (const { context } of await replies(await hostWith(room, [voucher])))
      if (context !== undefined)
        assert.ok(hasContext(context), "a context is wrapped by the SDK's `wrapContext`");
  }),

  suiteCase("names the records that it tells", async (room) => {
    const parts = [voucher, { ...voucher, title: "Cart total counted in cents" }];
    const host = await hostWith(room, parts);
    const stored = await host.storage.observations({ superseded: true });
    for (const { context = "", records = [] } of await replies(host)) {
      const known = await host.storage.get({ ids: records });
      assert.equal(
        known.length,
        records.length,
        `\`records\` names what is not stored: ${records}`,
      );
      for (const { id, title } of stored)
        if (context.includes(title))
          assert.ok(
            records.includes(id),
            `it tells "${title}" without naming ${id} in \`records\``,
          );
    }
  }),

  suiteCase("keeps projects apart", async (room) => {
    const foreign = { ...voucher, project: blog.id, title: "Zeppelin voucher in the cart total" };
    for (const { context = "" } of await replies(await hostWith(room, [foreign])))
      assert.ok(!context.includes("Zeppelin"), "it tells a session of the shop what is the blog's");
  }),

  suiteCase(
    "tells any text as whole characters, and lets nothing pose as the client",
    async (room) => {
      const parts = hostileTexts.map((text, at) => ({
        ...voucher,
        title: `Voucher ${at} ${text.slice(0, 80)}`,
        subtitle: text.slice(0, 200),
        facts: [`cart total ${text.slice(0, 140)}`],
        narrative: text.slice(0, 5_000),
      }));
      for (const reply of await replies(await hostWith(room, parts))) {
        assertWholeText(reply, "the context");
        assert.ok((reply.context?.length ?? 0) <= budget, "the context is too long for the client");
        assert.ok(
          !/<\/?(?:system|system-reminder|tool_result)>/.test(reply.context ?? ""),
          "a tag of the client's own stands in the context: `wrapContext` defuses them",
        );
      }
    },
  ),

  suiteCase("gives no context when storage is away", async (room) => {
    let asked = 0;
    const away = () => {
      asked++;
      return Promise.reject(new MemoirError("storage_unanswered", "storage is away"));
    };
    const storage = Object.fromEntries(verbs.map((verb) => [verb, away])) as Partial<StorageClient>;
    const host = await room.open({ storage });
    for (const event of events()) {
      asked = 0;
      // An error is as good as nothing: it is logged, and the session goes on.
      const reply = await host.call(event.name, event as never).catch((error: MemoirError) => {
        assert.notEqual(
          error.code,
          "plugin_deadline",
          `${event.name}: it waits for a storage that is away`,
        );
      });
      if (asked > 0)
        assert.equal(reply?.context, undefined, "storage gave it nothing, and it said something");
    }
  }),
];
