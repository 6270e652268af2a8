// The memory of what an agent has in its context: what it knows, what it forgets, and that it stays small.
import { describe, expect, test } from "bun:test";
import { remember } from "../../../plugins/endless-live/index.ts";
import { createSeen, hashLine } from "../../../plugins/endless-live/seen.ts";

const read = (path: string, from: number, ...lines: string[]) => ({
  tool: "Read",
  response: {
    type: "text",
    file: {
      filePath: path,
      content: lines.join("\n"),
      startLine: from,
      numLines: lines.length,
      totalLines: 99,
    },
  },
});

describe("seen", () => {
  test("views with their lines, oldest first", () => {
    const seen = createSeen().of("s1", undefined);
    remember(read("/a", 1, "one", "two"), undefined, seen);
    remember(read("/a", 2, "TWO"), undefined, seen);
    const views = seen.file("/a")?.views ?? [];
    expect(
      views.map(({ startLine, endLine, order, own }) => [startLine, endLine, order, own]),
    ).toEqual([
      [1, 2, 1, false],
      [2, 2, 2, false],
    ]);
    expect([...(views[0]?.hashes ?? [])]).toEqual([hashLine("one"), hashLine("two")]);
    expect(seen.file("/b")).toBeUndefined();
  });

  test("lines that were left out are not in the context", () => {
    const seen = createSeen().of("s1", undefined);
    const shownLines = [
      [10, 10],
      [13, 13],
    ] as const;
    remember(read("/a", 10, "a", "b", "c", "d"), { shownLines }, seen);
    const [a, d] = [hashLine("a"), hashLine("d")];
    expect([...(seen.file("/a")?.views[0]?.hashes ?? [])]).toEqual([a, Number.NaN, Number.NaN, d]);
  });

  test("strange responses are not remembered", () => {
    const seen = createSeen().of("s1", undefined);
    for (const response of [undefined, null, "Error", {}, { type: "image", file: {} }])
      for (const tool of ["Read", "Edit"]) remember({ tool, response }, undefined, seen);
    expect(seen.file("/a")).toBeUndefined();
  });

  test("every agent of every session has its own, until it is forgotten", () => {
    const all = createSeen();
    for (const [session, agent] of [
      ["s1", undefined],
      ["s1", "a1"],
      ["s2", undefined],
    ] as const)
      remember(read(`/${session}${agent}`, 1, "x"), undefined, all.of(session, agent));
    expect(all.of("s1", undefined).file("/s1a1")).toBeUndefined();
    all.forget("s1", "a1");
    expect(all.of("s1", "a1").file("/s1a1")).toBeUndefined();
    expect(all.of("s1", undefined).file("/s1undefined")).toBeDefined();
    all.forget("s1");
    expect(all.of("s1", undefined).file("/s1undefined")).toBeUndefined();
    expect(all.of("s2", undefined).file("/s2undefined")).toBeDefined();
  });

  test("a session of long files and many prompts is remembered this far", () => {
    const all = createSeen();
    const seen = all.of("s1", undefined);
    const view = (path: string, lines: number) => ({
      ...{ path, startLine: 1 },
      lines: Array<string>(lines).fill("x"),
    });
    for (let n = 0; n < 14; n++) seen.addView(view("/views", 1));
    expect(seen.file("/views")?.views).toHaveLength(12);
    for (let n = 0; n < 1_000; n++) seen.addFailure(`/${n}`);
    expect([seen.file("/views"), seen.file("/0")?.lastFailure]).toEqual([undefined, 15]);
    seen.addView(view("/large", 100_000));
    seen.addView(view("/larger", 100_000));
    expect(seen.file("/large")?.views).toHaveLength(1);
    seen.addView(view("/more", 1));
    expect([seen.file("/large"), seen.file("/larger")?.views.length]).toEqual([undefined, 1]);
    all.addPrompt("s1", Array.from({ length: 5_001 }, (_, n) => `wordnumber${n}`).join(" "));
    expect(["wordnumber0", "wordnumber1"].map(seen.isMentioned)).toEqual([false, true]);
    for (let n = 0; n < 100; n++) all.of(`other${n}`, undefined);
    expect(all.of("s1", undefined).file("/more")).toBeUndefined();
  });

  test("words of eight letters and more that a prompt of the session has are known, until others push them out", () => {
    const all = createSeen();
    all.addPrompt("s1", "see roundTotal, _private9 and total; $dollars_1");
    const seen = all.of("s1", "a1");
    const known = () => ["roundTotal", "_private9", "$dollars_1", "total"].map(seen.isMentioned);
    expect(known()).toEqual([true, true, true, false]);
    expect(all.of("s2", undefined).isMentioned("roundTotal")).toBe(false);
    const others = Array.from({ length: 4_998 }, (_, n) => `wordnumber${n}`).join(" ");
    all.addPrompt("s1", `${others} roundTotal`);
    expect(known()).toEqual([true, false, true, false]);
    for (let n = 0; n < 100; n++) all.addPrompt(`other${n}`, "anything");
    expect(known()).toEqual([false, false, false, false]);
  });

  test("hashes of different lines differ", () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `const a${at} = ${at % 7};`);
    expect(new Set(lines.map(hashLine)).size).toBe(lines.length);
    expect(hashLine("ab")).not.toBe(hashLine("ba"));
  });
});
