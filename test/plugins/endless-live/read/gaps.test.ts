// What a read with gaps must hold to, whatever the file: every line stays word for word or is counted by a mark.
import { describe, expect, test } from "bun:test";
import { type Gap, leaveOut, parseView } from "../../../../plugins/endless-live/read/gaps.ts";
import { knownLines } from "../../../../plugins/endless-live/read/read.ts";
import { isReduced } from "../../../../plugins/endless-live/reducer.ts";
import { createSeen } from "../../../../plugins/endless-live/seen.ts";

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

const path = "/home/kim/shop/a.ts";
function readOf(lines: readonly string[], startLine: number) {
  const file = {
    filePath: path,
    content: lines.join("\n"),
    numLines: lines.length,
    startLine,
    totalLines: 900,
    later: "kept",
  };
  const arrived = {
    id: "t1",
    tool: "Read",
    input: { file_path: path },
    response: { type: "text", file },
    recall: "memoir recall t1",
  };
  const view = parseView(arrived.response);
  if (!view) throw new Error("no view");
  return { arrived, view };
}

describe("a read with gaps", () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))("seed %i", (seed) => {
    const below = random(seed + 1);
    const count = 5 + below(80);
    const lines = Array.from({ length: count }, (_, at) => `${at} ${"word ".repeat(below(30))}`);
    const startLine = 1 + below(300);
    const gaps: Gap[] = [];
    for (let from = below(6); from < count; ) {
      const to = Math.min(count - 1, from + below(12));
      gaps.push({ from, to, why: "left out" });
      from = to + 2 + below(9);
    }
    const { arrived, view } = readOf(lines, startLine);
    const reduced = leaveOut(arrived, view, gaps, "how");
    if (!reduced) {
      expect(lines.join("").length).toBeLessThan(20_000);
      return;
    }
    expect(isReduced(reduced.after)).toBe(true);
    const { file } = reduced.response as ReturnType<typeof readOf>["view"]["response"];
    expect(file).toMatchObject({ filePath: path, totalLines: 900, later: "kept" });
    const shown = file.content.split("\n").slice(0, -1);
    let line = startLine;
    const verbatim: number[] = [];
    for (const text of shown) {
      const mark = /^\[lines? (\d+)(?:-(\d+))? left out/.exec(text);
      if (mark) {
        expect(Number(mark[1])).toBe(line);
        line = Number(mark[2] ?? mark[1]) + 1;
      } else {
        expect(text).toBe(lines[line - startLine] ?? "beyond the file");
        verbatim.push(line++);
      }
    }
    expect(line).toBe(startLine + count);
    expect(
      (reduced.shownLines ?? []).flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, at) => from + at),
      ),
    ).toEqual(verbatim);
  });

  test("numbers behind what is left out at the beginning are true", () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line number ${at + 11}`);
    const { arrived, view } = readOf(lines, 11);
    const reduced = leaveOut(arrived, view, [{ from: 0, to: 29, why: "left out" }], "how");
    expect(reduced?.after.split("\n").slice(0, 2)).toEqual([
      "    40→[lines 11-40 left out]",
      "    41→line number 41",
    ]);
  });

  test("nothing that hides less than its mark is long is left out", () => {
    const { arrived, view } = readOf(["a", "b", "c", "d"], 1);
    expect(leaveOut(arrived, view, [{ from: 1, to: 2, why: "left out" }], "how")).toBe(undefined);
  });
});

describe("lines that are known", () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))(
    "stand in an earlier view %i",
    (seed) => {
      const below = random(seed + 7);
      const seen = createSeen().of("s1", undefined);
      const old = Array.from({ length: 120 }, () => `statement ${below(40)}`);
      seen.addView({
        path,
        startLine: 1,
        lines: old,
        shown: [
          [1, 50],
          [70, 120],
        ],
      });
      const now = old
        .slice(below(40), 60 + below(60))
        .map((line) => (below(12) === 0 ? `new ${line}` : line));
      const visible = new Set(old.filter((_, at) => at < 50 || at >= 69));
      const file = seen.file(path);
      const known = file ? knownLines(now, file) : [];
      expect(known.length).toBe(now.length);
      for (const [at, is] of known.entries()) if (is) expect(visible.has(now[at] ?? "")).toBe(true);
    },
  );

  test("a file of one repeated line takes no time", () => {
    const seen = createSeen().of("s1", undefined);
    const lines = Array.from({ length: 2_000 }, () => "same");
    for (let at = 0; at < 12; at++) seen.addView({ path, startLine: 1, lines });
    const file = seen.file(path);
    expect(file && knownLines(lines, file).every(Boolean)).toBe(true);
  });
});
