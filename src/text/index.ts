// memoir/text: reading and shortening what people, agents and programs wrote.

export { type Clock, localClock } from "./amounts.ts";
export { commandKey } from "./command-key.ts";
export { type Language, languageOf, languages, stopWords } from "./languages.ts";
export {
  askedOf,
  failureLine,
  headingOf,
  requestOf,
  titleOf,
  wholeRequestOf,
} from "./prose/asked.ts";
export { isReversed, saysOtherwise } from "./prose/otherwise.ts";
export { isCited, type OwnSentence, ownSentences } from "./prose/own-words.ts";
export { phrases } from "./prose/phrases.ts";
export {
  cleanText,
  codeNames,
  isFiller,
  meaningOf,
  overlap,
  type Paths,
  pathsFrom,
  plainLine,
  tellingWords,
} from "./prose/plain.ts";
export { bestOf, leadingOf, type Telling, tellings } from "./prose/telling.ts";
export { shorten } from "./shorten.ts";
export {
  asData,
  asQuoted,
  baseName,
  capitalize,
  cut,
  dropOldest,
  estimateTokens,
  head,
  isRecord,
  limitWords,
  nameWords,
  oneLine,
  plural,
  recordOf,
  stripAnsi,
  textField,
  toBmp,
} from "./text.ts";
export { denseRange, unspacedRange } from "./unspaced.ts";
