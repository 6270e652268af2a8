// Which reads are made smaller, and by what.
import { expect, test } from "bun:test";
import { reduceRead } from "../../../../plugins/endless-live/read/read.ts";
import { createSeen } from "../../../../plugins/endless-live/seen.ts";
import { defaultPolicy } from "../cases.ts";

const read = {
  ...{ ...defaultPolicy.read, sourceOver: 2_000, proseOver: 3_000, dataOver: 4_000 },
  sources: "everyone" as (typeof defaultPolicy)["read"]["sources"],
};
const path = "/home/kim/shop/src/cart.ts";
const source = Array.from({ length: 10 }, (_, at) => [
  `function part${at}() {`,
  ...Array.from({ length: 10 }, (_, line) => `  step(${line}, "of part ${at}");`),
  "}",
]).flat();
const rows = (count: number) => Array.from({ length: count }, (_, at) => `INFO step ${at} is done`);

interface Asked {
  name?: string;
  startLine?: number;
  totalLines?: number;
  input?: object;
  repeats?: boolean;
  sources?: typeof read.sources;
}
function reduced(
  lines: readonly string[],
  seen = createSeen().of("s1", undefined),
  {
    name = path,
    startLine = 1,
    totalLines = lines.length,
    input,
    repeats = true,
    sources = read.sources,
  }: Asked = {},
) {
  const file = {
    filePath: name,
    content: lines.join("\n"),
    numLines: lines.length,
    startLine,
    totalLines,
  };
  const arrived = {
    id: "t1",
    tool: "Read",
    input: { file_path: name, ...input },
    response: { type: "text", file },
    recall: "memoir recall t1",
  };
  return reduceRead(arrived, seen, { ...defaultPolicy, read: { ...read, repeats, sources } })?.how;
}
/** What an agent has seen of the file, where `shown` of it is in its context. */
function seenBefore(lines: readonly string[], ...shown: Array<readonly [number, number]>) {
  const seen = createSeen().of("s1", undefined);
  const view = { path, toolUseId: "t0", startLine: 1, lines, totalLines: lines.length };
  seen.addView({ ...view, ...(shown.length > 0 && { shown }) });
  return seen;
}
const repeated = "left out what was read before";

test("a source is shortened above its own size, data and prose above theirs", () => {
  const of = (name: string, count: number) => reduced(rows(count), undefined, { name });
  expect(reduced(source)).toBe("kept signatures");
  expect(reduced(source.slice(0, 48))).toBeUndefined();
  expect([of("/a/run.log", 200), of("/a/run.log", 110)]).toEqual([
    "kept the ends of a log file",
    undefined,
  ]);
  expect([of("/a/notes.md", 900), of("/a/notes.md", 80)]).toEqual([
    "kept headings and what was asked for",
    undefined,
  ]);
});

test("whose sources are shortened: of subagents that changed no file, of everyone, of nobody", () => {
  expect(defaultPolicy.read.sources).toBe("subagents");
  const own = () => createSeen().of("s1", undefined);
  const subagent = () => createSeen().of("s1", "a1");
  const changing = subagent();
  changing.addChange();
  for (const [sources, whose] of [
    ["subagents", [false, true, false]],
    ["everyone", [true, true, true]],
    ["nobody", [false, false, false]],
  ] as const)
    expect(
      [own(), subagent(), changing].map(
        (seen) => reduced(source, seen, { sources }) === "kept signatures",
      ),
    ).toEqual([...whose]);
});

test("of a range that was asked for nothing is left out, unless it is nearly all", () => {
  const part = { totalLines: 1_000, input: { offset: 1 } };
  expect(reduced(source, undefined, part)).toBeUndefined();
  expect(reduced(source, undefined, { ...part, input: { limit: 120 } })).toBeUndefined();
  expect(reduced(source, undefined, { ...part, input: {} })).toBe("kept signatures");
  expect(reduced(source, undefined, { ...part, totalLines: 125 })).toBe("kept signatures");
});

test("what was read before is left out, also of a range, unless config says no", () => {
  expect(reduced(source, seenBefore(source))).toBe(repeated);
  const range = { startLine: 13, totalLines: 120, input: { offset: 13 } };
  expect(reduced(source.slice(12, 60), seenBefore(source), range)).toBe(repeated);
  expect(reduced(source, seenBefore(source), { repeats: false })).toBe("kept signatures");
});

test("lines that the last read of them left out come whole, and others do not", () => {
  const outlined = () => seenBefore(source, [1, 40], [61, 120]);
  expect(reduced(source, outlined())).toBeUndefined();
  const range = (from: number, to: number) =>
    reduced(source.slice(from - 1, to), outlined(), {
      startLine: from,
      totalLines: 120,
      input: { offset: from },
    });
  expect(range(60, 90)).toBeUndefined();
  expect(range(61, 90)).toBe(repeated);
  expect(range(5, 40)).toBe(repeated);
  expect(range(5, 41)).toBeUndefined();
});

test("a read after an edit that failed comes whole, one after a later read does not", () => {
  const seen = seenBefore(source);
  seen.addFailure(path);
  expect(reduced(source, seen)).toBeUndefined();
  seen.addView({ path, startLine: 1, lines: source });
  expect(reduced(source, seen)).toBe(repeated);
});

test("settings that are explained at length keep each setting, and what the prompt asked of the rest", () => {
  const lines = Array.from({ length: 60 }, (_, at) => [
    ...Array.from({ length: 6 }, (_, line) => `# ${line} says what part${at} is good for.`),
    `part${at} ${at * 7}`,
    "",
  ]).flat();
  const read = (own: readonly string[]) =>
    reduced(own, undefined, { name: "/etc/shop/shop.conf", sources: "nobody" });
  expect(read(lines)).toBe("kept settings and what was asked for");
  expect(read(lines.slice(0, 40))).toBeUndefined();
  expect(read(lines.map((line) => line.replace("# ", "say ")))).toBeUndefined();
});
