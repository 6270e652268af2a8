// Shortens JSON: the structure stays, long lists keep their first items, a count and the names of the rest, long strings are cut.
import { cut } from "../../../src/text/index.ts";
import type { Asked } from "../look/asked.ts";
import { numberOf } from "../look/columns.ts";
import type { Field } from "../look/features.ts";
import { featuresOfItems, fieldsOf } from "../look/features.ts";
import { createNames } from "../look/names.ts";
import { departures, takeTelling, tellingOf } from "../look/score.ts";
import type { Policy } from "../policy.ts";
import type { Shorten, Shortened } from "./rows.ts";
import { linesMark } from "./rows.ts";

/** Larger texts would take too long to parse and write. */
const mostParsed = 4_000_000;
/** Fields by which an object is called, best first. */
const names = [
  "path",
  "file",
  "filename",
  "file_path",
  "url",
  "html_url",
  "full_name",
  "name",
  "key",
  "title",
  "id",
  "number",
  "sha",
];
/** Most characters that the names of left out items take. */
const mostNames = 600;
const deepest = 60;

/** By what a document is shortened, and how much of it went. */
interface Shrinking {
  policy: Policy;
  asked: Asked | undefined;
  items: number;
  strings: number;
}

/** A JSON document, or lines of JSON. */
export const shortenJson: Shorten = (text, policy, { firstLine = 1, asked }) => {
  const trimmed = text.trim();
  if (trimmed.length > mostParsed || !/^[{[]/.test(trimmed)) return undefined;
  const document = parsed(trimmed);
  if (document !== undefined)
    return written(document, trimmed, { policy, asked, items: 0, strings: 0 });
  const lines = trimmed.split("\n");
  if (lines.length < 3) return undefined;
  const entries: unknown[] = [];
  for (const line of lines) {
    const entry = parsed(line);
    if (typeof entry !== "object") return undefined;
    entries.push(entry);
  }
  const before = text.slice(0, text.indexOf(trimmed)).split("\n").length - 1;
  const how = { policy, asked, items: 0, strings: 0 };
  return shortenLines(entries, how, firstLine + before);
};

/** A number that JavaScript would write in another way: `17.0`, `1e5`, one of many digits. */
const hasOddNumber = /\d{16}|\.\d*0(?!\d)|\d[eE][-+\d]/;
/** Around a number that JavaScript would write in another way; no text has these. */
const [opening, closing] = ["\uE000", "\uE001"];

/** A number that has more digits than are read stays digit by digit: an id is useless without its last ones. */
function exactly(_: string, value: unknown, context?: { source: string }): unknown {
  const isExact = typeof value !== "number" || String(value) === context?.source;
  return isExact ? value : `${opening}${context?.source}${closing}`;
}

const asText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? "")
    .replaceAll(/"\uE000([^"\uE001]*)\uE001"/g, "$1")
    .replaceAll(/[\uE000\uE001]/g, "");

/** The value; undefined for what is not valid JSON. */
function parsed(text: string): unknown {
  try {
    return hasOddNumber.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Longer lines on average hold an item each. */
const itemOnLine = 60;

function written(document: unknown, source: string, how: Shrinking): Shortened | undefined {
  const short = shrink(document, how, 0);
  const lines = source.split("\n").length;
  const isByLine = lines > 2 && source.length > lines * itemOnLine && Array.isArray(short);
  const text = isByLine
    ? `[${short.map((item) => asText(item)).join(",\n")}]`
    : asText(short, lines > 1 ? 1 : 0);
  return {
    text,
    leftOut: leftOutOf(how) || "only white space",
    how: "kept the structure",
    isWhole: true,
  };
}

function shortenLines(
  entries: readonly unknown[],
  how: Shrinking,
  firstLine: number,
): Shortened | undefined {
  const { items } = how.policy;
  const first = entries.length > items + 1 ? items : entries.length;
  const text = partsOf(entries, first, how.asked).map((part) => {
    if ("at" in part) return asText(shrink(entries[part.at], how, 1));
    how.items += part.to - part.from;
    return `${linesMark(firstLine + part.from, firstLine + part.to - 1)}: ${part.about}`;
  });
  return {
    text: text.join("\n"),
    leftOut: leftOutOf(how) || "only white space",
    how: "kept first lines",
    isWhole: true,
  };
}

function leftOutOf({ items, strings }: Shrinking): string {
  const parts: string[] = [];
  if (items > 0) parts.push(`${items} list ${items === 1 ? "item" : "items"}`);
  if (strings > 0) parts.push(`parts of ${strings} long ${strings === 1 ? "string" : "strings"}`);
  return parts.join(" and ");
}

function shrink(value: unknown, how: Shrinking, depth: number): unknown {
  const { policy, asked } = how;
  if (typeof value === "string") {
    if (value.length <= policy.stringCharacters) return value;
    how.strings++;
    const kept = cut(value, policy.stringCharacters, "");
    const rest = value.slice(kept.length);
    const wanted = asked ? askedPartsOf(rest, asked) : "";
    const names = createNames([kept, wanted])([rest]);
    return `${kept}… (+${rest.length} characters${names && `: ${names}`})${wanted}`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) {
    how.items++;
    return "…";
  }
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, shrink(part, how, depth + 1)]),
    );
  const short = (entry: unknown) => shrink(entry, how, depth + 1);
  const rest = value.slice(policy.items);
  if (rest.length <= 1 || JSON.stringify(rest).length <= 200) return value.map(short);
  return partsOf(value, policy.items, asked).map((part) => {
    if ("at" in part) return short(value[part.at]);
    how.items += part.to - part.from;
    return `… ${part.about}`;
  });
}

/** A stretch of a list that is left out: its first place, the one after its last, and what is said of it. */
interface Gap {
  from: number;
  to: number;
  about: string;
}

/** Most of a long string that is added because it was asked for, and from how many bits on it was; in a short list that part of what one alone has. */
const [mostAskedText, leastAskedBits, shareOfRarest] = [300, 3, 0.55];

/** Of the rest of a string the sentences or lines that were asked for. */
function askedPartsOf(rest: string, asked: Asked): string {
  const parts = rest.split(/\n|(?<=[.!?;。！？])\s+/);
  const bits = asked.bitsOf(parts);
  const best = parts
    .map((part, at) => ({ part: part.trim(), bits: bits[at] ?? 0 }))
    .filter(({ bits: own }) => own >= leastAskedBits)
    .toSorted((one, other) => other.bits - one.bits)[0];
  return best ? ` … ${cut(best.part, mostAskedText)} …` : "";
}

/** The first items and those that were asked for or depart from the others; between them the gaps. What all have in common is said once. */
function partsOf(
  list: readonly unknown[],
  first: number,
  asked: Asked | undefined,
): (Gap | { at: number })[] {
  const { telling, spread } = lookAtList(list, first, asked);
  const parts: (Gap | { at: number })[] = list.slice(0, first).map((_, at) => ({ at }));
  let from = first;
  for (const at of [...telling, list.length]) {
    if (at > from) {
      const rest = list.slice(from, at);
      const about = from > first ? "" : `${shapeOf(rest)}${spread && `; in all: ${spread}`}`;
      parts.push({ from, to: at, about: `${rest.length} more${about}` });
    }
    if (at < list.length) parts.push({ at });
    from = at + 1;
  }
  return parts;
}

/** ` with id, name; by name: a, b, c`: what the left out items are, and how they are called. */
function shapeOf(rest: readonly unknown[]): string {
  const first = rest[0];
  if (typeof first === "string" || typeof first === "number") return listed(rest, ":");
  if (typeof first !== "object" || first === null || Array.isArray(first)) return "";
  const fields: Record<string, unknown> = { ...first };
  const keys = Object.keys(fields);
  const name = names.find(
    (key) => typeof fields[key] === "string" || typeof fields[key] === "number",
  );
  const shape = ` with ${keys.slice(0, 12).join(", ")}${keys.length > 12 ? ", …" : ""}`;
  if (name === undefined) return shape;
  const called = rest.map((entry) =>
    typeof entry === "object" && entry !== null ? Reflect.get(entry, name) : undefined,
  );
  return `${shape}${listed(called, `; by ${name}:`)}`;
}

function listed(values: readonly unknown[], opening: string): string {
  const parts: string[] = [];
  let size = 0;
  for (const value of values) {
    if (typeof value !== "string" && typeof value !== "number") continue;
    const text = cut(String(value), 120);
    size += text.length + 2;
    if (size > mostNames) break;
    parts.push(text);
  }
  if (parts.length === 0) return "";
  return `${opening} ${parts.join(", ")}${parts.length < values.length ? ", …" : ""}`;
}

// The second look at a list of JSON: how the values of each field are spread, and the items that depart from the others.

/** Rarer than one in eleven; at most so many items, and so many characters of them. */
const [leastBits, mostItems, mostCharacters] = [3.5, 8, 1_200];
/** Items of one reason weigh less the more of them there are. */
const repeated = 0.7;
/** Longest lists judged. */
const longestList = 20_000;

/** What is said of a long list. */
interface ListLook {
  /** The places of the items that depart from the others, ascending. */
  telling: number[];
  /** `state: open ×69, closed ×1; comments: 0 to 5`; empty where nothing is common to the items. */
  spread: string;
}

/** Looks at all items of a list; `from` is the first that is not shown anyway. */
export function lookAtList(items: readonly unknown[], from: number, asked?: Asked): ListLook {
  const judged = items.slice(0, longestList).map(fieldsOf);
  const telling: number[] = [];
  let room = mostCharacters;
  const scored = tellingOf(departures(featuresOfItems(judged)), leastBits);
  takeTelling(scored, { least: leastBits, repeated }, ({ at }) => {
    if (at < from || telling.length >= mostItems || room <= 0) return false;
    const size = JSON.stringify(items[at])?.length ?? 0;
    if (telling.length > 0 && size > room) return false;
    telling.push(at);
    room -= size;
    return true;
  });
  // What was asked for has room of its own.
  room = mostCharacters;
  for (const at of askedItems(judged, asked)) {
    const size = JSON.stringify(items[at])?.length ?? 0;
    if (at < from || telling.includes(at)) continue;
    if (size > room) break;
    telling.push(at);
    room -= size;
  }
  return { telling: telling.sort((one, other) => one - other), spread: spreadOf(judged) };
}

/** The places of items that were asked for, what has most of it first. */
function askedItems(items: readonly (readonly Field[])[], asked: Asked | undefined): number[] {
  if (!asked) return [];
  const bits = asked.bitsOf(items.map((own) => own.map(([, value]) => value).join(" ")));
  // In a short list hardly anything is rare.
  const least = Math.min(leastAskedBits, Math.log2(items.length) * shareOfRarest);
  return [...bits.keys()]
    .filter((at) => (bits[at] ?? 0) >= least)
    .sort((one, other) => (bits[other] ?? 0) - (bits[one] ?? 0));
}

/** Most fields named, values of each, and characters. */
const [mostFields, mostValues, mostSpread] = [12, 4, 500];

function spreadOf(items: readonly (readonly Field[])[]): string {
  const fields = new Map<string, string[]>();
  for (const own of items)
    for (const [name, value] of own) {
      const values = fields.get(name);
      if (values) values.push(value);
      else if (fields.size < 60) fields.set(name, [value]);
    }
  const spreads: string[] = [];
  let size = 0;
  for (const [name, values] of fields) {
    if (name === "" || spreads.length >= mostFields) continue;
    const spread = spreadOfField(values);
    if (spread === undefined || size + spread.length > mostSpread) continue;
    size += spread.length + name.length;
    spreads.push(`${name}: ${spread}`);
  }
  return spreads.join("; ");
}

function spreadOfField(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].sort((one, other) => other[1] - one[1]);
  const isCommon =
    (sorted[0]?.[1] ?? 0) > 1 && counts.size <= Math.max(mostValues, values.length / 4);
  if (isCommon && counts.size <= mostValues * 2) {
    const named = sorted
      .slice(0, mostValues)
      .map(([value, count]) => `${cut(value, 30)} ×${count}`);
    const rest = counts.size - named.length;
    return `${named.join(", ")}${rest > 0 ? `, ${rest} others` : ""}`;
  }
  const numbers = values.map(numberOf).filter((value) => value !== undefined);
  if (numbers.length === values.length && numbers.length > 1) {
    const least = numbers.reduce((one, other) => Math.min(one, other));
    const most = numbers.reduce((one, other) => Math.max(one, other));
    return `${least} to ${most}`;
  }
  return undefined;
}
