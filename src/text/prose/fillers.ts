// Words that ask for nothing and tell nothing by themselves, by language: what "yes, go on please" is made of.
import { denseRange } from "../unspaced.ts";

/** A language's words, and a prompt made of nothing else: its test. */
interface Fillers {
  language: string;
  /** Lower case; of scripts without spaces, longest first. */
  words: readonly string[];
  example: string;
}

const list = (text: string): string[] => text.split(" ");

/** By language. Only what stands in a title depends on them, never what is kept. */
export const fillers: readonly Fillers[] = [
  {
    language: "en",
    words: list(
      "ok okay k sorry yes yeah yep y no nope n please pls thanks thank you great good nice cool perfect sure right fine go on ahead continue proceed next now do it that this then and so well hi hey hello again just try retry resume lgtm looks done start let's lets let us stop wait hmm ah oh i see is the a to all both them also yourself more",
    ),
    example: "Yes please, go ahead and do it now!",
  },
  {
    language: "de",
    words: list(
      "ja nein bitte danke gut super prima passt weiter mach mal los nochmal hallo und dann jetzt das so genau okay gerne",
    ),
    example: "Ja bitte, mach das so weiter",
  },
  {
    language: "fr",
    words: list(
      "oui non merci bien parfait vas-y allez-y continue continuez s'il te plaît vous plait bonjour salut et alors maintenant ça d'accord",
    ),
    example: "Oui parfait, vas-y, merci",
  },
  {
    language: "es",
    words: list(
      "sí si no gracias por favor bien perfecto vale adelante sigue continúa continua hola y entonces ahora hazlo de acuerdo",
    ),
    example: "Sí, perfecto, adelante por favor",
  },
  {
    language: "pt",
    words: list("sim não obrigado obrigada por favor bom perfeito continue segue olá agora isso"),
    example: "Sim, perfeito, continue por favor",
  },
  {
    language: "it",
    words: list("sì grazie bene perfetto vai avanti continua ciao ora"),
    example: "Sì, vai avanti, grazie",
  },
  {
    language: "ru",
    words: list("да нет спасибо пожалуйста хорошо дальше продолжай давай"),
    example: "Да, продолжай, пожалуйста",
  },
  {
    language: "ar",
    words: list("نعم لا شكرا حسنا من فضلك تابع استمر"),
    example: "نعم، تابع من فضلك",
  },
  {
    language: "zh",
    words: list("可以的 可以 继续 好的 谢谢 请 是的 是 好 对 行 吧 了"),
    example: "好的，请继续吧",
  },
  {
    language: "ja",
    words: list(
      "お願いします ありがとうございます ありがとう 続けてください 続けて ください はい いいえ です",
    ),
    example: "はい、続けてください",
  },
  {
    language: "ko",
    words: list("네 예 아니요 감사합니다 고마워 계속해 계속 좋아요 좋아 해줘 해주세요"),
    example: "네, 계속 해주세요",
  },
];

const spaced: ReadonlySet<string> = new Set(
  fillers.flatMap(({ words }) => words.map((word) => word.toLowerCase())),
);
const unspaced = fillers
  .filter(({ language }) => ["zh", "ja", "ko"].includes(language))
  .flatMap(({ words }) => words);

const dense = new RegExp(`[${denseRange}]`);

/** The words of a text that are no fillers. */
export function tellingWords(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}\p{M}_'’.\-/]+/gu) ?? [];
  return found
    .map((word) => word.replace(/^[.\-/'’]+|[.\-/'’]+$/g, "").replace("’", "'"))
    .map((word) => (dense.test(word) ? bare(word) : word))
    .filter((word) => word !== "" && !spaced.has(word) && !/^\d+$/.test(word));
}

function bare(run: string): string {
  return unspaced.reduce((rest, word) => rest.replaceAll(word, ""), run);
}

/** True for "yes", "2", "go on please" and the like. */
export function isFiller(text: string): boolean {
  return tellingWords(text).join("").length < 3;
}
