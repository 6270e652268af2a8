// A turn as people read it: who said what, what was done, what is missing.
import { expect, test } from "bun:test";
import { filterWords } from "../../../src/cli/memory/filter.ts";
import { outcomeLine, turnLine, turnLines } from "../../../src/cli/memory/turn-lines.ts";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import type { EvidenceKind, Turn } from "../../../src/sdk/turn.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

const hour = 3_600_000;
const turn: Turn = {
  ...{ id: "t12", session: "s1", client: "claude-code", project: "shop", promptNumber: 2 },
  ...{ startedAt: hour, time: 2 * hour, end: "closed" },
  pieces: [
    { kind: "prompt", text: "Fix the cart" },
    { kind: "refusal", about: "rm -rf dist", text: "Not that one" },
    { kind: "ran", about: "make", described: "Build it", text: "ok", times: 3 },
    { kind: "report", agent: "a7", text: "Only a.ts calls it.", shortened: 90 },
    { kind: "said", text: "Nearly." },
    { kind: "closing", text: "The total is a getter now." },
  ],
  files: [
    { path: "src/cart.ts", changed: true, symbols: ["total", "lines"] },
    { path: "src/mail.ts", changed: false },
    { path: "src/a.ts", changed: false },
  ],
};
const terminal = plainTerminal({ now: () => 4 * hour });
const lines = (part: Partial<Turn> = {}) => turnLines({ ...turn, ...part }, terminal);

test("each piece with who it is from, what it is about, how often, and what was left out", () => {
  expect(lines()).toEqual([
    `t12  turn, prompt 2  ended  ${dateTime(hour)} (3h ago), session s1`,
    ...["", "  you asked", "    Fix the cart"],
    ...["", "  you refused: rm -rf dist", "    Not that one"],
    ...["", "  ran 3 times: Build it", "    make", "    ok"],
    ...["", "  report of a subagent a7", "    Only a.ts calls it."],
    "    (90 characters left out)",
    ...["", "  said", "    Nearly."],
    ...["", "  answer", "    The total is a getter now."],
    ...["", "  changed", "    src/cart.ts (total, lines)"],
    ...["", "  read", "    src/mail.ts, src/a.ts"],
  ]);
});

test("each kind of piece has a word of its own; what was left open is said so", () => {
  const words: Array<[EvidenceKind, string]> = [
    ...([
      ["prompt", "you asked"],
      ["typed", "you added"],
      ["refusal", "you refused"],
    ] as const),
    ...([
      ["choice", "you chose"],
      ["plan", "you accepted the plan"],
    ] as const),
    ...([
      ["interrupted", "you stopped it"],
      ["closing", "answer"],
      ["said", "said"],
    ] as const),
    ...([
      ["task", "task for a subagent"],
      ["todo", "to do"],
    ] as const),
    ...([
      ["report", "report of a subagent"],
      ["compaction", "compaction summary"],
    ] as const),
    ...([
      ["commit", "commit"],
      ["failure", "failed"],
      ["repair", "repaired"],
    ] as const),
    ...([
      ["passed", "passed"],
      ["ran", "ran"],
    ] as const),
  ].map(([kind, word]) => [kind, word]);
  const pieces = words.map(([kind]) => ({ kind, text: "" }));
  const shown = lines({ pieces, files: [], end: "open" });
  expect(shown[0]).toStartWith("t12  turn, prompt 2  left open  ");
  expect(shown.filter((line) => /^ {2}\S/.test(line)).map((line) => line.trim())).toEqual(
    words.map(([, word]) => word),
  );
  const agent = lines({ pieces: [{ kind: "ran", agent: "a7", text: "ok" }], files: [] });
  expect(agent[2]).toBe("  ran by subagent a7");
});

test("what is not there is said", () => {
  const bare = { pieces: [], files: [] };
  expect(lines({ ...bare, promptNumber: 0, end: "interrupted" })).toEqual([
    `t12  turn, before any prompt  stopped by you  ${dateTime(hour)} (3h ago), session s1`,
  ]);
  expect(lines({ ...bare, leftOut: { ran: 4, said: 1 }, gaps: true }).slice(1)).toEqual([
    "",
    "  not kept, because there were too many: 4 of ran, 1 of said",
    "",
    "  what was said between tool uses is missing: the transcript was not there",
  ]);
});

test("one line: what was asked, how it ended, and how much was changed", () => {
  expect(turnLine(turn, undefined)).toBe("“Fix the cart” → The total is a getter now. (1 file)");
  expect(outcomeLine({ ...turn, end: "interrupted", files: [] }, undefined)).toBe(
    "→ The total is a getter now. (stopped by you)",
  );
  expect(outcomeLine({ ...turn, pieces: turn.pieces.slice(0, 5) }, undefined)).toBe(
    "→ Nearly. (1 file)",
  );
  expect(turnLine({ ...turn, pieces: [], files: [] }, undefined)).toBe("");
  const asked = "Fix the cart and every total in it, please";
  const short = { ...turn, files: [], pieces: [{ kind: "prompt" as const, text: asked }] };
  expect(turnLine(short, asked.length + 4)).toBe(`“${asked}”`);
  for (const width of [44, 60, 80])
    expect([width, turnLine(turn, width).length <= width]).toEqual([width, true]);
});

test("a filter is repeated in words, dates as people read them", () => {
  expect(filterWords({})).toBe("");
  const query = { project: "shop", kinds: "turn", since: hour, until: 2 * hour, limit: 5 };
  expect(filterWords(query)).toBe(
    `in project shop, among turns, since ${dateTime(hour)}, before ${dateTime(2 * hour)}`,
  );
  const others = {
    session: "s",
    type: "bugfix",
    concept: "x",
    file: "a.ts",
    client: "c",
    level: "full",
  };
  expect(filterWords(others)).toBe(
    "in session s, of type bugfix, with concept x, on file a.ts, of client c, at level full",
  );
});
