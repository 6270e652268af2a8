// Whether a statement says that something is to be or is not to be: the words for that, by language, each with an example. Pure.
import { overlap } from "./meaning.ts";

/** Words of a language that turn a statement round, and those that only say that it always holds. */
interface Polarity {
  language: string;
  denies: RegExp;
  affirms: RegExp;
  /** A statement that it denies, and one that it does not. */
  examples: readonly [denied: string, affirmed: string];
}

/** Latin and Cyrillic words are whole words; of scripts without spaces, parts. */
export const polarities: readonly Polarity[] = [
  {
    language: "en",
    denies: word("never", "not", "no", "no longer", "avoid", "stop", "cannot", "\\p{L}+n['’]t"),
    affirms: word("always", "ever", "any ?more", "from now on", "please", "you may", "do"),
    examples: ["Don't ever push to main", "Always push to main"],
  },
  {
    language: "de",
    denies: word("nie", "niemals", "nicht", "kein", "keine", "keinen", "keiner", "keinem"),
    affirms: word("immer", "grundsätzlich", "mehr", "ab jetzt", "bitte"),
    examples: ["Nie auf main pushen", "Immer auf main pushen"],
  },
  {
    language: "fr",
    denies: word("jamais", "ne", "pas", "plus", "n['’]\\p{L}+"),
    affirms: word("toujours", "désormais"),
    examples: ["Ne pousse jamais sur main", "Pousse toujours sur main"],
  },
  {
    language: "es, pt, it",
    denies: word("nunca", "jamás", "no", "não", "non", "mai", "mais não"),
    affirms: word("siempre", "sempre", "a partir de (?:ahora|agora)"),
    examples: ["Nunca uses npm", "Siempre usa npm"],
  },
  {
    language: "ru",
    denies: word("никогда", "не", "нельзя"),
    affirms: word("всегда"),
    examples: ["Никогда не трогай main", "Всегда трогай main"],
  },
  {
    language: "ja",
    denies: /ないで(?:ください)?|ない|ません|禁止/gu,
    affirms: /必ず|常に|いつも|絶対に|今後は?|これからは|てください/gu,
    examples: ["mainにpushしないでください", "必ずmainにpushしてください"],
  },
  {
    language: "zh",
    denies: /永远不要|绝不要?|千万不要|不要|不再|不用|别(?!的)|禁止/gu,
    affirms: /总是|一律|务必|以后|今后|永远|都/gu,
    examples: ["不要推送到主分支", "务必推送到主分支"],
  },
  {
    language: "ko",
    denies: /지 ?마(?:세요)?|지 ?않/gu,
    affirms: /항상|절대로?|앞으로는/gu,
    examples: ["npm을 사용하지 마", "항상 npm을 사용해"],
  },
];
/** What turns a denial round again: `never … without asking`. */
const without = word("without", "ohne", "sans", "sin", "sem", "senza", "без");
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

function word(...words: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "giu");
}
