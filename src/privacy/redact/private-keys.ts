// Finds private keys, however their lines are wrapped: numbered, quoted, commented, in a patch, in a log, in one line.
import type { Found } from "./runs.ts";

/** The rule by which key blocks go. */
export const privateKeyRule = {
  id: "private-key",
  finds:
    "private key blocks, also torn ones and those whose lines have something before or behind them",
  words: ["PRIVATE", "Private-Lines", "Private-MAC"],
  source: 2,
};

const kind = "private-key";
// Blanks of the marks may have come as escapes of an address.
const keyBegin =
  /-----BEGIN[ +%_A-Z0-9-]{0,60}PRIVATE(?: |\+|%20)KEY(?:(?: |\+|%20)BLOCK)?-----|---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----|Private-Lines: ?\d{1,3}(?=\s|\\+[nr])/g;
const keyEnd =
  /-----END[ +%_A-Z0-9-]{0,60}PRIVATE(?: |\+|%20)KEY(?:(?: |\+|%20)BLOCK)?-----|---- END SSH2 [A-Z ]{0,20}PRIVATE KEY ----|Private-(?:MAC|Hash): ?[0-9a-f]{16,128}/g;
/** No key block with its wrapping is longer. */
const longestKey = 16_000;
const lineBreak = /\r?\n|(?<!\\)\\+[nr](?:\\+n)?|%0D%0A|%0[AD]/g;
/**
 * A line that holds a piece of a key: whatever comes before it, then a run of base 64, then signs at most. The run is
 * taken as a whole: trying its beginnings too would find nothing more and cost a multiple of its length.
 */
const keyLine =
  /^.{0,160}?(?<![A-Za-z0-9+/=])(?=([A-Za-z0-9+/=]{16,}))\1[^A-Za-z0-9]{0,8}n?[^A-Za-z0-9]{0,8}$/;
/** The last line of a key may be short; it ends with the filling, or stands behind what the lines before begin with. */
const shortLine = /^.{0,160}?(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{1,15}={0,2}[^A-Za-z0-9]{0,8}$/;
const headerLine = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):|^[^A-Za-z0-9]*$/;
const blob = /(?:[A-Za-z0-9+/=]|%2[BbFf]|%3[Dd]){24,}/g;

/** Every key block, from its first line to its last; of a torn one, what is there. */
export function findPrivateKeys(text: string): Found[] {
  const found: Found[] = [];
  const begins = [...text.matchAll(keyBegin)];
  for (const [at, begin] of begins.entries()) {
    const body = begin.index + begin[0].length;
    // No text is looked at for two beginnings: the cost stays linear however many there are.
    const near = text.slice(
      body,
      Math.min(body + longestKey, begins[at + 1]?.index ?? text.length),
    );
    const length = blockLength(near) ?? tornLength(near);
    if (length !== undefined)
      found.push({ start: begin.index, end: body + length, kind, rule: privateKeyRule.id });
  }
  return [...found, ...keyTails(text, found)];
}

/** How long a whole block is whose inside is mostly key; undefined where the marks are only beside each other. */
function blockLength(near: string): number | undefined {
  const [last] = near.matchAll(keyEnd);
  if (!last) return undefined;
  const inside = near.slice(0, last.index);
  const key = [...inside.matchAll(blob)].reduce((sum, [run]) => sum + run.length, 0);
  return key >= 32 && key * 4 >= inside.length ? last.index + last[0].length : undefined;
}

/** Lines of a text with where they begin and end. */
function linesOf(text: string): Array<{ start: number; end: number; text: string }> {
  const lines: Array<{ start: number; end: number; text: string }> = [];
  let start = 0;
  for (const { index, 0: sign } of text.matchAll(lineBreak)) {
    lines.push({ start, end: index, text: text.slice(start, index) });
    start = index + sign.length;
  }
  lines.push({ start, end: text.length, text: text.slice(start) });
  return lines;
}

/** True for a line that holds no more than what stands before the next one, numbers aside. */
function isEmpty(line: string, next = ""): boolean {
  const shape = (text: string): string => text.slice(0, 160).trim().replace(/\d+/g, "0");
  return line.length <= 160 && shape(next).startsWith(shape(line));
}

/** How far the lines behind a beginning look like a key. */
function tornLength(near: string): number | undefined {
  let end: number | undefined;
  const lines = linesOf(near);
  for (const [at, line] of lines.entries()) {
    if (keyLine.test(line.text)) end = line.end;
    else if (end !== undefined && shortLine.test(line.text) && line.end - line.start < 100)
      return line.end;
    else if (!headerLine.test(line.text) && !isEmpty(line.text, lines[at + 1]?.text)) break;
  }
  return end;
}

/** The rest of key blocks that lost their beginning: lines that look like a key, up to an end. */
function keyTails(text: string, blocks: readonly Found[]): Found[] {
  const found: Found[] = [];
  const ends = new Set(blocks.map(({ end }) => end));
  let from = 0;
  for (const last of text.matchAll(keyEnd)) {
    const end = last.index + last[0].length;
    if (!ends.has(end)) {
      const base = Math.max(from, last.index - longestKey);
      const lines = linesOf(text.slice(base, last.index)).slice(0, -1);
      let start: number | undefined;
      let hasWhole = false;
      // From the end mark upwards: first perhaps a short line, then whole ones, then what is left of a torn one.
      for (const [at, line] of lines.reverse().entries()) {
        const isKey = keyLine.test(line.text) || (at === 0 && shortLine.test(line.text));
        if (!isKey || line.text.includes("-----BEGIN")) break;
        start = base + line.start;
        hasWhole ||= keyLine.test(line.text);
      }
      if (start !== undefined && hasWhole)
        found.push({ start, end, kind, rule: privateKeyRule.id });
    }
    from = end;
  }
  return found;
}
