// What is kept of a long answer: its beginning, the headings of the rest, and the paths in it.
import { expect, test } from "bun:test";
import { shortenAnswer } from "../../../../plugins/endless-live/text/log.ts";
import { defaultPolicy } from "../cases.ts";

const shorten = (text: string, answerCharacters: number, firstLine?: number) =>
  shortenAnswer(
    text,
    { ...defaultPolicy, answerCharacters },
    { command: "", ...(firstLine !== undefined && { firstLine }) },
  );
const line = (at: number) => `line ${at} of it`;
const lines = (count: number) => Array.from({ length: count }, (_, at) => line(at + 10));

test("one that fits is left alone", () => {
  expect(shorten("x".repeat(100), 100)).toBeUndefined();
  expect(shorten("x".repeat(101), 100)).toBeDefined();
});

test("it ends at a blank line in its second half, else at a line's end, else where the room ends", () => {
  const text = lines(20).join("\n");
  expect(shorten(text, 100)).toEqual({
    text: [...lines(7), "… lines 8–20"].join("\n"),
    leftOut: `${text.length - 7 * 14 + 1} of ${text.length} characters (lines 8-20)`,
    how: "kept the beginning and the conclusion",
  });
  const blank = lines(20).with(4, "").join("\n");
  expect(shorten(blank, 100)?.text).toBe([...lines(4), "… lines 5–20"].join("\n"));
  const early = lines(20).with(1, "").join("\n");
  expect(shorten(early, 100)?.text).toContain(line(16));
  expect(shorten("x".repeat(300), 100)?.text).toBe(`${"x".repeat(100)}\n… line 1`);
  expect(shorten(`short\n${"x".repeat(300)}`, 100)?.leftOut).toBe(
    "206 of 306 characters (lines 2-2)",
  );
});

test("the last paragraphs stay, as many as there is room for", () => {
  const text = [...lines(20), "", "So it is the cache.", "", "Delete the key and it works."].join(
    "\n",
  );
  const short = (answerCharacters: number) =>
    shorten(text, answerCharacters)?.text.split("\n").slice(-4);
  expect(short(240)).toEqual([
    "… lines 14–20",
    "So it is the cache.",
    "",
    "Delete the key and it works.",
  ]);
  expect(short(140)?.slice(-2)).toEqual(["… lines 9–22", "Delete the key and it works."]);
  expect(short(40)?.at(-1)).toStartWith("… lines ");
});

test("lines are counted from where the answer begins in the whole", () => {
  expect(shorten(lines(20).join("\n"), 100, 31)?.text).toEndWith("… lines 38–50");
});

test("the headings of the rest are named by their lines, forty of them at most", () => {
  const text = [...lines(7), "# One", "text", "#Two", "###### Three", "####### Four"].join("\n");
  expect(shorten(text, 100)?.text.split("\n").slice(7)).toEqual([
    ...["… lines 8–12", "… with the headings:", "8: # One", "11: ###### Three"],
  ]);
  const headings = (count: number) =>
    shorten([...lines(7), ...Array(count).fill("# More of it")].join("\n"), 100)?.text.split("\n");
  const most = headings(500)?.filter((row) => /^\d+: /.test(row)).length ?? 0;
  expect(headings(most)?.at(-1)).toBe(`${7 + most}: # More of it`);
  expect(headings(most + 1)?.at(-1)).toBe("… 1 more heading");
  expect(headings(500)?.at(-1)).toBe(`… ${500 - most} more headings`);
  expect(most).toBe(40);
});

test("paths in the rest are listed, those that were named before are not", () => {
  const text = [...lines(6), "src/a.ts", ...lines(9), "src/a.ts src/b.ts"].join("\n");
  expect(shorten(text, 100)?.text.split("\n").at(-1)).toBe(
    "… paths in the lines left out: src/b.ts",
  );
});
