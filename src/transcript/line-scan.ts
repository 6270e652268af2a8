// Finds a JSON line's top-level members without parsing their values, so that bulk nobody asks for costs no parse.

/** Where one top-level member's value stands in the line: `line.slice(start, end)` is its JSON. */
export interface Span {
  key: string;
  start: number;
  end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * The members of a line that holds one JSON object, in order. Undefined when brackets, strings or separators do not
 * fit (a torn or malformed line). Values are not validated inside; a key that is written with escapes gives undefined
 * too, which callers answer with a full parse.
 */
export function scanMembers(line: string): Span[] | undefined {
  const end = trimmedEnd(line);
  let at = skipSpace(line, 0);
  if (line.charCodeAt(at) !== openBrace || line.charCodeAt(end - 1) !== closeBrace)
    return undefined;
  const spans: Span[] = [];
  at = skipSpace(line, at + 1);
  if (at === end - 1) return spans;
  for (;;) {
    if (line.charCodeAt(at) !== quote) return undefined;
    const keyEnd = line.indexOf('"', at + 1);
    if (keyEnd < 0 || line.charCodeAt(keyEnd - 1) === backslash) return undefined;
    const key = line.slice(at + 1, keyEnd);
    at = skipSpace(line, keyEnd + 1);
    if (line.charCodeAt(at) !== colon) return undefined;
    const start = skipSpace(line, at + 1);
    const valueEnd = skipValue(line, start, end);
    if (valueEnd <= start) return undefined;
    spans.push({ key, start, end: valueEnd });
    at = skipSpace(line, valueEnd);
    const next = line.charCodeAt(at);
    if (next === comma) at = skipSpace(line, at + 1);
    else return next === closeBrace && at === end - 1 ? spans : undefined;
  }
}

/** The position after the value that starts at `start`, or -1. */
function skipValue(line: string, start: number, end: number): number {
  const first = line.charCodeAt(start);
  if (first === quote) return skipString(line, start);
  if (first === openBrace || first === openBracket) return skipNested(line, start, end);
  let at = start;
  for (; at < end; at++) {
    const code = line.charCodeAt(at);
    if (code === comma || code === closeBrace || code <= 0x20) break;
  }
  return at;
}

function skipNested(line: string, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const code = line.charCodeAt(at);
    if (code === quote) {
      const after = skipString(line, at);
      if (after < 0) return -1;
      at = after - 1;
    } else if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** The position after the closing quote of the string that opens at `start`, or -1. */
function skipString(line: string, start: number): number {
  let at = start;
  for (;;) {
    at = line.indexOf('"', at + 1);
    if (at < 0) return -1;
    let slashes = 0;
    while (line.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

function skipSpace(line: string, from: number): number {
  let at = from;
  while (at < line.length && line.charCodeAt(at) <= 0x20) at++;
  return at;
}

function trimmedEnd(line: string): number {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) <= 0x20) end--;
  return end;
}
