// Whether a statement says that something is to be or is not to be. Pure.
import { linesOf } from "../languages.ts";
import { overlap } from "./meaning.ts";

/** Any of these words, parted by bars; or the expression itself where it stands between strokes. */
function anyOf(words = ""): RegExp {
  const source = /^\/(.*)\/$/.exec(words)?.[1];
  return new RegExp(source ?? `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "giu");
}

const affirming = new Map(linesOf("affirms"));
/** By language what turns a statement round, and what only says that it always holds. */
const polarities = linesOf("denies").map(([language, [denies]]) => ({
  denies: anyOf(denies),
  affirms: anyOf(affirming.get(language)?.[0]),
}));
/** What turns a denial round again: `never … without asking`. */
const without = anyOf("without|ohne|sans|sin|sem|senza|без");
/** `cents, not floats` denies the floats only: languages whose verbs are denied by the same word alone are left out. */
const contrast = /(?<=\S+ \S+ \S+ \S+), (?:not|nicht|pas) [^,;]*/giu;
/** So much of the shorter statement in the other, the words above aside. */
const subject = 0.5;

/** True when one says that something is to be, and the other that it is not. */
export function isReversed(newer: string, older: string): boolean {
  if (denied(newer) === denied(older)) return false;
  return overlap(bare(newer), bare(older)) > subject;
}

/** True for a statement that something is not so, or not to be done. */
export function denied(text: string): boolean {
  const own = text.replace(contrast, "");
  const isDenied = polarities.some(({ denies }) => own.match(denies) !== null);
  return isDenied && text.match(without) === null;
}

function bare(text: string): string {
  return polarities.reduce(
    (left, { denies, affirms }) => left.replace(denies, " ").replace(affirms, " "),
    text,
  );
}
