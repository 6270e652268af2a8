// Sticky expressions: what stands at a place in a text, and nowhere behind it.

/** Where a match of a sticky expression ends that begins at `at`. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
