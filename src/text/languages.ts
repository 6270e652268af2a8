// Languages: how one is recognised, and its most common words.

/** A language that is recognised. */
export const languages = [
  "en",
  "de",
  "fr",
  "es",
  "pt",
  "it",
  "nl",
  "ru",
  "ar",
  "ja",
  "zh",
  "ko",
] as const;
/** A language that is recognised. */
export type Language = (typeof languages)[number];

const list = (text: string): readonly string[] => text.split(" ");

/** Words without a subject of their own, by languages that share a script. */
const commonWords: Readonly<Partial<Record<Language, readonly string[]>>> = {
  en: list(
    "the and for are was were that this with from have has had not but you your can will would should could what when where which who how why all any now then there here into its our their they them been being also just only more some than too very does did don't didn't isn't please make let use is it in of to on we be do if so at by an as or my me no these those whether about because between both each other such while else",
  ),
  de: list(
    "der die das und ist nicht ein eine einen dem den des mit für auf von zu im wir ich sie es auch noch wird werden wurde sind aber oder wenn dann nur bitte kann muss soll sich bei nach aus wie was warum jetzt hier so mal den dass hat haben",
  ),
  fr: list(
    "le la les des une est pas que qui pour dans sur avec ne ce cette ces nous vous je il elle sont ou mais du au aux par plus fait faire peux peut doit être ont était il y a en et un de sans tout",
  ),
  es: list(
    "el los las una que no es por para con del se lo como más pero su sus está son este esta esto hay ya hacer puede debe muy sin sobre también cuando porque nos al y en un de la",
  ),
  pt: list(
    "os as uma que não é por para com do da dos das se como mais mas seu sua está são este esta isso há já fazer pode deve muito sem sobre também quando porque nos ao um em o e",
  ),
  it: list(
    "il gli una che non è per con del della dei si lo come più ma suo sua sono questo questa c'è già fare può deve molto senza anche quando perché nel al di un le la e in",
  ),
  nl: list(
    "het een en van is niet dat die voor met op zijn er maar ook als aan wat nog dan wel kan moet deze dit naar bij uit om te de in we ik je",
  ),
};

/** Words that say nothing of what a text is about. */
export const stopWords: ReadonlySet<string> = new Set(Object.values(commonWords).flat());

const scripts: ReadonlyArray<readonly [Language, RegExp]> = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["ru", /\p{Script=Cyrillic}/gu],
  ["ar", /\p{Script=Arabic}/gu],
];
/** Shares of a text's letters, and of its words, that make it one of a language. */
const scriptShare = 0.2;
const wordShare = 0.1;
/** How much clearer than English another language must be. */
const clearly = 1.2;

/** The language that most of these texts are written in; English where none is clear. */
export function languageOf(texts: readonly string[]): Language {
  const text = texts.join("\n").toLowerCase();
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, script] of scripts)
    if (letters > 0 && (text.match(script)?.length ?? 0) / letters >= scriptShare) return language;
  const words = text.match(/[\p{L}'’]+/gu) ?? [];
  const shares = Object.entries(commonWords).map(([language, common]) => {
    const known = new Set(common);
    const found = words.filter((word) => known.has(word));
    // One word alone may be of any language: `a`, `no`, `die`.
    const isOne = new Set(found).size < 2;
    return [language, isOne ? 0 : found.length / words.length] as const;
  });
  const english = shares.find(([language]) => language === "en")?.[1] ?? 0;
  const [best, most] = shares.reduce((one, other) => (other[1] > one[1] ? other : one));
  const isClear = most >= wordShare && most > english * clearly;
  return languages.find((language) => isClear && language === best) ?? "en";
}
