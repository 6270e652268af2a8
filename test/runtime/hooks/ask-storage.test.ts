// A storage written before there were turns goes on working.
import { expect, test } from "bun:test";
import { askStorage, withoutHidden } from "../../../src/runtime/hooks/ask-storage.ts";
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

test("a storage that cannot edit, pin or hide says so, and the rest of it works", async () => {
  await expect(
    askStorage(older, "storage.amend", { id: "o1", hidden: true }),
  ).rejects.toMatchObject({
    code: "storage_unanswered",
    message: "The storage in use cannot edit, pin or hide.",
    fix: expect.stringContaining("Nothing was changed"),
  });
  expect(await askStorage(withoutHidden(older), "storage.prompts", {})).toEqual([]);
});

test("who tells agents is given nothing hidden, also by a storage that does not know the question", async () => {
  const asked: unknown[] = [];
  const records = [{ id: "p1", hidden: true }, { id: "p2" }];
  const hooks = hooksOf([
    fakePlugin("all", {
      hooks: {
        "storage.prompts": (query) => {
          asked.push(query);
          return records as never;
        },
        "storage.get": () => records.map((record) => ({ kind: "prompt", record })) as never,
        "storage.search": () => [{ id: "p1", marks: ["hidden"] }, { id: "p2" }] as never,
        "storage.stats": (query) => {
          asked.push(query);
          return { sessions: 1 } as never;
        },
      },
    }),
  ]);
  const told = withoutHidden(hooks);
  expect(await askStorage(told, "storage.prompts", { limit: 2 })).toEqual([records[1]] as never);
  expect(await askStorage(told, "storage.prompts", { hidden: true })).toEqual(records as never);
  expect(await askStorage(told, "storage.get", { ids: ["p1"] })).toHaveLength(1);
  expect(await askStorage(told, "storage.search", { text: "" })).toEqual([{ id: "p2" }] as never);
  await askStorage(told, "storage.stats", {});
  expect(asked).toEqual([{ limit: 2, hidden: false }, { hidden: true }, {}]);
});
