// Columns: what many have under the same name.

/** A column's values, and whose they are, in their order. */
export interface Column {
  rows: number[];
  /** Equal values have equal numbers. */
  values: number[];
  /** Its name is a key that stands beside each value. */
  isKey: boolean;
}

/** Most columns looked at. */
const mostColumns = 150;

/** Columns by the number of their name, in the order in which they came up. */
export function createColumns() {
  const columns: Column[] = [];
  const byName = new Map<number, Column>();
  return {
    all: (): readonly Column[] => columns,
    /** The column of that name; undefined beyond so many. */
    of(name: number, isKey = false): Column | undefined {
      const known = byName.get(name);
      if (known || columns.length >= mostColumns) return known;
      const column = { rows: [], values: [], isKey };
      byName.set(name, column);
      columns.push(column);
      return column;
    },
  };
}

/** Another value of a column, and whose it is. */
export function addTo(column: Column | undefined, row: number, value: number): void {
  column?.rows.push(row);
  column?.values.push(value);
}

// What each of many has, as numbers: its words, say. Counted by how many have it.

/** The things of each, one row behind the other. Equal things have equal numbers, below `kinds`. */
export interface Things {
  all: readonly number[];
  /** Where those of each begin; behind the last one, where they end. */
  starts: Uint32Array;
  kinds: number;
}

/** How many have each thing, however often. */
export function countThings({ all, starts, kinds }: Things): Uint32Array {
  const counts = new Uint32Array(kinds);
  /** The last that was seen to have it, plus one. */
  const last = new Uint32Array(kinds);
  for (let one = 1; one < starts.length; one++)
    for (let at = starts[one - 1] ?? 0; at < (starts[one] ?? 0); at++) {
      const thing = all[at] ?? 0;
      if (last[thing] === one) continue;
      last[thing] = one;
      counts[thing] = (counts[thing] ?? 0) + 1;
    }
  return counts;
}

// Numbers in a column, and which of them lie far from all others.

const number = /^[-+]?[$€£]?(\d[\d_]*(?:[,.]\d{3})*(?:\.\d+)?)\s?([%A-Za-zµ]{0,5})$/;
/** What a unit multiplies by; of two that are written alike the more usual one. */
const units: Readonly<Record<string, number>> = {
  ...{ k: 1e3, K: 1e3, kB: 1e3, KB: 1e3, KiB: 1e3, Ki: 1e3 },
  ...{ M: 1e6, MB: 1e6, MiB: 1e6, Mi: 1e6, G: 1e9, GB: 1e9, GiB: 1e9, Gi: 1e9, T: 1e12, TB: 1e12 },
  ...{ ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9, m: 60, min: 60, h: 3600 },
};

/** `1,204 kB` as 1204000; undefined for what is no number. */
export function numberOf(text: string): number | undefined {
  // Hardly any text begins like a number; one letter tells the others.
  if (text.length > longest || !/^[-+\d([{$€£]/.test(text)) return undefined;
  const bare = text.replace(/^[([{]+|[)\]},;]+$/g, "");
  const [, digits, unit = ""] = number.exec(bare) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(
    digits
      .replaceAll("_", "")
      .replaceAll(/[,.](?=\d{3}(?:\D|$))/g, (sign, at) =>
        sign === "." &&
        !digits.includes(",") &&
        digits.indexOf(".") === at &&
        digits.split(".").length === 2
          ? "."
          : "",
      ),
  );
  const scaled = value * (units[unit] ?? 1);
  return bare.startsWith("-") ? -scaled : scaled;
}

/** Longer texts are no numbers. */
const longest = 40;
/** Beyond so many times the usual distance from the middle a number lies apart. */
const far = 12;

/** The places of the numbers that lie far from the others; empty where many do. */
export function outliers(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  const [least, last] = [sorted[0] ?? 0, sorted.length - 1];
  const middle = sorted[sorted.length >> 1] ?? 0;
  const isSkewed = least > 0 && (sorted[last] ?? 0) > 50 * middle;
  const center = isSkewed ? Math.log(middle) : middle;
  const distance = (value: number) => Math.abs((isSkewed ? Math.log(value) : value) - center);
  const usual = usualDistance(sorted, distance);
  if (usual === 0) return [];
  const most = (isSkewed ? far / 2 : far) * usual;
  const isNegativeApart = least < 0 && (sorted[Math.ceil(sorted.length / 50)] ?? 0) >= 0;
  if (!isNegativeApart && distance(least) <= most && distance(sorted[last] ?? 0) <= most) return [];
  const apart: number[] = [];
  for (let place = 0; place < values.length; place++) {
    const value = values[place] ?? 0;
    if (distance(value) > most || (value < 0 && isNegativeApart)) apart.push(place);
  }
  return apart.length <= Math.max(3, values.length * 0.03) ? apart : [];
}

/** The middle one of all distances from the number in the middle: it is found from there outwards. */
function usualDistance(sorted: Float64Array, distance: (value: number) => number): number {
  const middle = sorted.length >> 1;
  let [below, above] = [middle - 1, middle + 1];
  let found = 0;
  for (let count = 0; count < middle; count++) {
    const down = below >= 0 ? distance(sorted[below] ?? 0) : Number.POSITIVE_INFINITY;
    const up = above < sorted.length ? distance(sorted[above] ?? 0) : Number.POSITIVE_INFINITY;
    found = Math.min(down, up);
    if (down <= up) below--;
    else above++;
  }
  return found;
}
