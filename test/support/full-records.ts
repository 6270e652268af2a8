// A record of each kind with all that it can have, and with nothing, for golden files of what shows records.
import type { StoredRecord } from "../../src/sdk/storage.ts";
import { observation, prompt, session, summary } from "./records.ts";

/** When all of it was. */
export const { time } = prompt("p1");
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

/** The lot of them. */
export const fullRecords: readonly StoredRecord[] = records.map(
  ([kind, record]) => ({ kind, record }) as StoredRecord,
);
