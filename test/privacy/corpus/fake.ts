// Makes texts with secrets in them when the tests run: no file of the project holds one in one piece.

/** A text, and the parts of it that must never be kept. */
export interface Faked {
  text: string;
  secrets: string[];
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const alphabets: Readonly<Record<string, string>> = {
  a: letters + letters.toUpperCase() + digits,
  l: letters + digits,
  u: letters.toUpperCase() + digits,
  x: letters,
  h: "0123456789abcdef",
  H: "0123456789ABCDEF",
  d: digits,
  w: `${letters}${letters.toUpperCase()}${digits}_-`,
  b: `${letters}${letters.toUpperCase()}${digits}+/`,
  t: `${letters.toUpperCase()}234567`,
};

/** Numbers from 0 to below 1, the same for the same seed. */
export function createRandom(seed: string): () => number {
  let state = 2_166_136_261;
  for (const character of seed)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The text that a template describes: `{a36}` stands for 36 characters of the alphabet `a` (letters and digits; `l`
 * lower case, `u` upper case, `x` letters only, `h` and `H` hexadecimal, `d` digits, `w` with `_-`, `b` with `+/`, `t`
 * base 32), and what stands between « and » must never be kept.
 */
export function fake(template: string, seed: string): Faked {
  const random = createRandom(seed);
  const filled = template.replace(/\{([aluxhHdwbt])(\d+)\}/g, (_, name: string, count: string) =>
    drawn(alphabets[name] ?? "", Number(count), random),
  );
  const secrets = [...filled.matchAll(/«([^»]*)»/g)].map((hit) => hit[1] ?? "");
  return { text: filled.replace(/[«»]/g, ""), secrets };
}

/** Random characters; where there is room, one is a letter and one a digit, as in any real token. */
function drawn(alphabet: string, count: number, random: () => number): string {
  const pick = (from: string): string => from.charAt(Math.floor(random() * from.length));
  const drawnOnes = Array.from({ length: count }, () => pick(alphabet));
  if (count >= 4 && /\d/.test(alphabet) && /[a-z]/i.test(alphabet)) {
    drawnOnes[1] = pick(alphabet.replace(/[^a-z]/gi, ""));
    drawnOnes[count - 2] = pick(alphabet.replace(/\D/g, ""));
  }
  return drawnOnes.join("");
}

/** What of the secrets a text still holds: any six characters in a row. */
export function leaks(kept: string, { text, secrets }: Faked): string | undefined {
  let around = text;
  for (const secret of secrets) around = around.replaceAll(secret, "\u0000");
  for (const secret of secrets) {
    const width = Math.min(6, secret.length);
    for (let at = 0; at + width <= secret.length; at++) {
      const piece = secret.slice(at, at + width);
      if (!around.includes(piece) && kept.includes(piece)) return piece;
    }
  }
  return undefined;
}
