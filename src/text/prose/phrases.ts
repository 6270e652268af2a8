// Lists of phrases as data: each phrase is its own example, and one expression looks for all of a list.
import { capitalize, hasUnspaced } from "../text.ts";

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
