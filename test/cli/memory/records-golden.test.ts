// Records in full to the letter: each kind with all that it can have and with nothing, in its colours, wide and narrow.
import { expect, test } from "bun:test";
import { join } from "node:path";
import pc from "picocolors";
import { recordLines } from "../../../src/cli/memory/show.ts";
import { turnLine } from "../../../src/cli/memory/turn-lines.ts";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { attributed } from "../../../src/server/memory/who-said.ts";
import { expectGolden } from "../../support/golden.ts";
import { painted } from "../../support/painted.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { observation, prompt, session, summary } from "../../support/records.ts";

const { time } = prompt("p1");
const marks = { pinned: true, hidden: true, edited: { time, was: {} } } as object;
const item = {
  ...{ id: "m1", kind: "decision", date: "2026-11-20", content: "Use SQLite.", context: "" },
  ...{ project: "github.com/acme/shop", session: "s1", client: "claude-code", time },
};
const turn = {
  ...{ id: "t1", session: "s1", client: "claude-code", project: "github.com/acme/shop" },
  ...{
    promptNumber: 2,
    startedAt: time,
    endedAt: time,
    end: "interrupted",
    files: [],
    missing: [],
  },
  pieces: [],
};
const records: Array<[string, object]> = [
  [
    "observation",
    observation("o1", {
      ...{ branch: "fix", filesRead: ["a.ts", "b.ts"], discoveryTokens: 900, observerTokens: 40 },
      ...{ agent: { id: "a7", type: "helper" }, supersededBy: "o9" },
      evidence: [
        { turn: 2, piece: 0 },
        { session: "s9", turn: 1, piece: 3 },
      ],
    }),
  ],
  [
    "observation",
    observation("o2", {
      ...{ subtitle: "", facts: [], narrative: "", concepts: [], filesModified: [] },
      ...{ agent: { id: "a7" }, ...marks },
    }),
  ],
  ["summary", summary("s1", { filesRead: [], filesEdited: [], ...{ pinned: true } })],
  ["summary", summary("s2", { scope: "prompt", notes: "Ask Ada.", promptNumber: 3 })],
  ["prompt", prompt("p1", { ...{ hidden: true } })],
  ["session", session("s1")],
  ["session", session("s2", { title: "", status: "active", ...{ pinned: true } })],
  ["memory", item],
  [
    "memory",
    {
      ...item,
      ...{ state: "candidate", context: "After a talk.", quote: "let us use SQLite", id: "m2" },
      evidence: [{ turn: 2, piece: 1 }],
    },
  ],
  ["memory", { ...item, quote: item.content }],
  ["turn", turn],
  [
    "turn",
    {
      ...turn,
      ...{ promptNumber: 0, end: "closed", gaps: true, leftOut: { failure: 2, ran: 5 } },
      files: [
        { path: "src/a.ts", changed: true, symbols: ["one", "two"] },
        { path: "src/b.ts", changed: true },
        { path: "README.md", changed: false },
        { path: "docs/c.md", changed: false },
      ],
      pieces: [
        { piece: 0, kind: "prompt", text: "Fix it.", time },
        { piece: 1, kind: "said", text: "Let me look.", time, agent: "helper" },
        {
          piece: 2,
          kind: "ran",
          text: "",
          about: "bun test",
          described: "Run tests",
          times: 3,
          time,
        },
        { piece: 3, kind: "report", text: "Nothing uses it.", time, agent: "Explore" },
        { piece: 4, kind: "failure", text: "boom", about: "bun test a.test.ts", time },
        { piece: 5, kind: "closing", text: "Done.\nAll of it.", time, shortened: 40 },
      ],
    },
  ],
];

test("every kind", async () => {
  const shown = (width: number | undefined) => {
    const terminal = plainTerminal({
      ...{ now: () => time + 7_200_000, width, colors: pc.createColors(true) },
    });
    return records.map(([kind, record]) => {
      const lines = recordLines(attributed({ kind, record } as StoredRecord), terminal);
      const short = kind === "turn" ? ["..", turnLine(record as Turn, width)] : [];
      return [...lines, ...short].join("\n");
    });
  };
  const text = [undefined, 50]
    .map((width) => `== width ${width ?? "any"}\n${shown(width).map(painted).join("\n--\n")}\n`)
    .join("\n")
    // Local time is the machine's.
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "DAY TIME");
  expect(text).not.toContain("undefined");
  await expectGolden(join(import.meta.dir, "golden/records.txt"), text);
});
