// The second look at a list of JSON: how the values of each field are spread, and the items that depart from the others.
import { cut } from "../../../src/text/index.ts";
import { type Field, featuresOfItems, fieldsOf } from "./features.ts";
import { numberOf } from "./numbers.ts";
import { departures, tellingOf } from "./score.ts";

/** Rarer than one in eleven; at most so many items, and so many characters of them. */
const [leastBits, mostItems, mostCharacters] = [3.5, 8, 1_200];
/** Items of one reason weigh less the more of them there are. */
const repeated = 0.7;
/** Longest lists judged. */
const longestList = 20_000;

/** What is said of a long list. */
export interface ListLook {
  /** The places of the items that depart from the others, ascending. */
  telling: number[];
  /** `state: open ×69, closed ×1; comments: 0 to 5`; empty where nothing is common to the items. */
  spread: string;
}

/** Looks at all items of a list; `from` is the first that is not shown anyway. */
export function lookAtList(items: readonly unknown[], from: number): ListLook {
  const judged = items.slice(0, longestList).map(fieldsOf);
  const telling: number[] = [];
  const reasons = new Map<number, number>();
  let room = mostCharacters;
  const scored = departures(featuresOfItems(judged));
  for (const at of tellingOf(scored, leastBits)) {
    if (at < from) continue;
    const [bits, why] = [scored.bits[at] ?? 0, scored.why[at] ?? 0];
    const told = reasons.get(why) ?? 0;
    if (telling.length >= mostItems || room <= 0) break;
    if (bits * repeated ** told < leastBits) continue;
    const size = JSON.stringify(items[at])?.length ?? 0;
    if (telling.length > 0 && size > room) continue;
    reasons.set(why, told + 1);
    telling.push(at);
    room -= size;
  }
  return { telling: telling.sort((one, other) => one - other), spread: spreadOf(judged) };
}

/** Most fields told, values of each, and characters. */
const [mostFields, mostValues, mostSpread] = [12, 4, 500];

function spreadOf(items: readonly (readonly Field[])[]): string {
  const fields = new Map<string, string[]>();
  for (const own of items)
    for (const [name, value] of own) {
      const values = fields.get(name);
      if (values) values.push(value);
      else if (fields.size < 60) fields.set(name, [value]);
    }
  const told: string[] = [];
  let size = 0;
  for (const [name, values] of fields) {
    if (name === "" || told.length >= mostFields) continue;
    const spread = spreadOfField(values);
    if (spread === undefined || size + spread.length > mostSpread) continue;
    size += spread.length + name.length;
    told.push(`${name}: ${spread}`);
  }
  return told.join("; ");
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
