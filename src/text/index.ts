// memoir/text: reading and shortening what people, agents and programs wrote.

export { type Paths, pathBelow, pathsFrom } from "./paths.ts";
export { isCited, type OwnSentence, ownSentences, wholeRequestOf } from "./prose/own-words.ts";
export { isNextHeading, isNextLine, phrases, withoutNextLabel } from "./prose/phrases.ts";
export {
  askedOf,
  cleanText,
  codeNames,
  commandKey,
  failureLine,
  headingOf,
  isClientNote,
  isFiller,
  type Language,
  languageOf,
  languages,
  meaningOf,
  overlap,
  plainLine,
  requestOf,
  sentencesOf,
  stopWords,
  tellingWords,
  titleOf,
} from "./prose/plain.ts";
export {
  bestOf,
  denied,
  isReversed,
  saysOtherwise,
  type Telling,
  tellings,
} from "./prose/telling.ts";
export {
  asData,
  asQuoted,
  baseName,
  type Clock,
  capitalize,
  cut,
  denseRange,
  dropOldest,
  estimateTokens,
  head,
  isAbsolutePath,
  isRecord,
  limitWords,
  localClock,
  nameWords,
  oneLine,
  plural,
  recordOf,
  shorten,
  stripAnsi,
  textField,
  toBmp,
  unspacedRange,
} from "./text.ts";
