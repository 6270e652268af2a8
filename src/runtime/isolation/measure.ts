// Is a value small enough and cloneable? Asked before it crosses to the host, where a huge one would cost everybody.

/** What keeps a value from crossing, in words; undefined when nothing does. Sizes are rough: text by its length. */
export function objection(value: unknown, maxBytes: number): string | undefined {
  let bytes = 0;
  const seen = new Set<object>();
  // A list instead of recursion: a plugin's answer may be nested deeper than the stack.
  const rest: Array<{ value: unknown; path: string }> = [{ value, path: "" }];
  for (let one = rest.pop(); one; one = rest.pop()) {
    const { value: inner, path } = one;
    bytes += 8;
    if (typeof inner === "string") bytes += inner.length;
    else if (typeof inner === "function" || typeof inner === "symbol")
      return `it answered a ${typeof inner}${path && ` at ${path}`}, which cannot be sent`;
    else if (typeof inner === "object" && inner !== null) {
      if (seen.has(inner)) continue;
      seen.add(inner);
      if (typeof (inner as { then?: unknown }).then === "function")
        return `it answered a promise${path && ` at ${path}`}, which cannot be sent`;
      bytes += sizeOf(inner);
      for (const [key, part] of partsOf(inner)) {
        bytes += key.length;
        if (bytes > maxBytes) break;
        rest.push({ value: part, path: path ? `${path}.${key}` : key });
      }
    }
    if (bytes > maxBytes)
      return `it answered more than the ${Math.floor(maxBytes / 1_048_576)} MB that one answer may hold`;
  }
  return undefined;
}

function sizeOf(value: object): number {
  if (value instanceof ArrayBuffer) return value.byteLength;
  return ArrayBuffer.isView(value) ? value.byteLength : 0;
}

function* partsOf(value: object): Iterable<[string, unknown]> {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return;
  if (value instanceof Map || value instanceof Set) {
    let at = 0;
    for (const part of value.values()) yield [String(at++), part];
    return;
  }
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) yield [String(at), value[at]];
    return;
  }
  yield* Object.entries(value);
}
