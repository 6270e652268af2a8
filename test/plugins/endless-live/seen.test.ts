// The memory of what an agent has in its context: what it knows, what it forgets, and that it stays small.
import { describe, expect, test } from "bun:test";
import { remember, rereadOf } from "../../../plugins/endless-live/index.ts";
import { createSeen, hashLine } from "../../../plugins/endless-live/seen.ts";

const read = (id: string, path: string, from: number, ...lines: string[]) => ({
  id,
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
  test("views with their lines, oldest first, and the agent's own changes", () => {
    const seen = createSeen().of("s1", undefined);
    remember(read("t1", "/a", 1, "one", "two"), undefined, seen);
    remember({ id: "t2", tool: "Edit", response: { filePath: "/a" } }, undefined, seen);
    remember(read("t3", "/a", 2, "TWO"), undefined, seen);
    const file = seen.file("/a");
    expect(file).toMatchObject({ path: "/a", changes: 1, lastChange: 2 });
    expect(
      file?.views.map(({ toolUseId, startLine, endLine, order, reduced }) => [
        toolUseId,
        startLine,
        endLine,
        order,
        reduced,
      ]),
    ).toEqual([
      ["t1", 1, 2, 1, false],
      ["t3", 2, 2, 3, false],
    ]);
    expect([...(file?.views[0]?.hashes ?? [])]).toEqual([hashLine("one"), hashLine("two")]);
    expect(seen.file("/b")).toBeUndefined();
  });

  test("lines that were left out are not in the context", () => {
    const seen = createSeen().of("s1", undefined);
    remember(
      read("t1", "/a", 10, "a", "b", "c", "d"),
      {
        shownLines: [
          [10, 10],
          [13, 13],
        ],
      },
      seen,
    );
    expect([...(seen.file("/a")?.views[0]?.hashes ?? [])]).toEqual([
      hashLine("a"),
      Number.NaN,
      Number.NaN,
      hashLine("d"),
    ]);
    expect(seen.wasReduced("t1")).toBe(true);
    expect(rereadOf(read("t2", "/a", 10, "a"), seen)).toBeUndefined();
    expect(rereadOf(read("t2", "/a", 11, "b"), seen)).toBe("t1");
    expect(rereadOf(read("t2", "/a", 1, ..."xxxxxxxxxxxx"), seen)).toBe("t1");
    expect(rereadOf(read("t2", "/a", 14, "e"), seen)).toBeUndefined();
    expect(rereadOf({ tool: "Bash", response: {} }, seen)).toBeUndefined();
  });

  test("what was read whole since then is no price of leaving it out", () => {
    const seen = createSeen().of("s1", undefined);
    remember(read("t1", "/a", 10, "a", "b", "c", "d"), { shownLines: [[10, 10]] }, seen);
    remember(read("t2", "/a", 11, "b", "c"), undefined, seen);
    expect(rereadOf(read("t3", "/a", 11, "b", "c"), seen)).toBeUndefined();
    expect(rereadOf(read("t3", "/a", 11, "b", "c", "d"), seen)).toBe("t1");
  });

  test("strange responses are not remembered", () => {
    const seen = createSeen().of("s1", undefined);
    for (const response of [undefined, null, "Error", {}, { type: "image", file: {} }])
      for (const tool of ["Read", "Edit"]) remember({ id: "t", tool, response }, undefined, seen);
    expect(seen.file("/a")).toBeUndefined();
  });

  test("every agent of every session has its own, until it is forgotten", () => {
    const all = createSeen();
    for (const [session, agent] of [
      ["s1", undefined],
      ["s1", "a1"],
      ["s2", undefined],
    ] as const)
      remember(read("t", `/${session}${agent}`, 1, "x"), undefined, all.of(session, agent));
    expect(all.of("s1", undefined).file("/s1a1")).toBeUndefined();
    all.forget("s1", "a1");
    expect(all.of("s1", "a1").file("/s1a1")).toBeUndefined();
    expect(all.of("s1", undefined).file("/s1undefined")).toBeDefined();
    all.forget("s1");
    expect(all.of("s1", undefined).file("/s1undefined")).toBeUndefined();
    expect(all.of("s2", undefined).file("/s2undefined")).toBeDefined();
  });

  test("beyond its limits the longest unused goes first", () => {
    const all = createSeen({ agents: 2, files: 2, views: 2, lines: 5, reduced: 1 });
    const seen = all.of("s1", undefined);
    for (const path of ["/a", "/b", "/c"]) remember(read("t", path, 1, "x"), undefined, seen);
    expect(["/a", "/b", "/c"].map((path) => seen.file(path) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    for (const id of ["t1", "t2", "t3"]) remember(read(id, "/c", 1, "y"), undefined, seen);
    expect(seen.file("/c")?.views.map(({ toolUseId }) => toolUseId)).toEqual(["t2", "t3"]);
    remember(read("t4", "/d", 1, "1", "2", "3", "4"), undefined, seen);
    expect(["/b", "/c", "/d"].map((path) => seen.file(path) !== undefined)).toEqual([
      false,
      false,
      true,
    ]);
    for (const id of ["r1", "r2"]) seen.addReduced(id);
    expect([seen.wasReduced("r1"), seen.wasReduced("r2")]).toEqual([false, true]);
    all.of("s2", undefined);
    all.of("s3", undefined);
    expect(all.of("s1", undefined).file("/d")).toBeUndefined();
  });

  test("without other limits, a session of long files and many prompts is remembered this far", () => {
    const all = createSeen();
    const seen = all.of("s1", undefined);
    const view = (path: string, lines: number) => ({
      ...{ path, toolUseId: "t", startLine: 1, totalLines: 1 },
      lines: Array<string>(lines).fill("x"),
    });
    for (let n = 0; n < 14; n++) seen.addView(view("/views", 1));
    expect(seen.file("/views")?.views).toHaveLength(12);
    for (let n = 0; n < 1_000; n++) seen.addChange(`/${n}`);
    expect([seen.file("/views"), seen.file("/0")?.changes]).toEqual([undefined, 1]);
    seen.addView(view("/large", 100_000));
    seen.addView(view("/larger", 100_000));
    expect(seen.file("/large")?.views).toHaveLength(1);
    seen.addView(view("/more", 1));
    expect([seen.file("/large"), seen.file("/larger")?.views.length]).toEqual([undefined, 1]);
    for (let n = 0; n <= 5_000; n++) seen.addReduced(`r${n}`);
    expect([seen.wasReduced("r0"), seen.wasReduced("r1")]).toEqual([false, true]);
    all.addPrompt("s1", Array.from({ length: 5_001 }, (_, n) => `wordnumber${n}`).join(" "));
    expect(["wordnumber0", "wordnumber1"].map(seen.isMentioned)).toEqual([false, true]);
    for (let n = 0; n < 100; n++) all.of(`other${n}`, undefined);
    expect(all.of("s1", undefined).file("/more")).toBeUndefined();
  });

  test("words of eight letters and more that a prompt of the session has are known, until others push them out", () => {
    const all = createSeen({ words: 2, agents: 2 });
    all.addPrompt("s1", "see roundTotal, _private9 and total; $dollars_1");
    const seen = all.of("s1", "a1");
    const known = () => ["roundTotal", "_private9", "$dollars_1", "total"].map(seen.isMentioned);
    expect(known()).toEqual([false, true, true, false]);
    all.addPrompt("s1", "roundTotal _private9");
    expect(known()).toEqual([true, true, false, false]);
    expect(all.of("s2", undefined).isMentioned("roundTotal")).toBe(false);
    all.addPrompt("s2", "anything");
    all.addPrompt("s3", "anything");
    expect(known()).toEqual([false, false, false, false]);
  });

  test("changes and failures have their place in the order; a file that changed is not the oldest", () => {
    const seen = createSeen({ files: 2 }).of("s1", undefined);
    seen.addChange("/a");
    seen.addFailure("/b");
    seen.addChange("/a");
    seen.addFailure("/c");
    expect(seen.file("/b")).toBeUndefined();
    expect(seen.file("/a")).toEqual({
      ...{ path: "/a", views: [], changes: 2, lastChange: 3, lastFailure: 0 },
    });
    expect(seen.file("/c")).toEqual(expect.objectContaining({ changes: 0, lastFailure: 4 }));
  });

  test("a view of which all is shown is not reduced; one that the agent wrote says so", () => {
    const seen = createSeen().of("s1", undefined);
    const view = { path: "/a", toolUseId: "t1", startLine: 4, lines: ["a", "b"], totalLines: 9 };
    seen.addView({ ...view, shown: [[4, 5]] });
    seen.addView({ ...view, shown: [[5, 9]], own: true });
    expect(
      seen
        .file("/a")
        ?.views.map(({ reduced, own, endLine, totalLines }) => [
          ...[reduced, own, endLine, totalLines],
        ]),
    ).toEqual([
      [false, false, 5, 9],
      [true, true, 5, 9],
    ]);
  });

  test("hashes of different lines differ", () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `const a${at} = ${at % 7};`);
    expect(new Set(lines.map(hashLine)).size).toBe(lines.length);
    expect(hashLine("ab")).not.toBe(hashLine("ba"));
  });
});
