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
  const files = (await readdir(folder)).map((name) => readFile(join(folder, name), "latin1"));
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
