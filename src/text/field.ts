// One field of a value that may be anything.

/** The value's own field of this name; undefined where it is no object or has none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
