// Headlines: a text in a few words, cut only where a reader would pause.
import { capitalize } from "../text.ts";
import { startsDangling } from "./claims.ts";
import { fitWords, isSpaced } from "./fit.ts";
import { plainLine } from "./plain.ts";

/** Makes a headline of `min` to `max` words, or undefined when the text has no pause in the right place. */
export function headlineOf(text: string, min: number, max: number): string | undefined {
  const plain = plainLine(text)
    .replace(/\s*\((?:[^()]*)\)/g, "")
    .replace(/(?<![\w:/])(?:~?\/)?(?:[\w@.-]+\/)+([\w-]+\.\w+)(?::\d[\d,:-]*)?/g, "$1")
    .replace(/(\.\w{1,5}):\d[\d,:-]*/g, "$1")
    .replace(/[.!:;,\s]+$/, "");
  if (!isSpaced(plain)) return undefined;
  const fitted = fitWords(plain, max, min) ?? fitWords(withoutArticles(plain), max, min);
  if (fitted === undefined || startsDangling(fitted) || fitted.length > 90) return undefined;
  return /\p{L}{3}/u.test(fitted) ? capitalize(fitted) : undefined;
}

/** A sentence in at most `max` words; for scripts without spaces at most 80 characters. Undefined when no cut reads well. */
export function sublineOf(text: string, max: number): string | undefined {
  const plain = plainLine(text).replace(/[.:;,\s]+$/, "");
  if (!isSpaced(plain)) {
    return plain.length <= 80
      ? plain
      : plain.slice(0, 80).replace(/[^。！？、]*$/, "") || undefined;
  }
  const fitted = fitWords(plain, max, 3);
  return fitted === undefined || fitted.length > 240 ? undefined : capitalize(fitted);
}

function withoutArticles(text: string): string {
  return text.replace(/\b(?:the|a|an|all|now|also|properly|correctly|successfully|both)\s+/gi, "");
}
