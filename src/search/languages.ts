// What single languages need: English words that say nothing or that no stemmer brings together, and scripts without spaces.

/** Too common to tell passages apart: neither indexed nor searched where there are others beside them. As `tokensOf` gives them. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a about after all also am an and any are as at be been before being but by can cant could couldnt did didnt do does " +
    "doesnt doing dont for from get got had has hasnt have havent having he her here hers him his how i id if ill im in " +
    "into is isnt it its ive just let lets me my no nor not of on or our out over she should so some such than that thats " +
    "the their them then there theres these they theyre theyve this those to too up us was wasnt we were werent weve what " +
    "whats when where which while who whom why will with wont would wouldnt you your youre youve"
  ).split(" "),
);

/** `wrote` is found by `write`. */
const forms =
  "arise arose arisen, bear bore borne, beat beaten, become became, begin began begun, bend bent, bind bound, " +
  "bite bit bitten, blow blew blown, break broke broken, bring brought, build built, buy bought, catch caught, " +
  "choose chose chosen, come came, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, " +
  "drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, " +
  "find found, flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten, " +
  "forgive forgave forgiven, freeze froze frozen, give gave given, go went gone, grow grew grown, hang hung, " +
  "hear heard, hide hid hidden, hold held, keep kept, know knew known, lay laid, lead led, leave left, " +
  "lend lent, lie lain, lose lost, make made, mean meant, meet met, pay paid, ride rode ridden, ring rang rung, " +
  "rise rose risen, run ran, say said, see saw seen, seek sought, sell sold, send sent, shake shook shaken, " +
  "shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, " +
  "sleep slept, slide slid, speak spoke spoken, speed sped, spend spent, spin spun, spring sprang sprung, " +
  "stand stood, steal stole stolen, stick stuck, strike struck, swear swore sworn, sweep swept, swim swam swum, " +
  "swing swung, take took taken, teach taught, tear tore torn, tell told, think thought, throw threw thrown, " +
  "understand understood, wake woke woken, wear wore worn, weave wove woven, win won, wind wound, " +
  "write wrote written, child children, man men, woman women, person people, foot feet, tooth teeth, mouse mice, " +
  "life lives, wife wives, index indices, vertex vertices, matrix matrices";

/** The first form of each other form; all lower case. */
export const irregular: ReadonlyMap<string, string> = new Map(
  forms.split(", ").flatMap((line) => {
    const [first = "", ...others] = line.split(" ");
    return others.map((other) => [other, first] as const);
  }),
);

// Scripts that put no spaces between words, or tie particles to them: found by pairs of neighbouring characters.

const scripts =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー";
const hasScript = new RegExp(`[${scripts}]`, "u");
const scriptRuns = new RegExp(`[${scripts}\\p{M}]+|[^${scripts}]+`, "gu");

/** True when a word holds a character of such a script. */
export function isUnspaced(word: string): boolean {
  return hasScript.test(word);
}

/** The stretches of a word that are written in such scripts, and those that are not, in order. */
export function unspacedRuns(word: string): string[] {
  return word.match(scriptRuns) ?? [];
}

/** `数据库` gives `数据` and `据库`; a single character gives itself. */
export function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}
