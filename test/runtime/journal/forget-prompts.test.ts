// What is forgotten in the journal: named prompts or a whole session, their words in the files included.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";

let folder: string;
let journal: Journal;
let row: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-forget-"));
  journal = await createJournal(join(folder, "journal.db"), { now: () => 1_000, log: keptLog() });
  await journal.append(clientEvent("UserPromptSubmit", { prompt: "the first wish" }));
  await journal.append(toolEvent("use-1", { toolInput: { command: "make aardvark" } }));
  await journal.append(clientEvent("UserPromptSubmit", { prompt: "the second wish" }));
  await journal.append(toolEvent("use-2", { toolInput: { command: "make badger" } }));
  row = journal.rows("s1")[0] ?? 0;
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true });
});

const texts = async () => {
  const files = (await readdir(folder))
    .filter((name) => name.startsWith("journal.db"))
    .map((name) => readFile(join(folder, name), "latin1"));
  return (await Promise.all(files)).join("");
};

test("one prompt of two: its tool uses are named, the other stays, and so does the session", () => {
  expect(journal.forget(row, [1])).toEqual(["use-1"]);
  expect([journal.isForgotten(row, 1), journal.isForgotten(row, 2)]).toEqual([true, false]);
  expect(journal.isForgotten(row)).toBe(false);
});

test("each prompt one by one is the whole session", () => {
  journal.forget(row, [1]);
  journal.forget(row, [2]);
  expect(journal.isForgotten(row)).toBe(true);
});

test("without numbers every prompt up to now, not the next one", async () => {
  expect(journal.forget(row)).toEqual(["use-1", "use-2"]);
  expect([journal.isForgotten(row, 2), journal.isForgotten(row)]).toEqual([true, true]);
  await journal.append(clientEvent("UserPromptSubmit", { prompt: "a third wish" }));
  expect([journal.isForgotten(row, 3), journal.isForgotten(row)]).toEqual([false, false]);
});

test("the words are in none of the journal's files any more, the other prompt's are", async () => {
  expect(await texts()).toContain("aardvark");
  journal.forget(row, [1]);
  const left = await texts();
  expect([left.includes("aardvark"), left.includes("the first wish")]).toEqual([false, false]);
  expect([left.includes("badger"), left.includes("the second wish")]).toEqual([true, true]);
});

test("nothing of a forgotten event is left but who, when and where, and what kind of event it was", async () => {
  const unknown = { client_note: "the wish in other words" };
  await journal.append(
    clientEvent("Stop", {
      lastAssistantMessage: "a wombat is done",
      extra: unknown,
      promptId: "p2",
    }),
  );
  const failed = {
    toolUseId: "use-3",
    key: "k3",
    toolInput: { wish: "wombat" },
    error: "no wombat",
  };
  await journal.append(clientEvent("PostToolUseFailure", { ...failed, agent: { id: "sub" } }));
  journal.forget(row, [2]);
  const left: unknown[] = [];
  journal.turnEvents(row, 2, (event) => left.push(event));
  for (const event of left)
    expect(JSON.stringify(event)).not.toMatch(/wish|wombat|badger|in other words/);
  const base = { client: "claude-code", session: "s1", cwd: "/home/ada/shop" };
  expect(left).toEqual([
    expect.objectContaining({ ...base, name: "UserPromptSubmit", prompt: "" }),
    expect.objectContaining({ ...base, name: "PostToolUse", toolUseId: "use-2", toolName: "Read" }),
    expect.objectContaining({ ...base, name: "Stop", promptId: "p2" }),
    expect.objectContaining({
      ...base,
      name: "PostToolUseFailure",
      agent: { id: "sub" },
      error: "",
    }),
  ]);
});
