// Leaves lines out of a read: each gap becomes a mark that tells the file's own line numbers, all other lines stay word for word.

import * as v from "valibot";
import { type Arrived, type Reduced, recallLine } from "../reducer.ts";

// Cuts source text into functions, classes, tests and the like, by the words they begin with and by indentation; language by language is not needed.

/** Lines by their place; both ends included. */
interface Block {
  /** The first line of its signature. */
  from: number;
  /** The first line of its body; more than `to` for a block on one line. */
  body: number;
  to: number;
}

const starts = [
  // Go, Rust, Python, JavaScript, PHP, Kotlin, Swift, Ruby, Elixir …
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|static|async|abstract|final|override|open|sealed|unsafe|inline|declare|suspend|data)\s+)*(?:func|function\*?|fn|fun|def|defp|defmacrop?|defimpl|class|interface|struct|enum|trait|impl|module|mod|namespace|type|record)\b/,
  // const handler = async (…) => {, exports.x = function
  /^\s*(?:export\s+)?(?:const|let|var)\s+\w+[^=]*=\s*(?:async\s*)?(?:function\b|\([^)]*$|[^=]*=>\s*[{(]?\s*$)/,
  // Tests
  /^\s*(?:describe|it|test|context|setup|setup_all|beforeEach|afterEach|beforeAll|afterAll)\b(?!\s*[=:]).*(?:\{|\bdo)\s*$/,
  // t.Run("…", func…
  /^\s*\w+\.Run\(.*func\(/,
  // Methods: public int total(Cart cart) {
  /^\s+(?:(?:public|private|protected|static|async|get|set|final|override|virtual|readonly)\s+)*[\w<>[\],.?*&:]+(?:\s+[\w*&]+)?\s*\([^;]*\)\s*(?::\s*[^;{]+|throws\s[^{]+|const\s*)?\{\s*$/,
  // Shell
  /^\s*[\w-]+\s*\(\)\s*\{/,
];
const notStarts = /^\s*(?:if|for|while|switch|catch|return|else|do|try|with|case|when|elif)\b/;
const closers = /^\s*(?:[)}\]]|end\b|else\b|rescue\b|after\b|catch\b|elif\b|except\b|finally\b)/;

/** The innermost blocks, in order, not overlapping: a class with methods gives its methods. */
export function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (const [from, line] of lines.entries()) {
    if (notStarts.test(line) || !starts.some((start) => start.test(line))) continue;
    const block = extent(lines, from);
    if (!block) continue;
    // Outer ones come first: what holds an inner block is no block itself.
    while (blocks.length > 0 && (blocks.at(-1)?.to ?? -1) >= block.to) blocks.pop();
    blocks.push(block);
  }
  return blocks;
}

/** From its signature to the line before the next one that is not deeper, closing words and brackets included. */
function extent(lines: readonly string[], from: number): Block | undefined {
  const depth = indentation(lines[from] ?? "");
  let to = from;
  let body = from + 1;
  let open = brackets(lines[from] ?? "");
  let opened = open <= 0 || opens.test(lines[from] ?? "");
  for (let at = from + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const own = indentation(line);
    if (own < depth || (own === depth && !closers.test(line))) break;
    to = at;
    if (!opened) {
      body = at + 1;
      open += brackets(line);
      opened = open <= 0 || opens.test(line);
    }
    if (own === depth && /^\s*(?:\}|end\b)/.test(line) && !/[{(]\s*$/.test(line)) break;
  }
  return opened && to > from ? { from, body, to } : undefined;
}

/** A signature ends where its brackets are closed, or at a word that opens a body. */
const opens = /(?:[{:]|\bdo|=>)\s*$/;

function brackets(line: string): number {
  let open = 0;
  for (const letter of line) open += letter === "(" ? 1 : letter === ")" ? -1 : 0;
  return open;
}

function indentation(line: string): number {
  let width = 0;
  for (const letter of line) {
    if (letter === "\t") width += 4;
    else if (letter === " ") width++;
    else break;
  }
  return width;
}

/** Lines to leave out, by their place in the view; both ends included. */
export interface Gap {
  from: number;
  to: number;
  /** What is said of them: `left out`, `unchanged, as read before`. */
  why: string;
}

/** Said at the first mark. */
const runOn =
  "from here on the numbers at the left are too low: count on from the mark above a line";

/** A mark must save this many characters, or its lines stay. */
const leastSaved = 40;

/**
 * The view with its gaps; undefined when nothing is left out. The client numbers what it is given from `startLine` on,
 * so behind a gap its numbers are too low: the marks tell the true ones, and the first such mark says so.
 */
export function leaveOut(
  arrived: Arrived,
  view: FileView,
  gaps: readonly Gap[],
  how: string,
): Reduced | undefined {
  const { lines, startLine, response } = view;
  const worthy = gaps.filter((gap) => {
    let hidden = 0;
    for (let at = gap.from; at <= gap.to; at++) hidden += (lines[at]?.length ?? 0) + numberLength;
    return hidden - markOf(gap, startLine).length > leastSaved;
  });
  if (worthy.length === 0) return undefined;
  const shown: string[] = [];
  const shownLines: Array<readonly [number, number]> = [];
  let next = 0;
  let hidden = 0;
  const keep = (to: number) => {
    if (to < next) return;
    shown.push(...lines.slice(next, to + 1));
    shownLines.push([startLine + next, startLine + to]);
  };
  // What is left out at the beginning moves the first number, so that the lines behind it have their own.
  const first = worthy[0]?.from === 0 ? startLine + worthy[0].to : startLine;
  const misnumbers = worthy.find(({ from, to }) => from > 0 && to > from && to < lines.length - 1);
  for (const gap of worthy) {
    keep(gap.from - 1);
    shown.push(markOf(gap, startLine, gap === misnumbers ? `; ${runOn}` : ""));
    hidden += gap.to - gap.from + 1;
    next = gap.to + 1;
  }
  keep(lines.length - 1);
  shown.push(
    recallLine(arrived, `${hidden} of ${lines.length} lines, which a second Read of them shows`),
  );
  const content = shown.join("\n");
  return {
    response: {
      ...response,
      file: { ...response.file, content, startLine: first, numLines: shown.length },
    },
    before: numbered(lines, startLine),
    after: numbered(shown, first),
    how,
    shownLines,
  };
}

function markOf({ from, to, why }: Gap, startLine: number, note = ""): string {
  const [first, last] = [startLine + from, startLine + to];
  return `[${first === last ? `line ${first}` : `lines ${first}-${last}`} ${why}${note}]`;
}

// A read as it arrived, and as the client shows it: numbered lines.

const Response = v.looseObject({
  type: v.literal("text"),
  file: v.looseObject({
    filePath: v.string(),
    content: v.string(),
    numLines: v.number(),
    startLine: v.number(),
    totalLines: v.number(),
  }),
});

/** A stretch of a text file. */
export interface FileView {
  response: v.InferOutput<typeof Response>;
  path: string;
  /** The file's number of the first line. */
  startLine: number;
  totalLines: number;
  lines: readonly string[];
}

/** Undefined for images, notebooks, PDFs and whatever else a read can give. */
export function parseView(response: unknown): FileView | undefined {
  const parsed = v.safeParse(Response, response);
  if (!parsed.success) return undefined;
  const { filePath: path, content, startLine, totalLines } = parsed.output.file;
  return { response: parsed.output, path, startLine, totalLines, lines: content.split("\n") };
}

/** Characters that a line costs beyond its own. */
export const numberLength = 8;

/** The client's own form of a read: each line behind its number. */
function numbered(lines: readonly string[], startLine: number): string {
  return lines.map((line, at) => `${String(startLine + at).padStart(6)}→${line}`).join("\n");
}
