// Figures as a table, development part and set-aside part beside each other.

/** One measured value, over each part of the cases; shares and mean reciprocal ranks from 0 to 1. */
export interface Figure {
  part: string;
  name: string;
  dev: number;
  aside: number;
  /** How many cases each value is over. */
  cases: { dev: number; aside: number };
}

/** The same measure over both parts. */
export function figure<Case>(
  part: string,
  name: string,
  cases: readonly Case[],
  isAside: (one: Case) => boolean,
  measure: (of: readonly Case[]) => number,
): Figure {
  const dev = cases.filter((one) => !isAside(one));
  const aside = cases.filter(isAside);
  return {
    part,
    name,
    dev: measure(dev),
    aside: measure(aside),
    cases: { dev: dev.length, aside: aside.length },
  };
}

/** The share of cases that are so. */
export function share<Case>(is: (one: Case) => boolean): (of: readonly Case[]) => number {
  return (of) => of.filter(is).length / Math.max(1, of.length);
}

/** Lines of a table. */
export function tableOf(figures: readonly Figure[]): string {
  const width = Math.max(0, ...figures.map(({ name }) => name.length));
  const lines: string[] = [];
  let part: string | undefined;
  for (const { dev, aside, cases, ...one } of figures) {
    if (one.part !== part) {
      part = one.part;
      lines.push("", `${part.padEnd(width + 2)}      dev   set aside     cases`);
    }
    lines.push(
      `  ${one.name.padEnd(width)}  ${dev.toFixed(2).padStart(7)}   ${aside.toFixed(2).padStart(9)}  ${`${cases.dev} + ${cases.aside}`.padStart(8)}`,
    );
  }
  return lines.join("\n");
}
