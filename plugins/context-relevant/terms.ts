// The telling words of a text, stemmed and weighed. Pure.

/** A word as it is compared, how it was written, and how much it says. */
export interface Term {
  stem: string;
  written: string;
  /** 0.25 for words of every prompt, 1 for others, 2 for names of code (`refreshToken`, `auth.ts`, `E1234`). */
  weight: number;
}

const words = (text: string): Set<string> => new Set(text.split(" "));

/** Words without meaning of their own. */
const stopWords = words(
  "a about above after again against all already also although always am an and another any anything are aren't around as at back be because been before being below best better between both but by came can cannot can't come could couldn't did didn't different do does doesn't doing don't done down during each either else enough even ever every everything few first for from further get gets getting give given go goes going good got had has hasn't have haven't having he help hence her here hers him his how however i i'd if i'll i'm in instead into is isn't it its it's itself i've just keep kind know last later least less let lets let's like likely little look looks lot made make makes making many may maybe me mean might mine more most much must my need needs never new next no nor not nothing now of off often ok okay on once one only onto or other others our out over own per perhaps please pls possible pretty put quite rather re really right said same say says see seem seems seen shall she should shouldn't since so some something soon still such sure take takes than thank thanks that that's the their them then there there's these they thing things think this those though through thus to together too toward try trying two under until up upon us use used uses using very via want wants was wasn't way we well went were weren't we're what what's when where which while who whole whose why will with within without won't work works working would wouldn't yes yet you your you're yours",
);

/** Words that every second prompt about code contains: they never make an observation relevant by themselves. */
const everydayWords = words(
  "add added adding api app apply approach ask bug bugs build change changed changes check class clean cleanup code command commit commits component config continue correct create created current data debug default delete describe develop edit ensure error errors example exist exists explain extend fail failed failing fails feature file files find finish fix fixed fixes folder function functions handle implement implementation implemented import improve include input install issue issues item job library line lines list load log logic main merge message method missing module move name note number object open optimize option order output package page parse part path plan point print problem process project prompt pull push question read refactor remove rename repo repository request result results return review rewrite run running save script section server service session set setup show simple start state step steps stop string support system task tasks test tested testing tests text time todo tool type types understand update updated upgrade user users value values variable version view wrong write write writing src dist docs spec index json yaml html css tsx jsx",
);

const latin = /[\p{L}\p{N}_$][\p{L}\p{N}_$'’./-]*/gu;
const wide = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+/g;
const camel = /[a-z0-9][A-Z]|[A-Za-z]_[A-Za-z]/;
const codeName = /^[\w$-]+\.[a-z]{1,5}$|\/.*\w|^[A-Za-z]+\d{2,}$/;

/** Terms of a text, each once, at most `max`, in the order they are met. Texts beyond 4,000 characters are not read. */
export function termsOf(text: string, max = 40): Term[] {
  const found = new Map<string, Term>();
  const add = (written: string, weight: number): void => {
    const stem = stemOf(written);
    if (stem.length < 2 || found.size >= max) return;
    const known = found.get(stem);
    if (!known) found.set(stem, { stem, written, weight });
    else known.weight = Math.max(known.weight, weight);
  };
  const read = text.slice(0, 4_000);
  // Scripts without spaces are compared by pairs of characters.
  for (const [run] of read.matchAll(wide)) {
    for (let i = 0; i + 1 < run.length || i === 0; i++) add(run.slice(i, i + 2), 0.7);
  }
  for (const [token] of read.replace(wide, " ").matchAll(latin)) {
    const word = token.replace(/[.'’/-]+$/, "").replace(/['’]s$/, "");
    const named = camel.test(word) || codeName.test(word);
    if (named) add(word.split("/").at(-1) ?? word, 2);
    const parts = named || /[./_-]/.test(word) ? partsOf(word) : [word];
    for (const part of parts) {
      const lower = part.toLowerCase();
      if (lower.length < 2 || stopWords.has(lower) || /^\d{1,3}$/.test(lower)) continue;
      // A part of a name is worth what the word is; the name itself counts once more when it is met as a whole.
      add(lower, everydayWords.has(lower) || lower.length < 3 ? 0.25 : 1);
    }
  }
  return [...found.values()];
}

/** `refreshToken.ts` → refresh, Token, ts. */
function partsOf(word: string): string[] {
  return word
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
}

const endings =
  /(?:ations?|ators?|ating|ated|ates?|ions?|ings?|ers?|ors?|ed|es|ies|ly|ments?|ness|s|e|y)$/;

/** A rough stem: enough that `refreshing`, `refreshed` and `refresh` compare as one. */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length < 4 || !/^[a-z]+$/.test(lower)) return lower;
  const cut = lower.replace(endings, "");
  const stem = cut.length >= 3 ? cut : lower;
  return stem.replace(/([^aeiouls])\1$/, "$1");
}

/** The stems of a text that is compared with terms. */
export function stemsOf(text: string): Set<string> {
  return new Set(termsOf(text, 400).map(({ stem }) => stem));
}
