// The only place that uses an expression's `lastIndex`. A shared expression that keeps it makes the next text depend on the last one.

/** The match of a sticky expression that begins at `at`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  pattern.lastIndex = 0;
  return match ?? undefined;
}

/** Where a match of a sticky expression ends that begins at `at`. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const end = pattern.test(text) ? pattern.lastIndex : undefined;
  pattern.lastIndex = 0;
  return end;
}
