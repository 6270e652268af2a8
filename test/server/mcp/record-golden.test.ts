// Records as an agent reads them, to the letter: each kind with all that it can have and with nothing.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { recordText, resultsText, timelineText } from "../../../src/server/mcp/record-text.ts";
import type { TimelineItem } from "../../../src/server/memory/timeline.ts";
import { fullRecords } from "../../support/full-records.ts";
import { expectGolden } from "../../support/golden.ts";
import { observation, searchResult, timelineItem } from "../../support/records.ts";

test("every kind, in full and in a timeline, and what a search found", async () => {
  const hits = [
    searchResult(observation("o1")),
    { ...searchResult(observation("o2", { facts: [] })), excerpt: "the words", project: "" },
  ];
  const timeline = fullRecords
    .filter(({ kind }) => ["observation", "summary", "prompt", "turn"].includes(kind))
    .map((stored) => timelineItem(stored) as TimelineItem);
  const text = [
    ...fullRecords.map((stored) => recordText(stored)),
    `timeline\n${timelineText(timeline)}`,
    `found\n${resultsText(hits)}`,
  ].join("\n--\n");
  expect(text).not.toContain("undefined");
  await expectGolden(join(import.meta.dir, "records.txt"), `${text}\n`);
});
