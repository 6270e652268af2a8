// memoir/text: reading and shortening what people, agents and programs wrote.
export { baseName } from "./base-name.ts";
export { commandKey } from "./command-key.ts";
export { dropOldest } from "./drop-oldest.ts";
export { type Language, languageOf, stopWords } from "./languages.ts";
export { vocabularyOf, withoutForeign } from "./prose/backing.ts";
export { type Claim, claimOf, claimsIn, startsDangling } from "./prose/claims.ts";
export { codeNames } from "./prose/code-names.ts";
export { fitCharacters, isBalanced, meaningOf, overlap, trimEnd } from "./prose/fit.ts";
export { type Goal, goalOf, isTrivial, noGoal, stripPoliteness } from "./prose/goal.ts";
export { headlineOf, sublineOf } from "./prose/headline.ts";
export { type Paths, pathsFrom, shortPath } from "./prose/paths.ts";
export { cleanText, plainLine, startCapital, withoutClientMarkup } from "./prose/plain.ts";
export { statementsOf } from "./prose/statements.ts";
export { isImperative, startsWithVerb } from "./prose/verbs.ts";
export { shorten } from "./shorten.ts";
export { countWords, cut, head, oneLine, plural, sentences, stripAnsi, toBmp } from "./text.ts";
export { estimateTokens } from "./tokens.ts";
