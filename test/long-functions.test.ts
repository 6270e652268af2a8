// No function is longer than a screen or two without saying why.
import { expect, test } from "bun:test";
import { join, relative } from "node:path";

const root = join(import.meta.dir, "..");
const longest = 80;

interface Long {
  line: number;
  lines: number;
  /** What its comment says of its length; empty where it says nothing. */
  reason: string;
}

/** A line that begins a function: a declaration, an arrow function with a name, or a method. */
const begins =
  /^(\s*)(?:export )?(?:default )?(?:(?:async )?function\b|(?:const|let) \w+ = .*=> \{$|(?:async )?\*?\w+\((?!["'`]).*\{$)/;
const isBlock = /^\s*(?:if|for|while|switch|catch|return|describe|test)\b/;

/** Functions over the limit. The formatter puts each one's closing brace below its beginning. */
function longFunctions(source: string): Long[] {
  const lines = source.split("\n");
  return lines.flatMap((text, at) => {
    const indent = begins.exec(text)?.[1];
    if (indent === undefined || isBlock.test(text)) return [];
    // `}: Options) {` ends the parameters, not the function.
    const length = lines
      .slice(at)
      .findIndex((line, i) => i > 0 && line.startsWith(`${indent}}`) && !line.endsWith("{"));
    if (length < longest) return [];
    return { line: at + 1, lines: length + 1, reason: reasonAbove(lines, at) };
  });
}

function reasonAbove(lines: readonly string[], at: number): string {
  const comment: string[] = [];
  for (let line = at - 1; /^\s*(?:\/\*\*|\*|\/\/)/.test(lines[line] ?? ""); line--)
    comment.unshift(lines[line] ?? "");
  return /Long because [^.]{10,}\./.exec(comment.join(" ").replace(/\s+\*?\s*/g, " "))?.[0] ?? "";
}

const filler = (count: number) => "  work();\n".repeat(count);

test.each([
  ["a short one", `function a() {\n${filler(10)}}\n`, []],
  ["a long one", `export async function a() {\n${filler(90)}}\n`, [""]],
  [
    "a long one with parameters in lines",
    `function a({\n  b,\n}: C): void {\n${filler(90)}}\n`,
    [""],
  ],
  ["a long method", `  async take(b) {\n${filler(90)}  },\n`, [""]],
  ["a long arrow", `const a = () => {\n${filler(90)}};\n`, [""]],
  [
    "one that says why",
    `/** Does it. Long because it is\n * a list of things. */\nfunction a() {\n${filler(90)}}\n`,
    ["Long because it is a list of things."],
  ],
  ["a long list, which is no function", `const a = {\n${filler(90)}};\n`, []],
])("the measure sees %s", (_, source, reasons) => {
  expect(longFunctions(source).map(({ reason }) => reason)).toEqual(reasons);
});

test(`a function over ${longest} lines says why: "Long because …" in its comment`, async () => {
  const silent: string[] = [];
  let seen = 0;
  for (const folder of ["src", "plugins"])
    for await (const file of new Bun.Glob(`${folder}/**/*.ts`).scan(root)) {
      const path = join(root, file);
      for (const { line, lines, reason } of longFunctions(await Bun.file(path).text())) {
        seen++;
        if (reason === "") silent.push(`${relative(root, path)}:${line} has ${lines} lines`);
      }
    }
  expect(silent).toEqual([]);
  expect(seen).toBeGreaterThan(0);
});
