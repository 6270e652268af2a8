// Takes secrets out of texts before anything is written or sent. Pure, linear in time, and free of imports that cost.
import { mapLeaves } from "../text/deep.ts";
import { findOwn, isAllowed, withoutAllowed } from "./own-rules.ts";
import { assignmentRule } from "./redact/assignments.ts";
import { findEncoded } from "./redact/encoded.ts";
import { isHeadingOfService, isSecretName, rememberNames } from "./redact/names.ts";
import { kindOf, kindUnder } from "./redact/promises.ts";
import type { Found } from "./redact/rule.ts";
import { findAny, findIn, opensLines } from "./redact/rules.ts";
import { fragment } from "./redact/tables.ts";
import { isSecretLiteral } from "./redact/values.ts";

/** A redacted text and how many secrets it lost. */
export interface Redacted {
  text: string;
  count: number;
}

/** Headers whose whole value is a secret. */
const secretHeader = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;

/** Lines behind which others of the same list may belong to the same secret. */
const spanning = fragment("spanning", "i");

/** Told of each secret that is taken out, for whoever goes over what is stored already. */
export type TellFound = (found: { kind: string; rule: string; secret: string }) => void;

const mark = (kind: string): string => `[redacted:${kind}]`;

/**
 * The text with every secret replaced by `[redacted:<kind>]`: service tokens, private key blocks, JWTs,
 * authorization headers, cookies, passwords in URLs, and values assigned to names that promise a secret.
 * Redacting twice changes nothing.
 */
export function redactText(text: string, tell?: TellFound): Redacted {
  const spans = findSpans(text);
  if (spans.length === 0) return { text, count: 0 };
  let result = "";
  let from = 0;
  for (const { start, end, kind, rule } of spans) {
    tell?.({ kind, rule, secret: text.slice(start, end) });
    result += text.slice(from, start) + mark(kind);
    from = end;
  }
  return { text: result + text.slice(from), count: spans.length };
}

/** What `redactText` takes out, in order: where it stands, what it is, and the rule that found it. */
export function findSpans(text: string): Found[] {
  if (text.length < 6) return [];
  const seen = uncoloured(text);
  const { exact, named: plain } = findIn(seen);
  const encoded = findEncoded(seen, findUncoloured);
  const own = findOwn(seen);
  if (exact.length + plain.length + encoded.length + own.length === 0) return [];
  const named = plain.concat(encoded, own);
  return merge(withoutAllowed(seen, exact), withoutAllowed(seen, named));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const colour = /\u001b\[[\d;:]{0,24}[mK]/g;

/** Spaces in place of terminal colours, of the same length: a coloured secret begins and ends like any other. */
function uncoloured(text: string): string {
  if (!text.includes("\u001b[")) return text;
  return text.replace(colour, (code) => " ".repeat(code.length));
}

/** What the rules find in a text that was read out of another, where an escape may have been a colour. */
const findUncoloured = (text: string): Found[] => findAny(uncoloured(text));

/** In order, overlaps united; where both say what was found, the exact finders know it better than a name does. */
function merge(exact: Found[], named: Found[]): Found[] {
  const exactOnes = new Set(exact);
  const united: Found[] = [];
  let lastExact = false;
  for (const found of [...exact, ...named].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = united.at(-1);
    if (!last || found.start >= last.end) {
      united.push({ ...found });
      lastExact = exactOnes.has(found);
      continue;
    }
    if (!lastExact && exactOnes.has(found)) {
      last.kind = found.kind;
      last.rule = found.rule;
      lastExact = true;
    }
    last.end = Math.max(last.end, found.end);
  }
  return united;
}

/** Property names that hold no secret themselves: payloads have few, over and over. */
const isCleanName = rememberNames((name) => findSpans(name).length === 0);

/** What a property of this name says that its text is. */
function kindNamed(key: string, text: string): string | undefined {
  if (!secretHeader.test(key) || /[<{]/.test(text)) return kindUnder(key, text);
  return isSecretLiteral(text, key) ? key.toLowerCase() : undefined;
}

/**
 * `redactText` for every text in a JSON value, keys included. A string under a secret's name (`password`, `apiKey`,
 * `{"name": "DB_PASSWORD", "value": …}`) goes whole. What holds no secret keeps its identity.
 */
export function redactDeep(value: unknown, tell?: TellFound): { value: unknown; count: number } {
  let count = 0;
  const redacted = mapLeaves(value, {
    text: (text, key) => {
      // The name first: few names promise a secret, and a text may be long.
      const kind = key === undefined ? undefined : kindNamed(key, text);
      if (kind !== undefined && !isAllowed(text)) {
        count++;
        tell?.({ kind, rule: assignmentRule.id, secret: text });
        return mark(kind);
      }
      if (key === undefined && isCleanName(text)) return text;
      const result = redactText(text, tell);
      count += result.count;
      return result.text;
    },
    number: (number, key) => {
      if (key === undefined || !/pass|pwd/i.test(key) || !isSecretName(key)) return number;
      count++;
      tell?.({ kind: kindOf(key), rule: assignmentRule.id, secret: String(number) });
      return mark(kindOf(key));
    },
    spans: (text) => spanning.test(text) || isHeadingOfService(text) || opensLines(text),
  });
  return { value: redacted, count };
}
