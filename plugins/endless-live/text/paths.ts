// Paths in text: found, and listed where the lines that held them were left out.

const path =
  /(?<![\w./~@-])(?:~|\.{1,2})?(?:\/?[\w.@+-]+\/)+[\w.@+-]*[\w+-]|(?<![\w./@-])\/(?:[\w.@+-]+\/)*[\w.@+-]*[\w+-]/g;

/** Most characters that a list of paths takes. */
const mostListed = 1_500;

/** The distinct paths in a text, in order of their first place; addresses (`https://…`) are none. */
export function pathsIn(text: string): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(path)) {
    const before = text.slice(Math.max(0, match.index - 3), match.index);
    if (before.endsWith(":/") || before.endsWith("://") || match[0].length > 300) continue;
    if (/[A-Za-z]/.test(match[0])) found.add(match[0]);
  }
  return [...found];
}

/** The paths that stand in `missing` but not in `kept`, as one line; undefined when there are none. */
export function lostPaths(missing: string, kept: string): string | undefined {
  const lost = pathsIn(missing).filter((found) => !kept.includes(found));
  if (lost.length === 0) return undefined;
  const listed: string[] = [];
  let size = 0;
  for (const found of lost) {
    if (size + found.length + 1 > mostListed) break;
    size += found.length + 1;
    listed.push(found);
  }
  const rest = lost.length - listed.length;
  return `… paths in the lines left out: ${listed.join(" ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
