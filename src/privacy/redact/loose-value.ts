// Reads the value of a name that stands there in another way than assigned, by the forms of `loose-forms.ts`.

import { matchEnd } from "./effort.ts";
import { chosenByPeople, type LooseForm } from "./loose-forms.ts";
import { verdictOf } from "./names.ts";
import { isVariable } from "./promises.ts";
import { type Named, readValue, sample, type Value } from "./read-value.ts";
import { isHandedOut, isIssued } from "./values.ts";

/** What an unguessable value has at its beginning. */
const digitSoon = /^[^\n]{0,3}\S*(?:\d|\p{L}(?:[&+!@^]\p{L}|-\p{Lu}))/u;
/** Words that a person joined. */
const joinedWords = /\p{L}(?:[&+!@^]\p{L}|-\p{Lu})/u;
/** No value stands farther behind its name with its first digit. */
const farthest = 300;

/** What a service handed out, and no short number of something else. */
const isIssuedLoosely = (value: string): boolean =>
  isIssued(value) || (value.length >= 12 && isHandedOut(value) && !/^[0-9a-f]+$/.test(value));

/** A value behind a name that stands there in another way than assigned. */
export function looseValue(
  text: string,
  named: Named,
  forms: readonly LooseForm[],
): Value | undefined {
  const { end, name, verdict } = named;
  if (verdict === "maybe" || verdict === "made") return undefined;
  const near = text.slice(end, end + farthest);
  const hasDigit = /\d/.test(near) || (chosenByPeople.test(name) && joinedWords.test(near));
  for (const { between, bare, accepts, likely } of forms) {
    if (bare && !hasDigit) continue;
    const at = matchEnd(between, text, end);
    if (at === undefined || (bare && !digitSoon.test(text.slice(at, at + 60)))) continue;
    const value = readValue(text, at, named, { tight: false, bare, variable: false });
    if (!value) continue;
    // Of a long one the end was not judged, and may be a sign of the sentence.
    const found = text.slice(value.start, Math.min(value.end, value.start + sample));
    const isQuoted = /["'`]/.test(text.charAt(value.start - 1));
    if ((verdict === "issued" || verdict === "spoken") && isIssuedLoosely(found)) return value;
    // Whose a token is says no less of a value than that it is one.
    if (verdict === "issued" && verdictOf(name) !== "secret") continue;
    if (verdict === "likely" && !likely && !isQuoted && !isVariable(name)) continue;
    if (accepts(found, name, isQuoted)) return value;
  }
  return undefined;
}
