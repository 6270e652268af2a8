// A storage written before there were turns goes on working.
import { expect, test } from "bun:test";
import { askStorage } from "../../../src/runtime/hooks/ask-storage.ts";
import { fakePlugin, hooksOf } from "../../support/hooks.ts";

const older = hooksOf([fakePlugin("older", { hooks: { "storage.prompts": () => [] } })]);

test("what an older storage does not know is empty there", async () => {
  expect(await askStorage(older, "storage.turns", {})).toEqual([]);
  expect(await askStorage(older, "storage.prompts", {})).toEqual([]);
});

test("what every storage answers is missed where nobody does", async () => {
  await expect(askStorage(older, "storage.sessions", {})).rejects.toMatchObject({
    code: "storage_unanswered",
  });
});
