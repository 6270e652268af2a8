// Lists of phrases as data: each phrase is its own example, and one expression looks for all of a list.
import { capitalize, hasUnspaced, nameWords } from "../text.ts";
import { allWordsOf, codeNames, isFiller, linesOf, meaningOf, overlap } from "./plain.ts";

/**
 * Finds any phrase of a list, whatever its case. Phrases stand between "|"; one that ends with "*" may go on inside the
 * word, one that ends with "$" stands at the end of the text, but for a colon. `where`: anywhere, or at the start.
 */
export function phrases(list: string, where: "anywhere" | "start" = "anywhere"): RegExp {
  const any = phrasesOf(list).map((phrase) => {
    const text = bare(phrase).split(" ").map(RegExp.escape).join("\\s+");
    // Without blanks between words a phrase has no ends to be found by.
    const isUnspaced = hasUnspaced(phrase);
    const begin = where === "start" || isUnspaced ? "" : "(?<!\\p{L})";
    if (phrase.endsWith("$")) return `${begin}${text}\\s*[:：]?\\s*$`;
    return begin + text + (phrase.endsWith("*") || isUnspaced ? "" : "(?!\\p{L})");
  });
  return new RegExp(`${where === "start" ? "^" : ""}(?:${any.join("|")})`, "iu");
}

/** The phrases of a list, as they are written there. */
export function phrasesOf(list: string): string[] {
  return list.split("|").map((phrase) => phrase.trim());
}

/** A phrase as it would stand in a text. */
export function bare(phrase: string): string {
  return phrase.replace(/[*$]$/, "");
}

// Headings under which a closing message says what is left to do, by language: each phrase is its own example.

/** A heading begins with one of these; nothing else of a text is judged by them. */
export const nextWords: Readonly<Record<string, string>> = {
  en: "what's next|what is next|what's left|what is left|what remains|next$|next step|next steps|next up|remaining|still open|still to do|still missing|open$|open question|open questions|open points|open items|todo$|todos$|to-do$|to-dos$|todo list|follow-up|follow-ups|followups|not done|not yet done|pending",
  de: "nächster schritt|nächste schritte|offen$|offene punkte|offene fragen|noch offen|noch zu tun|was fehlt|was bleibt",
  fr: "prochaine étape|prochaines étapes|reste à faire|à faire|points ouverts|en suspens",
  es: "próximo paso|próximos pasos|siguiente paso|siguientes pasos|pendiente|pendientes|falta|por hacer",
  pt: "próximo passo|próximos passos|pendência|pendências|pendentes",
  it: "prossimi passi|da fare|in sospeso",
  ru: "следующие шаги|осталось|дальше",
  ar: "الخطوات التالية|المتبقي",
  zh: "下一步|后续|待办|未完成|剩余",
  ja: "次のステップ|残り|残作業|今後|未対応|次に",
  ko: "다음 단계|남은 일|남은 작업",
};
const pattern = phrases(Object.values(nextWords).join("|"), "start");

/** True for a heading, or a line that introduces a list, of what is left to do. */
export function isNextHeading(heading: string): boolean {
  return pattern.test(heading.replace(/^[^\p{L}]+/u, ""));
}

const label = /^([^:：\n]{1,40})[:：]\s*(?=\S)/u;

/** True for a line that says so itself: `Next: cover the rest`. */
export function isNextLine(text: string): boolean {
  return isNextHeading(label.exec(text)?.[1] ?? "");
}

/** Such a line without its label; any other text as it is. */
export function withoutNextLabel(text: string): string {
  return isNextLine(text) ? capitalize(text.replace(label, "")) : text;
}

// Whether a newer statement takes the place of an older one: the same subject, with another name or number, or turned round. Pure.

/** So much of the shorter statement's words in the other: both are about one thing. */
const subject = 0.5;
const token = /[\p{L}\p{N}][\p{L}\p{N}_.+#/-]*/gu;
const name = /\p{N}|\p{L}[_./]\p{L}|\p{L}\p{Lu}/u;

/**
 * True where each names something that the other does not, and the rest is the same: `SQLite` for `Redis`, `7 minutes` for
 * `10`; and where one says `never` what the other says is always done.
 */
export function saysOtherwise(newer: string, older: string): boolean {
  if (isReversed(newer, older)) return true;
  if (overlap(newer, older) <= subject) return false;
  const [one, other] = [namesIn(newer), namesIn(older)];
  return [...one].some((word) => !other.has(word)) && [...other].some((word) => !one.has(word));
}

/** Words with a digit, a mark or a capital inside, and capitalised ones that do not begin the sentence. In lower case. */
function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const { 0: word, index } of text.matchAll(token)) {
    const plain = word.replace(/[.+#/-]+$/, "");
    const begins = index === 0 || /[.!?。！？]\s*$/u.test(text.slice(0, index));
    if (name.test(plain) || (!begins && /^\p{Lu}/u.test(plain) && plain.length > 1))
      names.add(plain.toLowerCase());
  }
  return names;
}

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

/** True when one says that something is to be, and the other that it is not. */
export function isReversed(newer: string, older: string): boolean {
  if (denied(newer) === denied(older)) return false;
  return overlap(withoutPolarity(newer), withoutPolarity(older)) > subject;
}

/** True where a prompt says no to what was said before it: from its first word on, or in a clause that denies the same. */
export function isRefused(prompt: string, said: string): boolean {
  const [first = ""] = /^[^\s,.!;:，。！]+/u.exec(prompt.trim()) ?? [];
  if (isFiller(first) && denied(first) && !denied(said)) return true;
  const isAbout = (clause: string) =>
    meaningOf(clause).intersection(meaningOf(said)).size >= sameThing;
  return prompt
    .split(clauseEnd)
    .some((clause) => denied(clause) && isAbout(clause) && isReversed(clause, said));
}

const broken = new Set(allWordsOf("broken"));

/** True for a text with a word that says that something is broken, or left to do. */
export function saysBroken(text: string): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}/-]+/u)
    .some((word) => broken.has(word));
}

/** True for a statement that something is not so, or not to be done. */
export function denied(text: string): boolean {
  const own = text.replace(contrast, "");
  const isDenied = polarities.some(({ denies }) => own.match(denies) !== null);
  return isDenied && text.match(without) === null;
}

function withoutPolarity(text: string): string {
  return polarities.reduce(
    (left, { denies, affirms }) => left.replace(denies, " ").replace(affirms, " "),
    text,
  );
}

const undoing = linesOf("undoes").map(([, [words]]) => anyOf(words));
const clauseEnd = /[,;:，；、。()]\s*|[.!?]\s/u;
/** So many words in common are one thing, where no name is. */
const sameThing = 2;

/** True when one takes out what the other put in: the first name of code in its clause, or most of its words. */
export function undoes(newer: string, older: string): boolean {
  const taken = takenOut(newer);
  if (taken.length === 0 || undoing.some((words) => older.match(words) !== null)) return false;
  return taken.some((object) => {
    // A file is where something is taken out.
    const name = codeNames(object).find((one) => !one.includes("."));
    if (name !== undefined) return lettersOf(older).includes(lettersOf(name));
    const names = codeNames(older).map(lettersOf);
    if (names.length > 0) return names.some((one) => lettersOf(object).includes(one));
    const [sought, has] = [object, older].map((text) =>
      meaningOf(nameWords(text).replace(/[_./-]+/g, " ")),
    );
    if (!sought || !has) return false;
    const shared = sought.intersection(has).size;
    return shared >= sameThing && shared > sought.size * subject;
  });
}

/** What a text says is removed, dropped or reverted, by clause: the clause without the word that says so. */
export function takenOut(text: string): string[] {
  return text.split(clauseEnd).flatMap((clause) => {
    const words = undoing.find((one) => clause.match(one) !== null);
    return words ? clause.replace(words, " ") : [];
  });
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
