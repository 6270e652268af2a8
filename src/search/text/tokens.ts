// Text as tokens: what is indexed of it and what a query looks for. Identifiers are found whole and in parts, words by their stem.
import { stemmer } from "stemmer";

/** One word of a text. */
export interface Token {
  /** Lower case, without accents and apostrophes. */
  word: string;
  /** What is indexed and compared: the word's stem. */
  term: string;
  /** A word that says nothing where there are others. */
  stop: boolean;
  /** Names that this word begins: the whole identifier, the file's name, the path. */
  names?: string[];
}

const longestWord = 64;
const longestName = 80;
/** Words, with what joins them inside one identifier, path, version or address. */
const runs = /[\p{L}\p{N}\p{M}]+(?:(?:[-_'’]|[./\\:]{1,3})[\p{L}\p{N}\p{M}]+)*/gu;
const asciiRuns = /[a-z0-9]+(?:(?:[-_']|[./\\:]{1,3})[a-z0-9]+)*/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII, where nothing needs normalising
const ascii = /^[\x00-\x7f]*$/;
const simple = /^(?:[a-z0-9]+|[A-Z][a-z0-9]*|[A-Z0-9]+)$/;
const joints = /[./\\:]+/;
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const accents = /[\u0300-\u036f]/g;
const hash = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,40}$/;
/** As many characters of a commit's hash as git shows. */
const shortHash = 7;

/** The tokens of a text, in order. `refreshToken` gives `refresh`, with the name `refreshtoken`, and `token`. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const found = ascii.test(text) ? text.match(asciiRuns) : plain(text).match(runs);
  for (const run of found ?? []) addRun(tokens, run);
  return tokens;
}

function addRun(tokens: Token[], run: string): void {
  if (simple.test(run)) {
    addWord(tokens, run.toLowerCase());
    return;
  }
  const first = tokens.length;
  const pieces = run.split(joints);
  for (const piece of pieces) addPiece(tokens, piece);
  if (pieces.length < 2) return;
  const path = run.toLowerCase().replace(/[\\/:]+/g, "/");
  const base = path.slice(path.lastIndexOf("/") + 1);
  name(tokens[first], path);
  if (base !== path && base.includes(".")) name(tokens[first], base);
}

/** A word, or an identifier of several. */
function addPiece(tokens: Token[], piece: string): void {
  const clean = piece.replace(/['’](?:s$)?/gi, "");
  if (isUnspaced(clean)) {
    for (const run of unspacedRuns(clean))
      if (isUnspaced(run)) addCharacters(tokens, run);
      else addPiece(tokens, run);
    return;
  }
  const first = tokens.length;
  const parts = clean
    .split(/[-_]/)
    .flatMap((part) => part.split(humps))
    .filter((part) => part !== "");
  for (const part of parts) addWord(tokens, part.toLowerCase());
  if (parts.length > 1) name(tokens[first], stem(parts.join("").toLowerCase()));
}

function addWord(tokens: Token[], word: string): void {
  if (word.length > longestWord) return;
  const token: Token = { word, term: stem(word), stop: stopWords.has(word) };
  if (word.length >= 8 && hash.test(word)) name(token, word.slice(0, shortHash));
  tokens.push(token);
}

/** Pairs are the terms; each single Han character is a name, so that a query of one finds it. */
function addCharacters(tokens: Token[], run: string): void {
  const lower = run.toLowerCase();
  for (const pair of pairs(lower)) {
    const token: Token = { word: pair, term: pair, stop: false };
    const [character = ""] = pair;
    if (character !== pair && /\p{Script=Han}/u.test(character)) token.names = [character];
    tokens.push(token);
  }
  const last = [...lower].at(-1) ?? "";
  const end = tokens.at(-1);
  if (end && end.word !== last && /\p{Script=Han}/u.test(last)) name(end, last);
}

function name(token: Token | undefined, text: string): void {
  if (!token || text.length > longestName || text === token.term) return;
  token.names = [...(token.names ?? []), text];
}

/** One form for letters that look alike, without accents. Case is kept: it tells the parts of an identifier. */
function plain(text: string): string {
  return text.toWellFormed().normalize("NFKD").replace(accents, "").normalize("NFKC");
}

// English words too common to tell passages apart. They are neither indexed nor searched where there are others beside them.

/** Lower case and without apostrophes, as `tokensOf` gives them. */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a about after all also am an and any are as at be been before being but by can cant could couldnt did didnt do does " +
    "doesnt doing dont for from get got had has hasnt have havent having he her here hers him his how i id if ill im in " +
    "into is isnt it its ive just let lets me my no nor not of on or our out over she should so some such than that thats " +
    "the their them then there theres these they theyre theyve this those to too up us was wasnt we were werent weve what " +
    "whats when where which while who whom why will with wont would wouldnt you your youre youve"
  ).split(" "),
);

// Word stems, so that inflections of one word are one term.

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
