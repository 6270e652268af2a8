// Facts that only point at something said elsewhere.
import { codeNames } from "./plain.ts";

const pointing =
  /^(?:it|its|it's|this|that|that's|these|those|they|their|he|she|his|her|such|which|then|and|but|or|because|otherwise|same|another)\b/i;

/** True for a text that begins by pointing ("It also …") and names nothing that could be found. For models, whose facts must stand alone. */
export function startsDangling(text: string): boolean {
  return pointing.test(text) && codeNames(text).length === 0 && !/[`"/]\S/.test(text);
}
