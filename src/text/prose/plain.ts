// Markdown, terminal output and client markup as plain one-line text.

import languageTable from "../languages.txt" with { type: "text" };
import { rowsOf } from "../tables.ts";
import { blanklessRange, cut, denseRange, oneLine, stripAnsi } from "../text.ts";
import { isSpeaker, outputLine } from "./attributed.ts";

// Languages: what their table says, and how one is recognised.

/** A language that is recognised. */
export const languages = [
  "en",
  "de",
  "fr",
  "es",
  "pt",
  "it",
  "nl",
  "ru",
  "ar",
  "ja",
  "zh",
  "ko",
] as const;
/** A language that is recognised. */
export type Language = (typeof languages)[number];

const rows = rowsOf(languageTable);

/** The lines that the table has of a kind (`common`, `denies`), by language. */
export function linesOf(kind: string): Array<readonly [language: string, lines: string[]]> {
  return rows.flatMap(([language = "", ...cells]) => {
    const lines = cells.filter((cell) => cell.startsWith(`${kind} `));
    return lines.length > 0 ? [[language, lines.map((line) => line.slice(kind.length + 1))]] : [];
  });
}

/** The words of such lines. */
export const wordsOf = (lines: readonly string[]): string[] => lines.join(" ").split(" ");

/** The words that all languages have of a kind. */
export const allWordsOf = (kind: string): string[] =>
  linesOf(kind).flatMap(([, lines]) => wordsOf(lines));

const commonWords = linesOf("common").map(
  ([language, lines]) => [language, wordsOf(lines)] as const,
);

/** Words that say nothing of what a text is about. */
export const stopWords: ReadonlySet<string> = new Set(commonWords.flatMap(([, words]) => words));

const scripts: ReadonlyArray<readonly [Language, RegExp]> = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["ko", /\p{Script=Hangul}/gu],
  ["zh", /\p{Script=Han}/gu],
  ["ru", /\p{Script=Cyrillic}/gu],
  ["ar", /\p{Script=Arabic}/gu],
];
/** Shares of a text's letters, and of its words, that make it one of a language. */
const scriptShare = 0.2;
const wordShare = 0.1;
/** How much clearer than English another language must be. */
const clearly = 1.2;

/** The language that most of these texts are written in; English where none is clear. */
export function languageOf(texts: readonly string[]): Language {
  const text = texts.join("\n").toLowerCase();
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, script] of scripts)
    if (letters > 0 && (text.match(script)?.length ?? 0) / letters >= scriptShare) return language;
  const words = text.match(/[\p{L}'’]+/gu) ?? [];
  const shares = commonWords.map(([language, common]) => {
    const known = new Set(common);
    const found = words.filter((word) => known.has(word));
    // One word alone may be of any language: `a`, `no`, `die`.
    const isOne = new Set(found).size < 2;
    return [language, isOne ? 0 : found.length / words.length] as const;
  });
  const english = shares.find(([language]) => language === "en")?.[1] ?? 0;
  const [best, most] = shares.reduce((one, other) => (other[1] > one[1] ? other : one));
  const isClear = most >= wordShare && most > english * clearly;
  return languages.find((language) => isClear && language === best) ?? "en";
}

const clientBlock =
  /<(system-reminder|local-command-caveat|local-command-stdout|local-command-stderr|task-notification|command-message|command-name|command-contents)\b[^>]{0,200}>[\s\S]*?(?:<\/\1>|$)/gi;
const clientTag =
  /<\/?(?:tool_use_error|error|persisted-output|command-args|user-prompt-submit-hook|summary|analysis|result|output|bash-input|bash-stdout|bash-stderr)\b[^>]{0,200}>/gi;
const controls = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\ufe0e|\ufe0f/gu;
const pictures =
  /[\u2190-\u21ff](?=\s*$)|[\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\ue000-\uf8ff]|[\ud800-\udfff]/g;

/** Takes out terminal colours, control characters and anything outside the BMP; line breaks stay. */
export function cleanText(text: string): string {
  return stripAnsi(text).replace(controls, "").replace(/\r\n?/g, "\n");
}

/** Takes out what the client wrapped around a text: reminders and command echoes whole, other tags alone. */
export function withoutClientMarkup(text: string): string {
  return text.includes("<") ? text.replace(clientBlock, " ").replace(clientTag, " ") : text;
}

/** One line of plain text: no Markdown, no pictographs, single spaces. Code spans keep their content. */
export function plainLine(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]\n]{0,200})\]\((?:[^()\n]|\([^()\n]{0,100}\)){0,400}\)/g, "$1")
    .replace(/\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*/g, "$1")
    .replace(/(?<![\w*/])\*(?=[^\s*/])([^*\n]*[^\s*])\*(?![\w*/])|~~/g, "$1")
    .replace(/(?<![\w/*])\*\*(?=\w)|(?<=[\w.:!?)])\*\*(?![\w/*])|^\*\*\s|\s\*\*$/g, "")
    .replace(/(?<![\w/])_(\S(?:[^_\n]*\S)?)_(?![\w/])/g, "$1")
    .replace(/`+/g, "")
    .replace(pictures, "")
    .replace(/[\u2013\u2014]/g, "-")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, " ")
    .trim();
}

// One line of plain text as sentences: dots inside names, numbers and abbreviations do not end one.

const abbreviations =
  /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|resp|incl|z\.B|bzw|ca|p\.ej)|\b[A-Z])\.$/i;

/** In order, trimmed, none empty. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "(" || char === "[") depth++;
    else if ((char === ")" || char === "]") && depth > 0) depth--;
    else if ("。！？".includes(char)) {
      found.push(text.slice(from, i + 1));
      from = i + 1;
      depth = 0;
    } else if (
      ".!?؟".includes(char) &&
      depth === 0 &&
      /^["')\]*_]*\s/.test(text.slice(i + 1, i + 6))
    ) {
      const rest = text.slice(i + 1).trimStart();
      const closed = i + 1 + (/^["')\]*_]*/.exec(rest)?.[0].length ?? 0);
      const piece = text.slice(from, i + 1);
      if (
        char === "." &&
        (abbreviations.test(piece) ||
          (/^[a-z]/.test(rest) && !/[a-z]{3}\.$/.test(piece)) ||
          // `"… done." - "…"` goes on.
          /^["')\]*_]+\s+[-–—,;]/.test(rest) ||
          /^\s*\d{1,2}\.$/.test(piece))
      )
        continue;
      found.push(text.slice(from, closed));
      from = closed;
    }
  }
  found.push(text.slice(from));
  return found.map((piece) => piece.trim()).filter((piece) => piece !== "");
}

// Names in prose that only code has.

const codeName =
  /\b(?:[\w-]{2,}\.[a-z]\w{0,4}|[\w-]\.[a-z]{2,4})\b|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b|\b[A-Za-z]\w*_\w+\b|\b[A-Za-z_]\w{3,}(?=\(\))/g;

/** Names in a text that only code has: `readFile`, `max_tokens`, `auth.ts`, `run()`. */
export function codeNames(text: string): string[] {
  return text.slice(0, 2_000).match(codeName) ?? [];
}

const pointing =
  /^(?:it|its|it's|this|that|that's|these|those|they|their|he|she|his|her|such|which|then|and|but|or|because|otherwise|same|another)\b/i;

/** True for a text that begins by pointing ("It also …") and names nothing that could be found. For models, whose facts must stand alone. */
export function startsDangling(text: string): boolean {
  return pointing.test(text) && codeNames(text).length === 0 && !/[`"/]\S/.test(text);
}

// What two texts have in common: their words without those that every text has; pairs of letters where a script has no spaces.

const common: ReadonlySet<string> = new Set(
  "a an the and or but of to in on at by for with from into onto over under as is are was were be been being that which who when while where if than then so because since its our their your this these those not no via per between after before without through during also only more less very now still can could should would will may might must has have had does did there it you we they use der die das und ist nicht ein eine mit für auf von zu im wir ich sie es den dem des le la les des une est pas que qui pour dans sur avec el los las una por para con del se".split(
    " ",
  ),
);
const unspacedRun = new RegExp(`[${blanklessRange}]+`, "gu");

/** Words of a text that carry meaning, lower-case. */
export function meaningOf(text: string): Set<string> {
  const found = new Set<string>();
  const spaced = text.toLowerCase().replace(unspacedRun, (run) => {
    for (let at = 0; at < Math.max(1, run.length - 1); at++) found.add(run.slice(at, at + 2));
    return " ";
  });
  for (const raw of spaced.match(/[\p{L}\p{N}\p{M}_./-]{2,}/gu) ?? []) {
    const word = raw.replace(/^[./-]+|[./-]+$/g, "");
    if (word.length > 1 && !common.has(word)) found.add(word);
  }
  return found;
}

/** How much of the smaller text's meaning the other one has too, 0 to 1. */
export function overlap(left: string, right: string): number {
  const a = meaningOf(left);
  const b = meaningOf(right);
  const small = a.size <= b.size ? a : b;
  const large = small === a ? b : a;
  if (small.size === 0) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared / small.size;
}

// Words that ask for nothing and tell nothing by themselves: what "yes, go on please" is made of.

const fillers = linesOf("filler").map(([language, lines]) => [language, wordsOf(lines)] as const);

const spaced: ReadonlySet<string> = new Set(
  fillers.flatMap(([, words]) => words.map((word) => word.toLowerCase())),
);
const unspaced = fillers.flatMap(([language, words]) =>
  /^(?:zh|ja|ko)$/.test(language) ? words : [],
);

const dense = new RegExp(`[${denseRange}]`);

/** The words of a text that are no fillers. */
export function tellingWords(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}\p{M}_'’.\-/]+/gu) ?? [];
  return found
    .map((word) => word.replace(/^[.\-/'’]+|[.\-/'’]+$/g, "").replace("’", "'"))
    .map((word) => (dense.test(word) ? bare(word) : word))
    .filter((word) => word !== "" && !spaced.has(word) && !/^\d+$/.test(word));
}

function bare(run: string): string {
  return unspaced.reduce((rest, word) => rest.replaceAll(word, ""), run);
}

/** True for "yes", "2", "go on please" and the like. */
export function isFiller(text: string): boolean {
  return tellingWords(text).join("").length < 3;
}

// What a user asked: the prompt without what the client, a paste or Markdown put around it; its first sentence as a title.

/** What is looked at of a prompt or a command line: somebody pasted the rest. */
const mostRead = 20_000;

/** The prompt's own text: no command name, client markup, code, images; of a plan its title. "" for what no user typed. */
export function askedOf(prompt: string): string {
  if (isUntyped(prompt)) return "";
  const handed = handedPlan(prompt);
  if (handed) return headingOf(handed.plan);
  const text = withoutCommand(prompt).replace(/\[(?:Image|Pasted text)[^\]]*\]/g, " ");
  return cleanText(withoutClientMarkup(text)).trim();
}

/** The prompt as it was typed, with tags and the client's marks in their places; "" for what no user typed. */
export function typedOf(prompt: string): string {
  if (isUntyped(prompt)) return "";
  const handed = handedPlan(prompt);
  if (handed) return cleanText(handed.feedback);
  return cleanText(withoutCommand(prompt).replace(/<\/?command-args>/g, ""));
}

/** The client's own words, or what was typed in private. */
function isUntyped(prompt: string): boolean {
  return isClientNote(prompt) || /^\s*\[private\]/.test(prompt);
}

function withoutCommand(prompt: string): string {
  return prompt
    .slice(0, mostRead)
    .replace(/<command-name>[\s\S]*?<\/command-name>/g, " ")
    .replace(/^\s*(?:\/[\w][\w:-]*(?=\s|$)|([a-z][\w:-]{0,40}): (?=\p{Lu}))/u, (front, name) =>
      name !== undefined && isSpeaker(name) ? front : "",
    );
}

/** The first sentence that asks or tells something; "" where none does. */
export function requestOf(prompt: string): string {
  const asked = askedOf(prompt);
  const text = plainLine(
    asked.replace(/^\s*(`{3,}|~{3,})[\s\S]*?(?:^\s*\1.*$|(?![\s\S]))/gm, "\n"),
  );
  const lines = asked
    .split("\n")
    .map((line) => plainLine(line.replace(/^\s*(?:#{1,6}|>|[-*•])\s+/, "")))
    .filter((line) => line !== "" && !outputLine.test(line));
  const sentences = (lines.length > 0 ? lines : [text]).flatMap(sentencesOf);
  const first = sentences.findIndex((sentence) => !isFiller(sentence));
  if (first < 0) return "";
  const found = withoutGreeting(sentences[first] ?? "");
  const next = sentences[first + 1];
  const goesOn = found.length < 15 || /[:：]$/.test(found);
  return goesOn && next !== undefined && !isFiller(next) ? `${found} ${next}` : found;
}

/** "Hi, " and "ok - " taken off the front. */
export function withoutGreeting(sentence: string): string {
  const front = /^([^,;:!–-]{1,14})[,;:!–-]\s+(?=\S)/u.exec(sentence);
  return front && isFiller(front[1] ?? "") ? sentence.slice(front[0].length) : sentence;
}

/** A plan, or another document, by its first line without the mark of a heading. */
export function headingOf(document: string, most = 160): string {
  const [first = ""] = document.trim().split("\n", 1);
  return titleOf(
    plainLine(first.replace(/^#+\s+(?:(?:Implementation )?Plan[:：]\s*)?/i, "")),
    most,
  );
}

/** A text as a title: one line, shortened between words with "…". */
export function titleOf(text: string, most = 90): string {
  const line = oneLine(text.toWellFormed()).replace(/[\s:：,;。.]+$/u, "");
  return cut(line, most);
}

// What a failure says of itself, of a text that says much else.

const failing =
  /error|exception|fail|assert|panic|expected|not found|cannot|denied|refused|undefined|✗|×/i;

/** Names a place, or begins with what it is. */
const placed = /^\S+:\d+(?::\d+)?(?::|\s)|^(?:\w*(?:Error|Exception)|error|fatal)\b.*\S/i;
const says = (line: string) => meaningOf(line).size > 1;

/** The line that says what went wrong. */
export function failureLine(text: string): string {
  const lines = cleanText(text)
    .split("\n")
    .map(oneLine)
    .filter((line) => line.length > 3 && !/^(?:Exit code \d+|…)$/.test(line));
  const found =
    lines.find((line) => placed.test(line) && failing.test(line)) ??
    lines.find((line) => placed.test(line)) ??
    lines.find((line) => failing.test(line) && says(line) && !/[{;]$/.test(line)) ??
    lines.findLast(says);
  return cut(found ?? lines.at(-1) ?? "", 160);
}

// What a coding client writes where a person would speak: notes that stand alone, and what it puts around a plan that it hands over. Pure.

/** How a note of the client begins, and one such note as a client wrote it. */
interface ClientNote {
  begins: RegExp;
  example: string;
}

/** Notes by their beginnings: a person who speaks of one does not begin with its words. */
export const clientNotes: readonly ClientNote[] = [
  {
    begins: /^<(?:task|agent|background-task)-notification>/,
    example: "<task-notification>\n<task-id>b7</task-id>\n</task-notification>",
  },
  { begins: /^\{"task_id":/, example: '{"task_id":"b7","task_type":"local_bash"}' },
  {
    begins: /^<teammate-message\b/,
    example: '<teammate-message from="lead">go</teammate-message>',
  },
  { begins: /^<tick\b/, example: "<tick>10:00</tick>" },
  {
    begins: /^This session is being continued from a previous conversation/,
    example:
      "This session is being continued from a previous conversation that ran out of context.",
  },
  {
    begins: /^(?:<local-command-caveat>)?Caveat: The messages below/,
    example: "Caveat: The messages below were generated by the user while running local commands.",
  },
  {
    begins: /^\[Request interrupted by user/,
    example: "[Request interrupted by user for tool use]",
  },
  {
    begins: /^(?:Subagent)?Stop hook feedback:/,
    example: "Stop hook feedback:\n- [lint.sh]: lint",
  },
  {
    begins: /^Operation stopped by hook(?::|$)/,
    example: "Operation stopped by hook: Another session is active",
  },
  {
    begins: /^\w+ operation blocked by hook:/,
    example: "UserPromptSubmit operation blocked by hook:\nno secrets",
  },
  {
    begins: /^Base directory for this skill:/,
    example: "Base directory for this skill: /home/ada/.claude/skills/plan",
  },
  {
    begins: /^<(?:local-command-|command-stdout|command-contents|bash-stdout|bash-stderr)/,
    example: "<local-command-stdout>Bye!</local-command-stdout>",
  },
  { begins: /^\[Tool call skipped: /, example: "[Tool call skipped: the turn was stopped …]" },
  { begins: /^No response requested\.$/, example: "No response requested." },
  {
    begins: /^No response after \d+s\s/,
    example: "No response after 60s — the user may be away from keyboard.",
  },
];

/** True for a text that is the client's own and nobody's request. */
export function isClientNote(text: string): boolean {
  const begun = text.trimStart().slice(0, 200);
  return clientNotes.some(({ begins }) => begins.test(begun));
}

/** A plan that was accepted to be carried out in a fresh session: the plan, and what the person said to it. */
interface HandedPlan {
  plan: string;
  /** Typed by the person when they accepted it; "" without. */
  feedback: string;
}

const carriesOut = /^\s*Implement the following plan:\s*\n/;
/** What the client puts below the plan, in its order. */
const belowPlan = [
  /\n+If you need specific details from before exiting plan mode\b[^\n]*/,
  /\n+If this plan can be broken down into multiple independent tasks\b[^\n]*/,
];
const feedback = /\n+User feedback on this plan: ([\s\S]*)$/;

/** The plan that a prompt hands over, accepted by the user and typed by nobody; undefined for any other prompt. */
export function handedPlan(prompt: string): HandedPlan | undefined {
  if (!carriesOut.test(prompt)) return undefined;
  const body = prompt.replace(carriesOut, "");
  const at = belowPlan.flatMap((one) => one.exec(body)?.index ?? []);
  const said = feedback.exec(body);
  const end = Math.min(...at, said?.index ?? body.length);
  return { plan: body.slice(0, end).trim(), feedback: said?.[1]?.trim() ?? "" };
}

// What two runs of one command line have in common.

/** The same for the same command run from elsewhere or shown in part: without `cd`, redirections and trailing filters. */
export function commandKey(line: string): string {
  return line
    .slice(0, mostRead)
    .trim()
    .replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, "")
    .replace(/(?:\s*\|\s*(?:head|tail|grep|sed|cat|tee)\b[^|]*)+$/, "")
    .replace(/\s*\d?>&?\s*(?:\d|\/dev\/null)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
