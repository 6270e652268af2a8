// Which turns are told, how pressing each is, how much room it asks for and what is said of it.
import { describe, expect, test } from "bun:test";
import { earlier, ownTurns, standing } from "../../../plugins/context-handover/history.ts";
import type { Line } from "../../../plugins/context-handover/line.ts";
import { labelsOf } from "../../../plugins/context-handover/line.ts";
import { pastOf } from "../../../plugins/context-handover/past.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { localClock } from "../../../src/text/amounts.ts";
import { type ShortPiece, turn } from "../../support/turns.ts";

const labels = labelsOf("en");
const noteOf = (turns: readonly Turn[]) => ({ clock: localClock, labels, turns: pastOf(turns) });
const asked = (number: number, session = "s1", part: object = {}) =>
  turn(number, [["prompt", `Look into part ${number}`]], { session, end: "closed", ...part });
const told = (lines: readonly Line[]) => lines.map(({ ids }) => ids[0]);

test("the newest turn stands first, all others follow newest first", () => {
  const note = noteOf([asked(2), asked(1), asked(3)]);
  expect(standing(note, 0.5)).toMatchObject([{ ids: ["t3"], section: "now", rank: 0.5 }]);
  expect(told(earlier(note))).toEqual(["t2", "t1"]);
  expect(told(ownTurns(note.turns, note))).toEqual(["t3", "t2", "t1"]);
  expect(standing(noteOf([]))).toEqual([]);
});

test("the last turn of a session asks for more room than those before it, the newest session's for most", () => {
  const note = noteOf([asked(1, "old"), asked(2, "old"), asked(3, "new"), asked(4, "new")]);
  expect(earlier(note).map(({ wanted }) => wanted)).toEqual([700, 500, 350]);
  expect(standing(note)[0]?.wanted).toBe(2_600);
});

describe("of two earlier turns more pressing is", () => {
  const commit: ShortPiece = ["commit", "Round", "abc"];
  const said: ShortPiece = ["prompt", "Look into it"];
  test.each<[string, Turn, Turn]>([
    ["the newer", asked(2), asked(1)],
    ["what was committed", turn(1, [said, commit]), turn(2, [said])],
    ["what changed files", turn(1, [said], { changed: ["a.ts"] }), turn(2, [said])],
    ["what has words of its own", turn(1, [["prompt", "Vouchers rounding"]]), turn(2, [])],
    [
      "the last of its session",
      asked(2, "old"),
      turn(1, [said, commit], { session: "old", changed: ["a.ts"] }),
    ],
    ["that of a newer session", asked(2, "newer"), turn(1, [said, commit], { session: "old" })],
  ])("%s", (_, first, second) => {
    const lines = earlier(noteOf([first, second, asked(9)]));
    const ranks = new Map(lines.map(({ ids, rank }) => [ids[0], rank]));
    expect(ranks.get(first.id)).toBeGreaterThan(ranks.get(second.id) ?? Number.NaN);
  });
});

describe("a turn says", () => {
  const sayings = (...turns: Turn[]) =>
    [...earlier(noteOf(turns)), ...standing(noteOf(turns))]
      .find(({ ids }) => ids[0] === "t1")
      ?.sayings()
      .map(({ label = "", text }) => `${label} ${text}`.trim());
  const prompt: ShortPiece = ["prompt", "Round the prices"];
  const open = { end: "open" } as const;
  test.each<[string, ShortPiece[], string[]]>([
    [
      "what was typed later as well",
      [prompt, ["typed", "in cents"]],
      ["asked: Round the prices\nin cents"],
    ],
    [
      "the subjects of its last two commits",
      [prompt, ["commit", "One\nbody", "a1 x"], ["commit", "Two", "b2"], ["commit", "Three", "c3"]],
      ["asked: Round the prices", "committed b2: Two", "committed c3: Three"],
    ],
    [
      "its closing, not what was said before",
      [prompt, ["said", "Hm."], ["closing", "Done."]],
      ["asked: Round the prices", "→ Done."],
    ],
    [
      "what stopped it",
      [prompt, ["interrupted", "", "bun test"]],
      ["asked: Round the prices", `${labels.stopped}: \`bun test\``],
    ],
  ])("%s", (_, pieces, wanted) => {
    expect(sayings(turn(1, pieces))).toEqual(
      wanted.map((text) =>
        text.replace(/^asked/, labels.asked).replace(/^committed/, labels.committed),
      ),
    );
  });
  test("what it said last as long as it is open and nothing came after", () => {
    const pieces: ShortPiece[] = [prompt, ["said", "First."], ["said", "Second."]];
    const asks = `${labels.asked}: Round the prices`;
    expect(sayings(turn(1, pieces, open))).toEqual([asks, `${labels.unended}: Second.`]);
    expect(sayings(turn(1, pieces, open), asked(2))).toEqual([asks]);
    expect(sayings(turn(1, pieces, { end: "closed" }))).toEqual([asks]);
  });
  test("nothing where a bare word is all that is left, unless it is the newest", () => {
    expect(sayings(turn(1, [["prompt", "exit"]]), asked(2))).toEqual([]);
    expect(sayings(turn(1, [["prompt", "exit"]]))).toHaveLength(1);
    expect(
      sayings(
        turn(1, [
          ["prompt", "yes"],
          ["commit", "One", "a1"],
        ]),
        asked(2),
      ),
    ).toHaveLength(2);
  });
});

test("a turn names the files of its own that were changed again later, three at most, and none in the own part", () => {
  const changed = ["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"];
  const first = turn(1, [["prompt", "Look into it"]], { changed: [...changed, "src/kept.ts"] });
  const note = noteOf([first, turn(2, [], { changed: [...changed, "src/other.ts"] })]);
  expect(earlier(note)[0]?.head).toEndWith(`(${labels.before} a.ts, b.ts, c.ts)`);
  expect(ownTurns(note.turns, note)[1]?.head).not.toContain("a.ts");
  const read = turn(2, [["prompt", "Look"]], { files: [{ path: "src/kept.ts", changed: false }] });
  const changedAfter = turn(3, [], { changed: ["src/kept.ts"] });
  expect(earlier(noteOf([first, read]))[0]?.head).not.toContain("kept.ts");
  expect(earlier(noteOf([read, changedAfter]))[0]?.head).not.toContain("kept.ts");
});
