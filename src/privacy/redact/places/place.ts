// What a rule about a place is: a pattern that says where a secret stands; and what its value has to be.
import { kindOf } from "../promises.ts";
import type { Found, TextRule } from "../rule.ts";
import { isPlaceholder, isRandom, isSecretLiteral } from "../values.ts";

/** A rule whose pattern says where a secret stands. */
export interface PlaceRule extends TextRule {
  kind: string;
  /** Global and linear; its last group is the secret, and ends the match. */
  pattern: RegExp;
  /** The kind is that of the name in the first group. */
  named?: boolean;
  /** Whether what stood there, under its name if it has one, is a secret; else any value that is no placeholder. */
  accepts?: (value: string, name: string) => boolean;
}

/** A value, and no reference to one (`process.env.TOKEN`, `token`, `${token}`). */
export function isReal(value: string): boolean {
  return (
    isSecretLiteral(value, "") &&
    /\d|[+/=~]/.test(value) &&
    !/[$({[]|^[a-z]+(?:\.[a-zA-Z_]+)+$/.test(value)
  );
}

/** What follows `Bearer` or `Basic` where these may be words. */
export const isRandomBearer = (value: string): boolean =>
  /\d/.test(value) && isReal(value) && (isRandom(value) || /=$/.test(value));

/** What stands where a password is expected: anything but a reference and numbers. */
export const isPassword = (value: string): boolean =>
  isSecretLiteral(value, "") && !isReference(value) && !/^[\d.:]+$/.test(value);

/** A variable of a shell or a template. */
function isReference(value: string): boolean {
  return /^["']?(?:[$%<{]|\[redacted:)/.test(value);
}

/** Typed where a person would also write a word of prose: only what no word is. */
export const isTyped = (value: string): boolean =>
  isPassword(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !/^[\w.-]*\/\S*$/.test(value);

/** The password of an address, and neither a port nor a placeholder. */
export const isUrlPassword = (value: string): boolean =>
  !/^(?:\(?\[\^|\[redacted:|<|\$|\{|%[({]|\*+$|x{3,}$|\d{1,5}(?:\/|$))|^(?:password|pass|pw|pwd|redacted)$/i.test(
    value,
  );

const quoted = String.raw`(?:'[^'\n]{3,4000}'|"[^"\n]{3,4000}"|[^\s"'|;&<>]{3,4000})`;

/** The pattern of an argument, quoted or not, that follows what is given. */
export const command = (before: string): RegExp => new RegExp(`${before}(${quoted})`, "g");

/** The same question of a value without its quotes. */
export const unquotedOf =
  (accepts: (value: string) => boolean) =>
  (value: string): boolean =>
    accepts(value.replace(/^["']|["']$/g, ""));

/** Words to look for: what is given with each digit behind it. */
export const withDigit = (before: string): string[] =>
  [..."0123456789"].map((digit) => before + digit);

/** What a rule finds in a text. */
export function findPlaces(
  { id, kind, pattern, accepts, named }: PlaceRule,
  text: string,
): Found[] {
  const found: Found[] = [];
  for (const hit of text.matchAll(pattern)) {
    const value = hit.findLast((group) => group !== undefined) ?? "";
    if (!(accepts ? accepts(value, named ? (hit[1] ?? "") : "") : !isPlaceholder(value))) continue;
    const end = hit.index + hit[0].length;
    found.push({
      start: end - value.length,
      end,
      kind: named ? kindOf(hit[1] ?? "") : kind,
      rule: id,
    });
  }
  return found;
}
