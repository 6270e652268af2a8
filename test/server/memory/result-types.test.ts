// What a result is called: an observation by its type, what is kept across sessions by its kind, so that a command that passes is no decision.
import { expect, test } from "bun:test";
import { search } from "../../../src/server/memory/records.ts";
import { noon, sampleMemory, sampleSession } from "../../../src/testing/samples.ts";
import { askedRecords } from "../../support/asked-records.ts";

test("a command that was seen to pass is found as one, and a decision as a decision", async () => {
  const { store, runtime } = await askedRecords(() => noon);
  await store.put({
    key: "k",
    records: {
      sessions: [sampleSession()],
      memory: [
        sampleMemory({ kind: "workflows", content: "bun run walrus", state: "standing" }),
        sampleMemory({ kind: "decisions", content: "Walrus stays", state: "standing" }),
      ],
    },
  });
  const found = await search(runtime, { text: "walrus" });
  expect(found.map(({ title, type }) => `${type}: ${title}`).sort()).toEqual([
    "decisions: Walrus stays",
    "workflows: bun run walrus",
  ]);
  store.close();
});
