// What happens to an event: captured, committed, worked on, answered; and when its texts are withheld.
import { describe, expect, test } from "bun:test";
import type { ClientEvent } from "../../src/sdk/events.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import type { Settled } from "../../src/sdk/work.ts";
import { promptEvent, toolEvent } from "../support/hooks.ts";
import { fakeJournal, project, sessionStart, testRuntimes } from "./test-runtimes.ts";

const { start, config } = testRuntimes();

describe("an event", () => {
  test("is captured, committed, worked on and answered, in this order", async () => {
    const order: string[] = [];
    const { runtime, events, notes } = await start({
      "capture-privacy": {
        hooks: {
          capture: (event) => {
            order.push("capture");
            return { ...event, project };
          },
        },
      },
      "context-relevant": {
        hooks: {
          UserPromptSubmit: () => {
            order.push("reply");
            return { context: "known" };
          },
        },
      },
    });
    expect(await runtime.handle(promptEvent())).toEqual({
      reply: { context: "known" },
      accepted: "committed",
    });
    expect(order).toEqual(["capture", "reply"]);
    expect(notes).toEqual(["start worker", "append UserPromptSubmit", "wake s1"]);
    expect(events).toEqual([{ ...promptEvent(), project }]);
  });

  test("that is answered with a context leaves what was injected, where, when and of which records", async () => {
    let context: string | undefined = "x".repeat(400);
    const { runtime, injected } = await start({
      "capture-privacy": { hooks: { capture: (event) => ({ ...event, project }) } },
      "context-relevant": {
        hooks: { UserPromptSubmit: () => (context ? { context, records: ["t1"] } : undefined) },
      },
    });
    await runtime.handle(promptEvent());
    context = undefined;
    await runtime.handle(promptEvent({ key: "p2" }));
    const { client, session, time } = promptEvent();
    expect(injected).toEqual([
      {
        ...{ client, session, time, project: project.id, event: "UserPromptSubmit" },
        ...{ characters: 400, tokens: expect.any(Number), records: ["t1"] },
      },
    ]);
  });

  test("that is known is answered again and makes no work", async () => {
    const { runtime, notes } = await start({
      "context-relevant": { hooks: { UserPromptSubmit: () => ({ context: "known" }) } },
    });
    await runtime.handle(promptEvent());
    expect(await runtime.handle(promptEvent())).toEqual({
      reply: { context: "known" },
      accepted: "duplicate",
    });
    // By a second registration of the hooks: the same context twice in one request would be no help.
    const { reply, accepted } = await runtime.handle(promptEvent({ id: "e2" }));
    expect([reply.context, accepted]).toEqual([undefined, "duplicate"]);
    expect(reply.systemMessage).toContain("run twice");
    expect(notes.filter((note) => note.startsWith("wake"))).toHaveLength(1);
  });

  test("that is dropped is counted, and its tool use settled", async () => {
    const settled: Settled[] = [];
    const { runtime, notes, events } = await start({
      "capture-skip-tools": { hooks: { capture: () => ({ drop: "skip list: Bash" }) } },
      sqlite: {
        hooks: {
          settled: (one) => {
            settled.push(one);
          },
        },
      },
    });
    expect(await runtime.handle(toolEvent())).toEqual({
      reply: {},
      accepted: "dropped",
      reason: "skip list: Bash",
    });
    expect(notes).toEqual([
      "start worker",
      "count drop:skip list: Bash",
      "count settled:skipped",
      "settled t1",
    ]);
    expect(events).toEqual([]);
    expect(settled).toEqual([
      {
        session: "s1",
        toolUseId: "t1",
        outcome: "skipped",
        reason: "skip list: Bash",
        observations: [],
      },
    ]);
    await runtime.handle(promptEvent());
    expect(settled).toHaveLength(1);
    expect(notes.slice(4)).toEqual(["count drop:skip list: Bash"]);
    const before = notes.length;
    expect(await runtime.handle(toolEvent())).toMatchObject({ accepted: "dropped" });
    expect(settled).toHaveLength(1);
    expect(notes).toHaveLength(before);
  });

  test("whose commit fails is refused, and the next one is taken", async () => {
    let full = true;
    const journal = fakeJournal({
      append: async () => {
        if (full) throw new Error("disk full");
        return { seq: 1, promptNumber: 0, isNew: true };
      },
      count() {},
    });
    const { runtime } = await start({}, { createJournal: async () => journal });
    expect(runtime.handle(promptEvent())).rejects.toThrow("disk full");
    full = false;
    expect(await runtime.handle(promptEvent())).toMatchObject({ accepted: "committed" });
  });

  test("can be answered without being kept", async () => {
    const { runtime, notes } = await start({
      "capture-project": { hooks: { capture: (event) => ({ ...event, project }) } },
      "context-handover": {
        hooks: { SessionStart: (event) => ({ context: event.project?.name ?? "none" }) },
      },
    });
    expect(await runtime.reply({ ...sessionStart })).toEqual({ context: "shop" });
    expect(notes).toEqual(["start worker"]);
  });

  test("starting a session waits for that project's work, unless it comes late from the spool", async () => {
    const { runtime, drains } = await start();
    await runtime.handle({ ...sessionStart, time: 1_000 });
    expect(drains).toEqual([{ project: project.id, timeoutMs: 700 }]);
    await runtime.handle({ ...sessionStart, key: "old", time: -60_000 });
    await runtime.handle(promptEvent());
    expect(drains).toHaveLength(1);
  });
});

describe("text is withheld", () => {
  const fail = () => {
    throw new Error("no");
  };
  const wrongIdentity = (event: ClientEvent) => ({ ...event, session: "other" });
  test.each<[string, Record<string, Partial<AnyPlugin>>, unknown, boolean]>([
    [
      "when a capture plugin throws",
      { "capture-privacy": { hooks: { capture: fail } } },
      {},
      false,
    ],
    [
      "when a capture plugin answers another event",
      { "capture-privacy": { hooks: { capture: wrongIdentity } } },
      {},
      false,
    ],
    ["when a capture plugin did not start", { "capture-privacy": { start: fail } }, {}, true],
    [
      "when a capture plugin's options are wrong",
      {},
      { plugins: { "capture-privacy": { patern: "x" } } },
      true,
    ],
    ["when a capture plugin is not found", {}, { slots: { capture: ["./gone.ts", "..."] } }, true],
    ["when what to capture cannot be read", {}, { slots: { capture: [1] } }, true],
  ])("%s", async (_, special, set, shown) => {
    await config(set);
    const { runtime, events, notes } = await start(special);
    expect(
      await runtime.handle(promptEvent({ prompt: "secret", extra: { more: "secret" } })),
    ).toMatchObject({ accepted: "committed" });
    expect(events).toMatchObject([{ withheld: true, session: "s1" }]);
    expect(JSON.stringify(events)).not.toContain("secret");
    expect(notes).toContain("count withheld");
    expect((await runtime.status()).textWithheld).toBe(shown);
  });

  test("and not when all is well", async () => {
    const { runtime, events } = await start();
    await runtime.handle(promptEvent());
    expect(events).toEqual([promptEvent()]);
  });
});
