// memoir/text: reading and shortening what people, agents and programs wrote.

export { type Clock, localClock } from "./amounts.ts";
export { asData, asQuoted } from "./as-data.ts";
export { commandKey } from "./command-key.ts";
export { dropOldest } from "./drop-oldest.ts";
export { type Language, languageOf, languages, stopWords } from "./languages.ts";
export {
  askedOf,
  failureLine,
  headingOf,
  requestOf,
  titleOf,
  wholeRequestOf,
} from "./prose/asked.ts";
export { isFiller, meaningOf, overlap, tellingWords } from "./prose/meaning.ts";
export { isReversed, saysOtherwise } from "./prose/otherwise.ts";
export { isCited, type OwnSentence, ownSentences } from "./prose/own-words.ts";
export { phrases } from "./prose/phrases.ts";
export { cleanText, codeNames, type Paths, pathsFrom, plainLine } from "./prose/plain.ts";
export { bestOf, leadingOf, type Telling, tellings } from "./prose/telling.ts";
export { shorten } from "./shorten.ts";
export {
  baseName,
  capitalize,
  cut,
  head,
  limitWords,
  nameWords,
  oneLine,
  plural,
  stripAnsi,
  toBmp,
} from "./text.ts";
export { estimateTokens } from "./tokens.ts";
export { denseRange, unspacedRange } from "./unspaced.ts";
export { isRecord, recordOf, textField } from "./values.ts";
