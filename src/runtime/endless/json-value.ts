// Questions about JSON values: are two the same, is one part of another, how much text do they hold? Pure.

/** True when both say the same; the order of an object's keys does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, at) => sameJson(item, b[at]));
  }
  const mine = Object.entries(a);
  const theirs = b as Record<string, unknown>;
  if (mine.length !== Object.keys(b).length) return false;
  return mine.every(([key, item]) => Object.hasOwn(theirs, key) && sameJson(item, theirs[key]));
}

/** Looked at before giving up: no result worth keeping has more parts. */
const mostParts = 20_000;

/** True when `part` is `whole`, or a value somewhere inside it. False also where `whole` has too many parts to look. */
export function holdsJson(whole: unknown, part: unknown): boolean {
  const waiting: unknown[] = [whole];
  for (let seen = 0; waiting.length > 0 && seen < mostParts; seen++) {
    const value = waiting.pop();
    if (sameJson(value, part)) return true;
    if (typeof value === "object" && value !== null) waiting.push(...Object.values(value));
  }
  return false;
}

/** Characters of all texts inside, keys left out; stops counting above `most`. */
export function textLength(value: unknown, most = Number.POSITIVE_INFINITY): number {
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && length <= most) {
    const item = waiting.pop();
    if (typeof item === "string") length += item.length;
    else if (typeof item === "object" && item !== null)
      for (const inner of Object.values(item)) waiting.push(inner);
  }
  return length;
}
