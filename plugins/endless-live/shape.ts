// Compares shapes: a client ignores a replacement that is not built like the tool's own result.
import { isRecord } from "../../src/text/index.ts";

/**
 * True when `after` is built like `before`: the same keys with values of the same kind, all the way down. Lists may
 * differ in length; each entry of `after` must then be built like some entry of `before`. A field that was a string
 * stays one, an unknown field stays there.
 */
export function hasSameShape(before: unknown, after: unknown): boolean {
  if (Array.isArray(before)) return Array.isArray(after) && sameList(before, after);
  if (!isRecord(before) || !isRecord(after)) return kind(before) === kind(after);
  const keys = Object.keys(before);
  return (
    keys.length === Object.keys(after).length &&
    keys.every((key) => Object.hasOwn(after, key) && hasSameShape(before[key], after[key]))
  );
}

function sameList(before: readonly unknown[], after: readonly unknown[]): boolean {
  if (before.length === 0) return after.length === 0;
  return after.every(
    (entry, at) =>
      (at < before.length && hasSameShape(before[at], entry)) ||
      before.some((known) => hasSameShape(known, entry)),
  );
}

const kind = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
