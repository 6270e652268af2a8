// What is indexed: a turn, or a record derived from one, as pieces of text of different weight; and its words as tokens.
import { stemmer } from "stemmer";
import { irregular, isUnspaced, pairs, stopWords, unspacedRuns } from "./languages.ts";

// Labels: what filters look for, kept in the index beside the words. They begin with "=", which no word does.

const mark = "=";

export const typeLabel = (type: string): string => `${mark}type:${type}`;
export const clientLabel = (client: string): string => `${mark}client:${client}`;
/** Concepts compare without case. */
export const conceptLabel = (concept: string): string =>
  `${mark}concept:${concept.normalize("NFKC").toLowerCase()}`;

const filePrefix = `${mark}file:`;
const separator = "\u0001";

/** The name comes first, so that all files of one name stand together. */
export function fileLabel(path: string): string {
  const clean = withSlashes(path);
  return `${filePrefix}${lastPart(clean)}${separator}${clean}`;
}

/** The path that a file's label stands for. */
export function pathOf(label: string): string {
  return label.slice(label.indexOf(separator) + 1);
}

/** What the labels of all files begin with, or of those of one name. */
export function fileLabels(name?: string): string {
  return name === undefined ? filePrefix : `${filePrefix}${name}${separator}`;
}

/** True when `asked` names the file `path`: the whole of it, the end of it, or a folder above it. */
export function isFile(path: string, asked: string): boolean {
  const wanted = withSlashes(asked);
  const folder = wanted.replace(/\/+$/, "");
  if (folder === "") return false;
  const isFolderOnly = wanted.endsWith("/");
  return (
    (!isFolderOnly && (path === wanted || path.endsWith(`/${wanted}`))) ||
    path.startsWith(`${folder}/`) ||
    path.includes(folder.startsWith("/") ? `${folder}/` : `/${folder}/`)
  );
}

/** One notation of a path. A slash at its end stays, for it asks for a folder; `slashed` in records/fields.ts takes it off. */
export function withSlashes(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
}

/** The last part of a path in one notation: of a folder, with a slash at its end, nothing, where `baseName` in text/text.ts gives its name. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * The fields of a document. `document` weighs a field's words when documents are picked, `passage` its passages when those
 * are ranked; 0: its words lead to the document, and are shown as what was found only where nothing else of it was.
 */
export const fields = {
  prompt: { code: 0, document: 1, passage: 1 },
  said: { code: 1, document: 1, passage: 1 },
  commit: { code: 2, document: 1.5, passage: 1.2 },
  asked: { code: 3, document: 0.5, passage: 0.7 },
  described: { code: 4, document: 0.5, passage: 0 },
  failure: { code: 5, document: 0.5, passage: 0.7 },
  title: { code: 6, document: 1, passage: 1.1 },
  subtitle: { code: 7, document: 1, passage: 1 },
  fact: { code: 8, document: 1, passage: 1.05 },
  text: { code: 9, document: 1, passage: 1 },
  label: { code: 10, document: 0.5, passage: 0.6 },
} as const;
/** Where in a document a text stands. */
export type DocumentField = keyof typeof fields;

const names = new Map<number, DocumentField>(
  Object.entries(fields).map(([name, { code }]) => [code, name as DocumentField]),
);

/** The field with a code; `text` for a code that a newer version wrote. */
export function fieldOf(code: number): DocumentField {
  return names.get(code) ?? "text";
}

/** One text of a document. Its place is its index in `pieces`. */
export interface Piece {
  field: DocumentField;
  text: string;
}

/** What is found: one record. */
export interface SearchDocument {
  /** The caller's own; a later document of the same id replaces the earlier. */
  id: string;
  /** `turn`, `observation` and the like. */
  kind: string;
  session: string;
  project: string;
  /** Epoch ms. */
  time: number;
  /** Where it stands in its session, for neighbours: a prompt's number; 0 for what is of none. */
  position?: number;
  client?: string;
  type?: string;
  concepts?: readonly string[];
  /** Paths, absolute where that is known. */
  files?: readonly string[];
  pieces: readonly Piece[];
}

/** What says which document it is, in every table and in every answer. */
export type DocumentFacts = Required<
  Pick<SearchDocument, "id" | "kind" | "session" | "project" | "time" | "position">
>;

// A document as the index keeps it: passages of terms, the labels that filters look for, and how its words were written.

/** A passage: where it stands and its terms in order, as text or by number. */
export interface Passage<Term = string> {
  /** Code of the field. */
  field: number;
  /** Index of the piece, and the stretch of its text in UTF-16 units. */
  piece: number;
  start: number;
  end: number;
  terms: Term[];
  /** Identifiers, paths and the like as a whole; no words of the text, so they do not count for its length. */
  names: Term[];
}

/** What is kept of a document beside the facts that filters compare. */
export interface Analysed {
  passages: Passage[];
  labels: string[];
  /** How a term was written, where that differs from the term. */
  words: Map<string, string>;
}

/** Cuts and reads every piece. */
export function analyse(document: SearchDocument): Analysed {
  const words = new Map<string, string>();
  const read = readPieces(document, {
    ofToken({ word, term }) {
      if (word !== term && !words.has(term)) words.set(term, word);
      return term;
    },
    ofText: (text) => text,
  });
  return { ...read, words };
}

/** What stands for a term: of a word of a text, and of a name or a label. */
interface TermOf<Term> {
  ofToken(token: Token): Term;
  ofText(text: string): Term;
}

/** The same, its terms as they are wanted. */
export function readPieces<Term>(
  document: SearchDocument,
  { ofToken, ofText }: TermOf<Term>,
): { passages: Array<Passage<Term>>; labels: Term[] } {
  const passages: Array<Passage<Term>> = [];
  const names = new Set<string>();
  document.pieces.forEach(({ field, text }, piece) => {
    // A piece that was read out of a damaged file may have lost its kind: it must not cost the index.
    if (!Object.hasOwn(fields, field)) return;
    for (const { start, end } of passagesOf(text)) {
      const all = tokensOf(text.slice(start, end));
      if (all.length === 0) continue;
      const isTelling = all.some(tells);
      const terms: Term[] = [];
      names.clear();
      for (const token of all) {
        if (isTelling && !tells(token)) continue;
        terms.push(ofToken(token));
        if (token.names) for (const name of token.names) names.add(name);
      }
      const { code } = fields[field];
      passages.push({ field: code, piece, start, end, terms, names: Array.from(names, ofText) });
    }
  });
  return { passages, labels: labelsOf(document).map(ofText) };
}

/** Whether a token says something. A stop word that begins a name (`on-call`) keeps it. */
const tells = (token: Token): boolean => !token.stop || token.names !== undefined;

function labelsOf(document: SearchDocument): string[] {
  const labels = [
    ...(document.client === undefined ? [] : [clientLabel(document.client)]),
    ...(document.type === undefined ? [] : [typeLabel(document.type)]),
    ...(document.concepts ?? []).map(conceptLabel),
    ...(document.files ?? []).map(fileLabel),
  ];
  return [...new Set(labels)];
}

// Cuts a text into passages: what reads as one, of about fifty words.

/** A stretch of a text, in UTF-16 units. */
interface Stretch {
  start: number;
  end: number;
}

const wanted = 50;
/** A blank line, or a line that begins a list item, a heading or a fence. */
const opens = /^[ \t]*(?:$|[-*+•][ \t]|\d{1,3}[.)][ \t]|#{1,6}[ \t]|```|~~~|>[ \t]|\|)/;
/** Characters of an unspaced script that stand for a word each two of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** Blocks at blank lines, list items and headings, joined up to fifty words; longer ones are cut every fifty. */
export function passagesOf(text: string): Stretch[] {
  const found: Stretch[] = [];
  let open: (Stretch & { count: number }) | undefined;
  const close = () => {
    if (open) found.push({ start: open.start, end: open.end });
    open = undefined;
  };
  const countWords = ascii.test(text) ? countSpaced : countAll;
  for (const block of blocks(text)) {
    const count = countWords(text, block);
    if (count === 0) continue;
    if (open && open.count + count > wanted) close();
    if (count > wanted) {
      found.push(...cut(text, block, countWords));
      continue;
    }
    open = open
      ? { start: open.start, end: block.end, count: open.count + count }
      : { ...block, count };
  }
  close();
  return found;
}

/** Runs of lines that read as one. */
function blocks(text: string): Stretch[] {
  const found: Stretch[] = [];
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    if (at > start && opens.test(text.slice(at, Math.min(end, at + 80)))) {
      found.push({ start, end: at });
      start = at;
    }
    at = end + 1;
  }
  if (start < text.length) found.push({ start, end: text.length });
  return found;
}

function countAll(text: string, { start, end }: Stretch): number {
  const pairs = Math.floor((text.slice(start, end).match(unspaced)?.length ?? 0) / 2);
  return countSpaced(text, { start, end }) + pairs;
}

/** Words between spaces, without making any of them. */
function countSpaced(text: string, { start, end }: Stretch): number {
  let count = 0;
  let wasSpace = true;
  for (let at = start; at < end; at++) {
    const isSpace = isSpaceAt(text, at);
    if (wasSpace && !isSpace) count++;
    wasSpace = isSpace;
  }
  return count;
}

const otherSpace = /\s/;

function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code === 32 || (code >= 9 && code <= 13);
  return otherSpace.test(text.charAt(at));
}

/** The words of a stretch, where they stand. */
function* wordsIn(text: string, block: Stretch): Generator<Stretch> {
  for (let at = block.start; ; ) {
    while (at < block.end && isSpaceAt(text, at)) at++;
    const start = at;
    while (at < block.end && !isSpaceAt(text, at)) at++;
    if (at === start) return;
    yield { start, end: at };
  }
}

/** Every fifty words; a run without spaces also every thousand characters. */
function cut(text: string, block: Stretch, countWords: typeof countAll): Stretch[] {
  const found: Stretch[] = [];
  let start = block.start;
  let count = 0;
  for (const word of wordsIn(text, block)) {
    const { end } = word;
    if (count >= wanted) {
      found.push({ start, end: word.start });
      start = word.start;
      count = 0;
    }
    count += countWords(text, word);
    while (end - start > longest) {
      const splits =
        text.charCodeAt(start + longest) >= 0xdc00 && text.charCodeAt(start + longest) <= 0xdfff;
      const stop = start + longest - (splits ? 1 : 0);
      found.push({ start, end: stop });
      start = stop;
      count = 0;
    }
  }
  if (start < block.end) found.push({ start, end: block.end });
  return found;
}

const longest = 1_000;

// Text as tokens: what is indexed of it and what a query looks for. Identifiers are found whole and in parts, words by their stem.

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
  /** The batch that read it last, and its term's number there: most words come again, and need not be looked up. */
  batch?: number | undefined;
  place?: number | undefined;
}

const longestWord = 64;
const longestName = 80;
/** Words, with what joins them inside one identifier, path, version or address. */
const runs = /[\p{L}\p{N}\p{M}]+(?:(?:[-_'’]|[./\\:]{1,3})[\p{L}\p{N}\p{M}]+)*/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII, where nothing needs normalising
const ascii = /^[\x00-\x7f]*$/;
const simple = /^(?:[a-z0-9]+|[A-Z][a-z0-9]*|[A-Z0-9]+)$/;
const joints = /[./\\:]+/;
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** What has no hump is told by less. */
const inner = /.\p{Lu}/u;
const accents = /[\u0300-\u036f]/g;
const hash = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,40}$/;
/** As many characters of a commit's hash as git shows. */
const shortHash = 7;

/** The tokens of a text, in order. `refreshToken` gives `refresh`, with the name `refreshtoken`, and `token`. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  if (ascii.test(text)) addAscii(tokens, text);
  else for (const run of plain(text).match(runs) ?? []) addRun(tokens, run);
  return tokens;
}

// What a character of ASCII is to a run: each a bit, for a look at one place tells.
const small = 1;
const digit = 2;
const capital = 4;
/** What joins words by itself, and what does so up to three times. */
const joinsAlone = 8;
const joinsMany = 16;
const inWord = small | digit;
const anyPlain = inWord | capital;

const classes = new Uint8Array(128);
for (const [bit, characters] of [
  [small, "abcdefghijklmnopqrstuvwxyz"],
  [digit, "0123456789"],
  [capital, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  [joinsAlone, "-_'"],
  [joinsMany, "./\\:"],
] as const)
  for (const character of characters) classes[character.charCodeAt(0)] = bit;

/** Of the character at a place; 0 at the end. */
const classAt = (text: string, at: number): number =>
  at < text.length ? (classes[text.charCodeAt(at)] as number) : 0;

/** Character by character, for most of what is indexed is plain words that were met before. */
function addAscii(tokens: Token[], text: string): void {
  const { length } = text;
  for (let at = 0; at < length; ) {
    const start = at;
    let hash = 0;
    let of = classAt(text, at);
    if ((of & anyPlain) === 0) {
      at++;
      continue;
    }
    do {
      // In small: the bit is set in digits as well.
      hash = (Math.imul(hash, 31) + (text.charCodeAt(at) | 32)) | 0;
      of = classAt(text, ++at);
    } while ((of & inWord) !== 0);
    const end = of === 0 ? at : endOfRun(text, start);
    if (end > at) addRun(tokens, text.slice(start, end));
    else addMet(tokens, text, start, end, hash);
    at = end;
  }
}

/** The end of the words from `start` on that are joined, as `runs` has them. */
function endOfRun(text: string, start: number): number {
  for (let at = start; ; ) {
    while ((classAt(text, at) & anyPlain) !== 0) at++;
    const end = at;
    if ((classAt(text, at) & joinsAlone) !== 0) at++;
    else while (at - end < 3 && (classAt(text, at) & joinsMany) !== 0) at++;
    if (at === end || (classAt(text, at) & anyPlain) === 0) return end;
  }
}

/** Words that were met last, each at the place of its hash: one that comes again is not cut out of the text. */
const met: Array<Token | undefined> = Array.from({ length: 1 << 15 });

function addMet(tokens: Token[], text: string, start: number, end: number, hash: number): void {
  const slot = hash & (met.length - 1);
  const known = met[slot];
  if (known?.word.length === end - start && isWordAt(known.word, text, start)) tokens.push(known);
  else {
    const place = tokens.length;
    addWord(tokens, text.slice(start, end).toLowerCase());
    met[slot] = tokens[place];
  }
}

function isWordAt(word: string, text: string, start: number): boolean {
  for (let i = 0; i < word.length; i++)
    if (word.charCodeAt(i) !== (text.charCodeAt(start + i) | 32)) return false;
  return true;
}

/** Identifiers and paths that were met last, as their tokens, which nobody changes from then on. */
const metRuns = new Map<string, readonly Token[]>();
const mostRuns = 20_000;

function addRun(tokens: Token[], run: string): void {
  let known = metRuns.get(run);
  if (known === undefined) {
    const made: Token[] = [];
    readRun(made, run);
    known = made;
    if (metRuns.size >= mostRuns) metRuns.clear();
    if (run.length <= longestName) metRuns.set(run, known);
  }
  for (const token of known) tokens.push(token);
}

function readRun(tokens: Token[], run: string): void {
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
  if (!ascii.test(clean) && isUnspaced(clean)) {
    for (const run of unspacedRuns(clean))
      if (isUnspaced(run)) addCharacters(tokens, run);
      else addPiece(tokens, run);
    return;
  }
  const first = tokens.length;
  const parts = clean
    .split(/[-_]/)
    .flatMap((part) => (inner.test(part) ? part.split(humps) : part))
    .filter((part) => part !== "");
  for (const part of parts) addWord(tokens, part.toLowerCase());
  if (parts.length > 1) name(tokens[first], stem(parts.join("").toLowerCase()));
}

function addWord(tokens: Token[], word: string): void {
  if (word.length > longestWord) return;
  const stop = stopWords.has(word);
  const token: Token = { word, term: stem(word), stop, batch: undefined, place: undefined };
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

// Word stems, so that inflections of one word are one term.

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
