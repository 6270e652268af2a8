// Nothing private, secret or our own leaves the capture stack, whatever field it stands in.
import { describe, expect, test } from "bun:test";
import plugin from "../../../plugins/capture-privacy/index.ts";
import { wrapContext } from "../../../src/privacy/marker.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { clientEventNames } from "../../../src/sdk/hooks.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";

const token = ["gh", "p_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
const dirt = `keep1 <private>HIDDEN</private> ${token} ${wrapContext("HIDDEN")} keep2`;
const clean = "keep1  [redacted:github-token]  keep2";

async function capture(event: ClientEvent): Promise<unknown> {
  const { hooks } = await openRoom(plugin);
  const { value, failed } = await hooks.reduce("capture", event);
  expect(failed).toEqual([]);
  return value;
}

const dirty: ClientEvent[] = [
  clientEvent("UserPromptSubmit", { prompt: dirt }),
  toolEvent("t1", {
    toolInput: { command: dirt, nested: [{ deep: [dirt] }] },
    toolResponse: [{ type: "text", text: dirt }],
  }),
  clientEvent("PreToolUse", { toolInput: dirt }),
  clientEvent("PostToolUseFailure", { error: dirt }),
  clientEvent("PostToolBatch", {
    toolCalls: [{ toolName: "Read", toolUseId: "t1", toolInput: { a: dirt }, toolResponse: dirt }],
  }),
  clientEvent("Stop", { lastAssistantMessage: dirt }),
  clientEvent("SubagentStop", { lastAssistantMessage: dirt }),
  clientEvent("PostCompact", { compactSummary: dirt }),
  clientEvent("Other", { extra: { message: dirt, [dirt]: 1 } }),
];

describe("capture-privacy", () => {
  test("a field that another plugin added is a secret by its name", async () => {
    const event = { ...clientEvent("Other", {}), token: "hunter2-abcd-efgh" } as ClientEvent;
    expect(await capture(event)).toMatchObject({ token: "[redacted:token]" });
  });

  for (const event of dirty) {
    test(event.name, async () => {
      const value = await capture(event);
      const text = JSON.stringify(value);
      expect(text).not.toContain("HIDDEN");
      expect(text).not.toContain(token.slice(4));
      expect(text).toContain(clean);
      expect(value).toMatchObject({ id: event.id, key: event.key, session: event.session });
    });
  }

  test("every event passes unchanged when it is clean, frame included", async () => {
    for (const name of clientEventNames) {
      const event = clientEvent(name, {
        cwd: "/home/ada/<private>/x",
        transcriptPath: "/home/ada/token=abcdef.jsonl",
        agent: { id: "a1", type: "Explore" },
        extra: { effort: { level: "high" } },
      });
      expect(await capture(event)).toEqual(event);
    }
  });

  test("a prompt that was private as a whole keeps its place", async () => {
    const event = clientEvent("UserPromptSubmit", { prompt: " <private>HIDDEN</private> " });
    expect(await capture(event)).toEqual({ ...event, prompt: "[private]" });
    const own = clientEvent("UserPromptSubmit", { prompt: wrapContext("x") });
    expect(await capture(own)).toEqual({ ...own, prompt: "" });
  });

  test("a field of a later version is scrubbed although nobody knows it", async () => {
    const event = { ...clientEvent("Stop"), laterField: dirt };
    expect(JSON.stringify(await capture(event))).toContain(clean);
  });
});

test("a prompt that was empty is not told as private, though something else was", async () => {
  const event = clientEvent("UserPromptSubmit", { prompt: " ", extra: { title: dirt } });
  expect(await capture(event)).toMatchObject({ prompt: " ", extra: { title: clean } });
});

test("it runs behind all other capture plugins", () => {
  expect(plugin.hooks?.capture).toMatchObject({ order: "post" });
});
