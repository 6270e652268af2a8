// What the strategy learns from other hooks for the reads to come: prompts, tasks handed on, edits that failed.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import live from "../../../../plugins/endless-live/index.ts";
import { clientEvent } from "../../../support/client-events.ts";
import { fakeEndless } from "../../../support/fake-endless.ts";
import { openRoom } from "../../../support/plugin-room.ts";
import { withoutLines } from "../cases.ts";

const file = join(import.meta.dirname, "files/prices.ts.lines");
const content = String(withoutLines(JSON.parse(await readFile(file, "utf8"))));
const path = "/home/kim/shop/prices.ts";
const body = "const grossCoupon = line.netPrice * (1 + rate);";

async function open() {
  const endless = fakeEndless();
  const room = await openRoom(live, { config: { read: { sources: "everyone" } }, endless });
  let made = 0;
  const read = async (agent?: string): Promise<string | undefined> => {
    const lines = content.split("\n").length;
    const toolUseId = `toolu_${++made}`;
    const toolInput = { file_path: path };
    const toolResponse = {
      type: "text",
      file: { filePath: path, content, numLines: lines, startLine: 1, totalLines: lines },
    };
    endless.originals.set(toolUseId, { input: toolInput, response: toolResponse });
    const replies = await room.hooks.sequence(
      "PostToolUse",
      clientEvent("PostToolUse", {
        toolName: "Read",
        toolUseId,
        toolInput,
        toolResponse,
        ...(agent !== undefined && { agent: { id: agent } }),
      }),
    );
    const [reply] = replies.flatMap((one) => (one === undefined ? [] : [JSON.stringify(one)]));
    return reply;
  };
  return { room, read };
}

test("without a word about it a body is left out", async () => {
  const { read } = await open();
  const reply = await read();
  expect(reply).toContain("left out: ");
  expect(reply).not.toContain(body);
});

test("what a prompt names stays", async () => {
  const { room, read } = await open();
  await room.hooks.sequence(
    "UserPromptSubmit",
    clientEvent("UserPromptSubmit", { prompt: "Look at grossCoupon." }),
  );
  expect(await read()).toContain(body);
});

test("what a task names stays for the agent that is sent", async () => {
  const { room, read } = await open();
  await room.hooks.sequence(
    "PreToolUse",
    clientEvent("PreToolUse", {
      toolName: "Task",
      toolUseId: "toolu_task",
      toolInput: { prompt: "Find out about grossCoupon." },
    }),
  );
  expect(await read("a1")).toContain(body);
});

test("after an edit that failed the file comes whole", async () => {
  const { room, read } = await open();
  await room.hooks.sequence(
    "PostToolUseFailure",
    clientEvent("PostToolUseFailure", {
      toolName: "Edit",
      toolUseId: "toolu_edit",
      toolInput: { file_path: path, old_string: "a", new_string: "b" },
      error: "String to replace not found in file.",
      isInterrupt: false,
    }),
  );
  expect(await read()).toBe(undefined);
  expect(await read()).toContain("as you read or wrote them before");
});
