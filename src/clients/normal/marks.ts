// What clients put between marks of their own in a text: found in one pass, for others' texts may hold the marks too.

/** A text around its first pair of marks. */
interface Marked {
  before: string;
  inside: string;
  after: string;
}

/** The text around its first `open` that a `close` follows; undefined where there is none. */
export function firstMarked(text: string, open: string, close: string): Marked | undefined {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
  if (end < 0) return undefined;
  return {
    before: text.slice(0, start),
    inside: text.slice(start + open.length, end),
    after: text.slice(end + close.length),
  };
}

/** The text without what stands between marks, without them, and without the blanks behind them. */
export function withoutMarked(text: string, open: string, close: string): string {
  let kept = "";
  let rest = text;
  for (;;) {
    const found = firstMarked(rest, open, close);
    if (!found) return kept + rest;
    kept += found.before;
    rest = found.after.trimStart();
  }
}

/** The text without the marked part that ends it, and without up to two line feeds before that. */
export function withoutMarkedEnd(text: string, open: string, close: string): string {
  const start = text.trimEnd().endsWith(close) ? text.lastIndexOf(open) : -1;
  return start < 0 ? text : text.slice(0, start).replace(/\n{1,2}$/, "");
}
