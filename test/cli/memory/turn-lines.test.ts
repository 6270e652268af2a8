// A turn in one line, and the client that a record is from; whole turns are in the golden records.
import { expect, test } from "bun:test";
import { inClient, outcomeLine, turnLine } from "../../../src/cli/memory/show.ts";
import type { Turn } from "../../../src/sdk/turn.ts";

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

test.each([
  ["claude-code", ""],
  ["qwen", " in Qwen Code"],
  ["diary", " in diary"],
])("a record of %s says it: “%s”", (client, words) => {
  expect(inClient(client)).toBe(words);
});
