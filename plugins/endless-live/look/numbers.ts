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
  if (text.length > 40) return undefined;
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

/** Beyond so many times the usual distance from the middle a number lies apart. */
const far = 12;

/** The places of the numbers that lie far from the others; empty where many do. */
export function outliers(values: ReadonlyMap<number, number>): number[] {
  const sorted = [...values.values()].sort((one, other) => one - other);
  const middle = sorted[sorted.length >> 1] ?? 0;
  const isSkewed = (sorted[0] ?? 0) > 0 && (sorted.at(-1) ?? 0) > 50 * middle;
  const scale = isSkewed ? Math.log : (value: number) => value;
  const center = scale(middle);
  const distances = sorted.map((value) => Math.abs(scale(value) - center)).sort((a, b) => a - b);
  const usual = distances[distances.length >> 1] ?? 0;
  if (usual === 0) return [];
  const apart = [...values].filter(
    ([, value]) =>
      Math.abs(scale(value) - center) > (isSkewed ? far / 2 : far) * usual ||
      (value < 0 && (sorted[Math.ceil(sorted.length / 50)] ?? 0) >= 0),
  );
  return apart.length <= Math.max(3, values.size * 0.03) ? apart.map(([at]) => at) : [];
}
