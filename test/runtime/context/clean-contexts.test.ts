// Texts out of a transcript on their way to strategies: through capture, closed when it fails, and cut only after it.
import { describe, expect, test } from "bun:test";
import {
  cleanContexts,
  rawLimits,
  scrubThrough,
} from "../../../src/runtime/context/read-contexts.ts";
import { captureEvent } from "../../../src/runtime/events/event-way.ts";
import { redactEvent } from "../../../src/runtime/events/redact-event.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { ObservationBatch } from "../../../src/sdk/work.ts";
import type { FoundContext } from "../../../src/transcript/context.ts";
import { clientEvent } from "../../support/client-events.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";

const limits = { intent: 20, reasoning: 20, assistantText: 20, result: 20, turn: 21, turns: 4 };
const session = { id: "s1", client: "c", project: { id: "p", name: "p", root: "/w" } };
const batch = {
  ...{ key: "k1", session, waiting: false },
  toolUses: [{ id: "t1", name: "Bash", input: {}, time: 7, cwd: "/w/a" }],
} as ObservationBatch;
const found = (part: object) =>
  new Map([["t1", { turns: [], messageToolUses: [], ...part } as unknown as FoundContext]]);

describe("contexts", () => {
  test("have every text cleaned, and what is no text as it was", async () => {
    const asked: unknown[] = [];
    const raw = {
      ...{ userIntent: "fix", reasoning: "hm", assistantText: "now", result: "ok", model: "m" },
      ...{ cwd: "/w", branch: "b", version: "2", time: 5, partial: true },
      turns: [
        { role: "user", text: "earlier" },
        { role: "assistant", text: "fix" },
      ],
    };
    const cleaned = await cleanContexts(
      found(raw),
      batch,
      limits as never,
      async (texts, about) => {
        asked.push(texts, about);
        return texts.map((text) => text.toUpperCase());
      },
    );
    expect(asked).toEqual([
      ["fix", "hm", "now", "ok", "earlier"],
      { key: "k1", session, cwd: "/w/a", time: 7 },
    ]);
    expect(cleaned.get("t1")).toEqual({
      ...{ userIntent: "FIX", reasoning: "HM", assistantText: "NOW", result: "OK", model: "m" },
      ...{ cwd: "/w", branch: "b", version: "2", time: 5, partial: true },
      turns: [
        { role: "user", text: "EARLIER" },
        { role: "assistant", text: "FIX" },
      ],
    } as never);
  });

  test("lose all texts when cleaning failed, and texts of which nothing is left", async () => {
    const raw = { userIntent: "fix", model: "m", turns: [{ role: "user", text: "earlier" }] };
    const failed = await cleanContexts(found(raw), batch, limits as never, async () => undefined);
    expect(failed.get("t1")).toEqual({ model: "m", turns: [] });
    const emptied = await cleanContexts(found(raw), batch, limits as never, async (texts) =>
      texts.map(() => " "),
    );
    expect(emptied.get("t1")).toEqual({ model: "m", turns: [] });
  });

  test("are cut after they were cleaned, texts at their end and turns in their middle, never inside a character", async () => {
    const text = "🙂".repeat(30);
    const raw = {
      userIntent: text,
      turns: [{ role: "user", text: `begin${"x".repeat(90)}the end` }],
    };
    const cleaned = await cleanContexts(found(raw), batch, limits as never, async (texts) => texts);
    const { userIntent = "", turns } = cleaned.get("t1") ?? { turns: [] };
    expect([userIntent.length <= 20, userIntent.endsWith("…"), userIntent.isWellFormed()]).toEqual([
      ...[true, true, true],
    ]);
    expect(turns[0]?.text).toBe("beginxxxx … xxthe end");
  });

  test("are read with a margin, so that what is to be cut is cleaned whole", () => {
    expect(rawLimits(limits as never)).toMatchObject({
      ...{ intent: 1_020, reasoning: 1_020, assistantText: 1_020, result: 1_020, turn: 16_000 },
    });
    expect(rawLimits({ ...limits, turn: 20_000 } as never).turn).toBe(21_000);
  });
});

describe("texts through capture", () => {
  const about = { key: "k1", session, cwd: "/w", time: 7 };
  const scrub = (
    capture: (event: ClientEvent) => ClientEvent | { drop: string },
    texts: string[],
  ) => {
    const events: ClientEvent[] = [];
    const scrubbed = scrubThrough(async (event) => {
      events.push(event);
      const value = capture(event);
      return "drop" in value ? { drop: value.drop, by: "x" } : { event: value, failed: [] };
    })(texts, about as never);
    return scrubbed.then((answer) => ({ answer, events }));
  };
  const withTexts = (event: ClientEvent, texts: unknown) => ({ ...event, extra: { texts } });

  test("come back in their order, in parts that capture can take", async () => {
    const large = "x".repeat(70 * 1024);
    const { answer, events } = await scrub((event) => event, ["a", large, large, "b"]);
    expect(answer).toEqual(["a", large, large, "b"]);
    expect(events.map(({ id }) => id)).toEqual(["k1:0", "k1:3"]);
    expect(events[0]).toMatchObject({ name: "Other", session: "s1", cwd: "/w", time: 7 });
  });

  test("each part is filled anew: after a full one, short texts share the next", async () => {
    const full = "x".repeat(128 * 1024);
    const { events } = await scrub((event) => event, [full, "a", "b", "c"]);
    expect(events.map(({ id }) => id)).toEqual(["k1:0", "k1:1"]);
  });

  test.each<[string, (event: ClientEvent) => ClientEvent | { drop: string }]>([
    ["is dropped", () => ({ drop: "excluded" })],
    ["is withheld", (event) => ({ ...event, withheld: true })],
    ["loses its texts", (event) => ({ ...event, extra: {} })],
    ["has fewer texts", (event) => withTexts(event, { 0: "a" })],
  ])("cost all texts when the event %s", async (_, capture) => {
    expect((await scrub(capture, ["a", "b"])).answer).toBeUndefined();
  });

  test("that are no texts any more are empty", async () => {
    const { answer } = await scrub((event) => withTexts(event, { 0: 3, 1: "b" }), ["a", "b"]);
    expect(answer).toEqual(["", "b"]);
  });
});

describe("an event through capture", () => {
  const event = clientEvent("UserPromptSubmit", { prompt: "secret" });
  const capture = (answer: (event: ClientEvent) => unknown, broken = false) =>
    captureEvent(event, fakeHooks({ capture: answer as never }), broken);

  test("is what the plugins made of it, or dropped by the one that said so", async () => {
    expect(await capture((given) => ({ ...given, prompt: "[redacted]" }))).toMatchObject({
      ...{ event: { prompt: "[redacted]" }, failed: [] },
    });
    expect(await capture(() => ({ drop: "excluded" }))).toMatchObject({ drop: "excluded" });
  });

  test.each<[string, (event: ClientEvent) => unknown, boolean]>([
    ["one of them is missing", (given) => given, true],
    ["it answers with another event", (given) => ({ ...given, id: "x", prompt: "secret" }), false],
    ["it answers with another session's", (given) => ({ ...given, session: "x" }), false],
  ])("loses its text when %s", async (_, answer, broken) => {
    const captured = await capture(answer, broken);
    expect(captured).toMatchObject({ event: { id: event.id, withheld: true } });
    expect(JSON.stringify(captured)).not.toContain("secret");
  });
});

test("on its way to the spool an event is redacted in every text, and keeps what it is", async () => {
  const token = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
  const event = clientEvent("PostToolBatch", {
    toolCalls: [
      {
        toolName: "Bash",
        toolUseId: token,
        toolInput: { command: `x ${token}` },
        toolResponse: `y ${token}`,
      },
    ],
  } as never);
  const { toolCalls } = (await redactEvent(event)) as unknown as {
    toolCalls: Array<Record<string, unknown>>;
  };
  expect(toolCalls[0]?.toolUseId).toBe(token);
  const { toolUseId: _, ...said } = toolCalls[0] ?? {};
  expect(JSON.stringify(said)).not.toContain(token);
  const prompt = await redactEvent(
    clientEvent("UserPromptSubmit", {
      prompt: `a <private>${"b"}</private> c`,
      extra: { token: "hunter22" },
    }),
  );
  expect(JSON.stringify(prompt)).not.toMatch(/<private>|hunter22/);
});
