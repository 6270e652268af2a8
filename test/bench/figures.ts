// A measured figure, the target beside it, and the table that shows them.

export type Unit = "s" | "ms" | "µs" | "B" | "KB" | "MB" | "MB/s" | "/s" | "×" | "%" | "";

export interface Figure {
  part: string;
  name: string;
  value: number;
  unit: Unit;
  /** What we promise, and on which side of it a good value lies. */
  target?: { limit: number; better: "lower" | "higher" };
}

/** The value below which a share of the samples lies (0.5 is the median). Rejects an empty list. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error("no samples");
  return value;
}

/** The median. */
export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** Whether a figure keeps its promise; undefined where there is none. */
export function isMet({ value, target }: Figure): boolean | undefined {
  if (!target) return undefined;
  return target.better === "lower" ? value <= target.limit : value >= target.limit;
}

function shown(value: number, unit: Unit): string {
  const digits = unit === "/s" ? 0 : value < 10 ? 2 : 1;
  return `${value.toFixed(digits)} ${unit}`;
}

function verdict(figure: Figure): string {
  if (!figure.target) return "";
  const sign = figure.target.better === "lower" ? "≤" : "≥";
  const word = isMet(figure) ? "met" : "NOT MET";
  return `${sign} ${shown(figure.target.limit, figure.unit)}  ${word}`;
}

/** All figures as aligned text, grouped by part. */
export function table(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  const lines: string[] = [];
  let part = "";
  for (const figure of figures) {
    if (figure.part !== part) lines.push("", figure.part);
    part = figure.part;
    const value = shown(figure.value, figure.unit).padStart(12);
    lines.push(`  ${figure.name.padEnd(width)}  ${value}  ${verdict(figure)}`.trimEnd());
  }
  return lines.slice(1).join("\n");
}
