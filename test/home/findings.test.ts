// What was found out about memoir's files: kept for good, told twice, and no more once it is seen.
import { expect, test } from "bun:test";
import { appendFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import {
  addFinding,
  type Finding,
  findingsFile,
  findingText,
  markSeen,
  markShown,
  openFindings,
  pruneFindings,
  readFindings,
  recentFindings,
} from "../../src/home/findings.ts";
import { inFolder } from "../support/in-folder.ts";

const finding: Finding = {
  time: 1_000,
  file: "memory.db",
  what: "was damaged",
  aside: "/h/memory.db.damaged-1000",
  saved: { observations: 569, sessions: 3, puts: 570 },
  lost: { pages: 1, rows: 2 },
};

test("is told twice, then no more at a prompt; a month long to who asks, or until it is seen", () =>
  inFolder(async (home) => {
    expect(readFindings(home)).toEqual([]);
    addFinding(home, finding);
    const [{ id } = { id: "" }] = readFindings(home);
    for (const left of [1, 1, 0]) {
      expect(openFindings(home)).toHaveLength(left);
      markShown(home, [id]);
    }
    const month = 30 * 24 * 60 * 60_000;
    expect(recentFindings(home, month)).toHaveLength(1);
    expect(recentFindings(home, 1_000 + month)).toEqual([]);
    markSeen(home, [id]);
    expect(recentFindings(home, 2_000)).toEqual([]);
  }));

test("is for the owner alone to read", () =>
  inFolder(async (home) => {
    addFinding(home, { time: 1, file: "memory.db", what: "was damaged" });
    expect((await stat(findingsFile(home))).mode & 0o777).toBe(0o600);
  }));

test("survives a line that was cut off", () =>
  inFolder(async (home) => {
    addFinding(home, finding);
    appendFileSync(findingsFile(home), '{"time":5,"file":"jour');
    addFinding(home, { ...finding, file: "usage.db" });
    expect(readFindings(home).map(({ file }) => file)).toEqual(["memory.db", "usage.db"]);
  }));

test("does not grow without end", () =>
  inFolder(async (home) => {
    const line = `${JSON.stringify({ ...finding, what: "x".repeat(900) })}\n`;
    appendFileSync(findingsFile(home), line.repeat(700));
    addFinding(home, { ...finding, file: "newest" });
    await pruneFindings(home);
    expect(Bun.file(findingsFile(home)).size).toBeLessThan(520_000);
    expect(readFindings(home).at(-1)?.file).toBe("newest");
  }));

test.each<[Finding, string]>([
  [
    finding,
    "memory.db was damaged. Saved: 3 sessions, 569 observations and 570 other rows. 1 page and 2 rows could not be read. The old file is kept: /h/memory.db.damaged-1000",
  ],
  [
    {
      ...{ time: 1, file: "memory.db", what: "was damaged", saved: { turns: 10 } },
      ...{ lost: { pages: 0, rows: 0 }, missing: { records: 32, of: 42 } },
      from: ["3 records, made again from the journal"],
    },
    "memory.db was damaged. Saved: 10 turns. 32 of the 42 records that it held when they were last counted are gone. Added: 3 records, made again from the journal.",
  ],
  [
    { time: 1, file: "usage.db", what: "was damaged", saved: {}, lost: { pages: 0, rows: 0 } },
    "usage.db was damaged. Nothing could be read out of it.",
  ],
  [
    {
      time: 1,
      file: "memory.db",
      what: "was gone",
      from: ["12 rows from the backup of yesterday"],
    },
    "memory.db was gone. Added: 12 rows from the backup of yesterday.",
  ],
])("%#: says what happened, what was saved and what was lost", (told, text) => {
  expect(findingText(told)).toBe(text);
});
