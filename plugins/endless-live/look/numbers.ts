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
  if (text.length > longest) return undefined;
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
/** What a number begins with that is not plain: a bracket, the sign of a currency. */
const openings = new Set([..."([{$€£"].map((text) => text.charCodeAt(0)));
const [minus, plus, dot, zero, nine] = [45, 43, 46, 48, 57];

/** The same of a stretch of `codes`: hardly any of them must be made a string. */
export function numberIn(codes: Uint16Array, from: number, to: number): number | undefined {
  const first = codes[from] ?? 0;
  const isSigned = first === minus || first === plus;
  if (to - from > longest || (!isSigned && !isDigit(first) && !openings.has(first)))
    return undefined;
  const plain = plainIn(codes, isSigned ? from + 1 : from, to);
  if (plain === undefined) return numberOf(String.fromCharCode(...codes.subarray(from, to)));
  return first === minus ? -plain : plain;
}

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** So many digits are exact, however they are put together. */
const exact = 15;

/** Digits with at most one point between them; undefined for whatever else. */
function plainIn(codes: Uint16Array, from: number, to: number): number | undefined {
  if (to - from > exact || to <= from) return undefined;
  let value = 0;
  let point = -1;
  for (let at = from; at < to; at++) {
    const code = codes[at] ?? 0;
    if (isDigit(code)) value = value * 10 + code - zero;
    else if (code === dot && point < 0 && at > from && at < to - 1) point = at;
    else return undefined;
  }
  return point < 0 ? value : value / 10 ** (to - 1 - point);
}

/** Beyond so many times the usual distance from the middle a number lies apart. */
const far = 12;

/** The places of the numbers that lie far from the others; empty where many do. */
export function outliers(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted[sorted.length >> 1] ?? 0;
  const isSkewed = (sorted[0] ?? 0) > 0 && (sorted.at(-1) ?? 0) > 50 * middle;
  const scale = isSkewed ? Math.log : (value: number) => value;
  const center = scale(middle);
  const distances = sorted.map((value) => Math.abs(scale(value) - center)).sort();
  const usual = distances[distances.length >> 1] ?? 0;
  if (usual === 0) return [];
  const lowest = sorted[Math.ceil(sorted.length / 50)] ?? 0;
  const most = (isSkewed ? far / 2 : far) * usual;
  const apart: number[] = [];
  for (const [place, value] of values.entries())
    if (Math.abs(scale(value) - center) > most || (value < 0 && lowest >= 0)) apart.push(place);
  return apart.length <= Math.max(3, values.length * 0.03) ? apart : [];
}
