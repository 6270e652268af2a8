// Looks for secrets inside of what is written in another way: escapes, addresses, HTML, base 64.
import { Buffer } from "node:buffer";
import { backslashes, disguises, htmlEntities, percents, viewOf } from "../view.ts";
import type { Found } from "./rule.ts";

type Find = (text: string) => Found[];

/** JSON in JSON in JSON, a link in a link: no deeper. */
const deepest = 3;
const kinds = [backslashes, percents, htmlEntities, disguises];

/** What `find` finds in the text read without its escapes and in its base 64, as places in the text itself. */
export function findEncoded(text: string, find: Find, depth = 0): Found[] {
  // No escape stands in base 64, so that a view has none that the text has not.
  const found = depth === 0 ? findInBase64(text, find) : [];
  if (depth >= deepest) return found;
  for (const kind of kinds) {
    const view = viewOf(text, kind);
    if (!view) continue;
    for (const one of find(view.text).concat(findEncoded(view.text, find, depth + 1)))
      found.push({ ...one, start: view.source(one.start), end: view.source(one.end) });
  }
  return found;
}

const run = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
const longest = 65_536;
/** As many characters tell whether a run is a text at all. */
const sample = 20;

/** Runs of base 64 that hold a secret go whole. */
function findInBase64(text: string, find: Find): Found[] {
  const found: Found[] = [];
  for (const { index, 0: value } of text.matchAll(run)) {
    if (!isText(Buffer.from(value.slice(0, sample), "base64"))) continue;
    const inside = Buffer.from(value.slice(0, longest), "base64").toString("latin1");
    const [first] = find(inside).concat(findEncoded(inside, find, deepest - 1));
    if (first)
      found.push({ start: index, end: index + value.length, kind: first.kind, rule: first.rule });
  }
  return found;
}

/** True for bytes that are printed characters and white space only. */
function isText(bytes: Uint8Array): boolean {
  return bytes.every(
    (byte) => (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13,
  );
}
