// Word stems, so that inflections of one word are one term.
import { stemmer } from "stemmer";

// English verbs and nouns whose forms no stemmer brings together: `wrote` is found by `write`.

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
const irregular: ReadonlyMap<string, string> = new Map(
  forms.split(", ").flatMap((line) => {
    const [first = "", ...others] = line.split(" ");
    return others.map((other) => [other, first] as const);
  }),
);

const cache = new Map<string, string>();
const cacheLimit = 50_000;

/** Porter's stem of a lower-case word, of `write` for `wrote`: `authentication` and `authenticate` are both `authent`. Other scripts stay as they are. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 64) return word;
  let known = cache.get(word);
  if (known === undefined) {
    known = stemmer(irregular.get(word) ?? word);
    if (cache.size >= cacheLimit) cache.clear();
    cache.set(word, known);
  }
  return known;
}
