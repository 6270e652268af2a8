// What stays of a program's output: head, tail and trouble with its neighbours; repeats and noise go, and are counted.
import { describe, expect, test } from "bun:test";
import {
  type LogKind,
  shortenGeneric,
  shortenLog,
} from "../../../../plugins/endless-live/text/log.ts";
import { cutLine, linesMark, render, rowsOf } from "../../../../plugins/endless-live/text/rows.ts";
import { defaultPolicy } from "../cases.ts";

const policy = { ...defaultPolicy, headLines: 3, tailLines: 2, aroundLines: 1 };
const kind: LogKind = { how: "kept something" };
const word = (at: number) => `the ${"abcdefghijklmnopqrstuvwxyz"[at % 26]}${at} row of many`;
const rows = (count: number) => Array.from({ length: count }, (_, at) => word(at));
const shorten = (
  lines: readonly string[],
  more: Partial<LogKind> = {},
  moved: Partial<typeof policy> = {},
  firstLine?: number,
) =>
  shortenLog(
    lines.join("\n"),
    { ...policy, ...moved },
    { command: "", ...(firstLine !== undefined && { firstLine }) },
    { ...kind, ...more },
  );
const told = (...asked: Parameters<typeof shorten>) => shorten(...asked)?.text.split("\n");

test("a long output keeps its first and last lines; what is missing is named by line", () => {
  expect(shorten(rows(16))).toMatchObject({
    text: [...rows(3), "… lines 4–14", ...rows(16).slice(14)].join("\n"),
    leftOut: "11 of 16 lines",
    how: "kept something",
  });
});

test("ten lines between head and tail are not worth it", () => {
  expect(shorten(rows(15))).toBeUndefined();
});

test("lines are counted from where the part begins", () => {
  expect(told(rows(16), {}, {}, 101)?.[3]).toBe("… lines 104–114");
});

test("what is indented below a line of trouble stays with it, up to eight lines: the frames of a stack", () => {
  const frames = Array.from({ length: 12 }, (_, at) => `    #${at} in ${word(at)}`);
  const told = shorten([...rows(20), "ERROR: overflow", ...frames, ...rows(40).slice(20)])?.text;
  expect(told).toContain(["ERROR: overflow", ...frames.slice(0, 8)].join("\n"));
  expect(told).not.toContain("#8 in");
  // Not where it is as deep as what is around it.
  const flat = shorten([...rows(20), "ERROR: overflow", ...rows(60).slice(20)])?.text;
  expect(flat).toContain(["ERROR: overflow", word(20), "… lines"].join("\n"));
});

describe("repeats", () => {
  test("a line that came before goes, also where it differs in a time or a size only", () => {
    const shop = "the shop of many rooms and doors";
    const log = [
      `built ${shop} at 10:00:01 in 3.5 s`,
      `built ${shop} at 11:22:33,120 in 900ms`,
      `  built ${shop} at 1:02:03 in 12s`,
      `built ${shop} 2 at 1:02:03 in 12 s`,
      `read 12 kB of ${shop}`,
      `read 3.4 MiB of ${shop}`,
      `done by 4%, and ${shop}`,
      `done by 99%, and ${shop}`,
    ];
    expect(told(log)).toEqual([
      ...[log[0], "… lines 2–3", log[3], log[4], "… line 6", log[6], "… line 8"].map(String),
    ]);
  });

  test("a short line says something by being there twice, and so do lines of other paths and places", () => {
    const short = Array(8).fill("x".repeat(11));
    expect(shorten(short)).toBeUndefined();
    expect(told(Array(8).fill("x".repeat(12)))).toEqual(["x".repeat(12), "… lines 2–8"]);
    const places = rows(9).map((_, at) => `src/cart.ts:${at}:1 is used`);
    expect(shorten(places)).toBeUndefined();
  });

  test("very long lines are the same only when they are the same", () => {
    const long = (time: string) => `${time} ${"x".repeat(2_000)}`;
    const lines = [long("10:00:00"), long("10:00:01"), long("10:00:01")];
    expect(shorten(lines)?.leftOut).toBe("1 of 3 lines");
  });
});

describe("trouble", () => {
  test("is told by its words, a problem like an error", () => {
    for (const said of [
      "== Info: SSL certificate problem: self-signed",
      "[hall] 2 errors: no room",
    ])
      expect(told([...rows(20), said, ...rows(40).slice(20)])).toContain(said);
    const none = "[hall] 0 problems: room";
    expect(told([...rows(20), none, ...rows(40).slice(20)])).not.toContain(none);
  });

  const with40 = (line: string) => rows(80).with(40, line);
  test("stays with its neighbours", () => {
    expect(told(with40("error: no such order"))?.slice(3, 8)).toEqual([
      ...["… lines 4–39", word(39), "error: no such order", word(41), "… lines 43–78"],
    ]);
    expect(told(with40("error: no such order"), {}, { aroundLines: 0 })).toContain("… lines 4–40");
  });

  test("stays while there is room for it", () => {
    const many = rows(80).map((line, at) =>
      at < 45 || at > 78 ? line : `error ${["(a)", "[b]", "<c>", "{d}"][at % 4]} of the ${line}`,
    );
    const kept = (troubleCharacters: number) =>
      told(many, {}, { troubleCharacters })?.filter((line) => line.startsWith("error")).length ?? 0;
    expect(kept(280)).toBeLessThan(20);
    expect(kept(280)).toBeGreaterThan(8);
    expect(kept(0)).toBe(1);
  });

  test("a line that is shown cut costs what is shown", () => {
    const long = `error ${"x".repeat(5_000)}`;
    const lines = with40(long).with(60, "error: at the end");
    const short = told(lines, {}, { troubleCharacters: 700, lineCharacters: 100 });
    expect(short).toContain("error: at the end");
  });
});

describe("noise", () => {
  const noisy = [...rows(4), ...Array.from({ length: 9 }, (_, at) => `passed src/t${at}.ts`)];
  const isNoise = (line: string) => line.startsWith("passed");
  test("goes, is counted, and its paths are listed", () => {
    expect(shorten(noisy, { isNoise })).toMatchObject({
      text: [
        ...rows(4),
        "… lines 5–13",
        `… paths in the lines left out: ${Array.from({ length: 9 }, (_, at) => `src/t${at}.ts`).join(" ")}`,
      ].join("\n"),
      leftOut: "9 of 13 lines",
      how: "kept something",
    });
    expect(shorten(noisy, { isNoise })?.leftOut).toBe("9 of 13 lines");
  });

  test("is told by its place too", () => {
    const noiseRows = () => new Set([5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(shorten(noisy, { noiseRows })?.leftOut).toBe("9 of 13 lines");
  });
});

test("what a kind keeps whole comes back, repeats in it too, and takes no room of other trouble", () => {
  const lines = [...rows(20), "error: first of them", "a word of it again", "a word of it again"];
  const whole = () => new Set([21, 22, 23]);
  const short = told([...lines, ...rows(40).slice(20)], { whole }, { troubleCharacters: 0 });
  expect(short?.slice(4, 7)).toEqual(lines.slice(20));
});

test("rows: each has its number, its last state and no colours", () => {
  expect(rowsOf("one\r\n\u001b[31mtwo\u001b[0m  \n10%\r20%", 4)).toEqual([
    { line: 4, text: "one" },
    { line: 5, text: "two" },
    { line: 6, text: "20%" },
  ]);
  expect(rowsOf("a")[0]?.line).toBe(1);
});

test("a cut line says how much is missing; one that fits is whole", () => {
  expect(cutLine("12345", 5)).toBe("12345");
  expect(cutLine("123456", 5)).toBe("12345… (+1 characters)");
  expect([linesMark(3, 3), linesMark(3, 4)]).toEqual(["… line 3", "… lines 3–4"]);
});

describe("gaps", () => {
  const shown = (lines: readonly string[], kept: readonly number[]) => {
    const { text, missing } = render(
      rowsOf(lines.join("\n")),
      ({ line }) => kept.includes(line),
      (line) => line,
    );
    return [text.split("\n"), missing.map(({ line }) => line)];
  };
  const wide = "x".repeat(39);
  test("one that is shorter than its mark is filled again", () => {
    expect(shown(["a", "x".repeat(38), "b"], [1, 3])).toEqual([["a", "x".repeat(38), "b"], []]);
    expect(shown(["a", wide, "b"], [1, 3])).toEqual([["a", "… line 2", "b"], [2]]);
    expect(shown([wide, "b", wide], [2])).toEqual([
      ["… line 1", "b", "… line 3"],
      [1, 3],
    ]);
  });
  test("empty lines between two join them; before a line that stays they stay", () => {
    expect(shown([wide, "", wide, "b"], [2, 4])).toEqual([
      ["… lines 1–3", "b"],
      [1, 2, 3],
    ]);
    expect(shown([wide, "", "b", ""], [2, 3, 4])).toEqual([["… line 1", "", "b", ""], [1]]);
    expect(shown(["x", "", "b"], [2, 3])).toEqual([["x", "", "b"], []]);
  });
});

describe("output that nothing is known of", () => {
  const generic = (text: string, moved = {}) =>
    shortenGeneric(text, { ...defaultPolicy, ...moved }, { command: "" });
  const prose = (count: number) =>
    Array.from({ length: count }, (_, at) => `This is the ${word(at)}, and it says so.`);
  test("is left alone up to a size", () => {
    const text = rows(300).join("\n");
    expect(generic(text, { genericOver: text.length })).toBeUndefined();
    expect(generic(text, { genericOver: text.length - 1 })?.how).toBe(
      "kept head, tail and trouble",
    );
  });
  test("is prose where most lines are sentences, points or headings: its beginning stays", () => {
    const half = (count: number) => [...prose(count), ...rows(100)].join("\n");
    const how = (text: string) => generic(text, { genericOver: 10, answerCharacters: 500 })?.how;
    const asLog = "kept head, tail and trouble";
    expect([how(half(100)), how(half(101)) === asLog]).toEqual([asLog, false]);
    for (const point of ["- see it", "3. see it", "## see it", "> see it", "* see it", "2) see it"])
      expect([
        point,
        how(`${rows(50).join("\n")}\n${Array(51).fill(point).join("\n")}`),
      ]).not.toEqual([point, asLog]);
  });
  test.each([
    "ends without a mark but has many words",
    "Four words and mark.",
    "a/b c/d e/f g/h plain words.",
    "-alone",
    "12:30 GET /a 200 ok.",
  ])("%s: no sentence", (line) => {
    const text = Array.from({ length: 60 }, () => line).join("\n");
    expect(generic(text, { genericOver: 10, answerCharacters: 300 })?.how).toBe(
      "kept head, tail and trouble",
    );
  });
});

test("where no line is missing, the characters that are cut are counted", () => {
  const long = `${"classes/shop.jar:".repeat(60)}end`;
  const short = shorten([long]);
  expect(short?.text).toContain("… (+");
  expect(short?.leftOut).toBe(
    `${long.length - (short?.text.length ?? 0)} of ${long.length} characters`,
  );
});
