// What a name promises in whatever language, and whether a value under it keeps the promise.
import { inEnglish } from "./foreign-names.ts";
import { isOfSecret, type NameVerdict, verdictOf } from "./names.ts";
import {
  isChosen,
  isHandedOut,
  isInRuns,
  isIssued,
  isPassphrase,
  isRandom,
  isSecretLiteral,
  isUnguessable,
} from "./values.ts";

/** A name in English, and what it promises. */
interface Promised {
  name: string;
  verdict: NameVerdict;
}

/** A secret's name behind which stands what it is for: `senha do banco`. */
const begins = /^(?:password|secret|token|api_key)(?![a-z])/i;

/** What a variable's, key's, header's or option's name says about its value, in other languages too. */
export function judgeNamed(written: string): Promised {
  const name = inEnglish(written);
  const verdict = verdictOf(name);
  if (name === written) return { name, verdict };
  if (verdict === "maybe" || verdict === "made") return { name, verdict: "spoken" };
  const isOne = begins.test(name) && !isOfSecret(name);
  return { name, verdict: verdict ?? (isOne ? "likely" : undefined) };
}

/** A variable of an environment, where a run of hexadecimal digits is no revision. */
export const isVariable = (name: string): boolean => /^[A-Z][A-Z\d_]*$/.test(name);

/** True for what a service made as the password of a database. */
const isLongHex = (value: string): boolean =>
  value.length >= 24 && /^(?=[a-f]{0,24}\d)(?=\d{0,24}[a-f])[0-9a-f]{24,128}$/.test(value);

/** True for a value that is what its name promises. */
export function isSecretUnder(value: string, name: string, verdict: NameVerdict): boolean {
  if (verdict === undefined) return false;
  if (verdict === "secret") return isSecretLiteral(value, name);
  // Of what is shortened nothing is left to take.
  if (value.includes("...")) return false;
  if (verdict === "maybe") return isRandom(value);
  if (verdict === "made") return value.length >= 20 && isIssued(value);
  if (verdict !== "issued" && isInRuns(value)) return true;
  if (verdict === "likely")
    return (
      isRandom(value) ||
      isChosen(value, true) ||
      isPassphrase(value) ||
      isLongHex(value) ||
      (isVariable(name) && (isIssued(value) || isUnguessable(value, true)))
    );
  const isMade = isHandedOut(value) || isUnguessable(value, true);
  return isMade || (verdict === "spoken" && isChosen(value, true));
}

/** The mark of what stands under a name and is a secret; undefined for anything else. */
export function kindUnder(key: string, value: string): string | undefined {
  const { name, verdict } = judgeNamed(key);
  return isSecretUnder(value, name, verdict) ? kindOf(name) : undefined;
}

/** What the mark says was there: `password`, `token`, `key`, `secret`. */
export function kindOf(name: string): string {
  if (/pass|pwd|pw$/i.test(name)) return "password";
  if (/token/i.test(name)) return "token";
  return /key/i.test(name) ? "key" : "secret";
}
