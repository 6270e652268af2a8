// What a person said that holds beyond the task at hand: decisions, preferences, facts about the environment. Patterns only.
import {
  cleanText,
  cut,
  startCapital,
  statementsOf,
  withoutClientMarkup,
} from "../../src/text/index.ts";

/** A statement and what kind of memory it is. */
export interface Found {
  kind: "decisions" | "preferences" | "facts";
  text: string;
}

/** In this order: the first that fits names the kind. */
const rules: ReadonlyArray<[RegExp, Found["kind"]]> = [
  [/^(?:please )?(?:always|never|from now on|do not ever|don't ever)\b/i, "preferences"],
  [
    /\b(?:you|we|I|agents?|code|tests?|comments?|commits?) (?:should|must) (?:always|never)\b/i,
    "preferences",
  ],
  [
    /\bI(?:'d| would)? (?:much |really |strongly |always )?(?:prefer|like (?:to (?:have|keep|see|use)|it when|my))\b|\bmy preference\b/i,
    "preferences",
  ],
  [/\b(?:I|we) (?:really |explicitly )?(?:don't|do not|never) (?:want|like)\b/i, "preferences"],
  [/\b(?:I|we) (?:always|never) (?:want|use|do|commit|push|write|add)\b/i, "preferences"],
  [
    /\b(?:let's|lets|let us) (?:use|go with|stick (?:with|to)|switch to|keep|avoid)\b/i,
    "decisions",
  ],
  [
    /\b(?:we|I)(?: have|'ve)? (?:decided|agreed|settled on|chose|opted)\b|\bI(?:'ll| will) go with\b|\bwe(?:'ll| will| are going to)? (?:go|going) with\b/i,
    "decisions",
  ],
  [/^(?:use|keep|stick (?:with|to)) .{3,80}\b(?:instead of|rather than)\b/i, "decisions"],
  [
    /\b(?:is|are|gets?) (?:installed|located|hosted|deployed|stored) (?:at|in|on|under|by|via|with)\b/i,
    "facts",
  ],
  [
    /\b(?:lives?|runs?|listens?|(?:is|are) (?:running|kept)) (?:at|in|on|under) (?:port\b|\S*(?:[/:\d]|\.\w))/i,
    "facts",
  ],
  [
    /\b(?:node(?:\.js)?|bun|deno|python|ruby|go|rust|java|php|postgres\w*|mysql|redis|docker|ubuntu|debian|macos|windows|npm|pnpm|yarn)(?: (?:version|is|at))*\s+v?\d+(?:\.\d+)+/i,
    "facts",
  ],
];

/** What people say before they say something. */
const opening = /^(?:(?:ok(?:ay)?|yes|yeah|no|sure|right|so|well|also|and|but|uh|hm+)\b[.,!\s]+)+/i;
/** Says what to do with something that only the sentence before names. */
const pointing = /^(?:let's |please )?(?:always |never )?\w+ (?:it|them|this|that|these|those)\b/i;
const shortest = 15;
const longest = 240;
const mostAPrompt = 5;

/** Questions, pasted output and fragments settle nothing. */
export function findStatements(prompt: string): Found[] {
  const found: Found[] = [];
  for (const { text } of statementsOf(cleanText(withoutClientMarkup(prompt.slice(0, 6_000))), 40)) {
    if (/[?？]$/.test(text)) continue;
    for (const part of text.split(/;\s+/)) {
      const said = part.replace(opening, "").replace(/[.!\s]+$/, "");
      if (said.length < shortest || said.length > longest || !/\p{L}{3}/u.test(said)) continue;
      if (/^[+\-@>$#|[]|\bat line\b|=>|::|\berror:/i.test(said) || pointing.test(said)) continue;
      const rule = rules.find(([pattern]) => pattern.test(said));
      if (rule) found.push({ kind: rule[1], text: startCapital(cut(said, 200)) });
    }
  }
  return found.slice(0, mostAPrompt);
}
