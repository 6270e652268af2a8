// Makes a stored observation's draft of what a model said: every field brought to its rule, every reference checked.

import { scrubDeep } from "../privacy/redact.ts";
import {
  type ObservationDraft,
  observationTypes,
  ofSummaryTexts,
  type SummaryDraft,
} from "../sdk/model.ts";
import type { ToolUse } from "../sdk/work.ts";
import {
  cleanText,
  codeNames,
  overlap,
  type Paths,
  plainLine,
  sentencesOf,
  startsDangling,
} from "../text/prose/plain.ts";
import { baseName, countWords, cut, limitWords } from "../text/text.ts";
import { hasUnspaced } from "../text/unspaced.ts";
import type { RawAnswer, RawObservation, RawSummary } from "./raw-answer.ts";
import { backedFiles, type TouchedFiles, touchedFiles } from "./touched-files.ts";

/** What the model was shown. */
export interface Shown {
  /** In the order of their numbers. */
  toolUses: readonly ToolUse[];
  /** All data of the request as text, for names that only output mentions. */
  evidence: string;
  paths: Paths;
  /** The types of notes; the last is for what is none of the others. */
  types?: readonly string[] | undefined;
  /** Where there are no `types`: the strategy's own words on how to answer. A type that they name is no invention. */
  own?: string;
}

/** Word and character limits of the fields. */
export const observationLimits = {
  title: { min: 3, max: 8 },
  subtitle: 24,
  narrative: 4_000,
  concepts: { min: 2, max: 5 },
} as const;

/** The draft, or in words for the model why it can be none. Secrets, private content and our own marks are taken out. */
export function draftObservation(raw: RawObservation, shown: Shown): ObservationDraft | string {
  const said = scrubDeep(raw).value as RawObservation;
  const { paths } = shown;
  const toolUses = usesOf(said, shown);
  const files = filesOf(said, shown, toolUses);
  const file = files.modified[0] ?? files.read[0];
  const narrative = cut(paths.inText(prose(said.narrative)), observationLimits.narrative);
  const listed = repairFacts(said.facts.map(paths.inText), file);
  const facts =
    listed.length > 0
      ? listed
      : narrative !== ""
        ? factsFromProse(narrative, file)
        : factsFromProse(paths.inText(prose(said.subtitle)), file, factLength.min);
  if (facts.length === 0)
    return "an observation has no fact of 50 to 150 characters that stands alone";
  const title = titleOf(said, facts, file, paths);
  if (title === undefined) return "an observation has no title of 3 to 8 words";
  const agent = commonAgent(toolUses);
  const type = typeOf(said.type, shown);
  return {
    type,
    title,
    subtitle: subtitleOf(said, title, facts, paths),
    facts,
    narrative: narrative || facts.join(" "),
    concepts: conceptsOf(said.concepts, type),
    filesRead: files.read,
    filesModified: files.modified,
    toolUseIds: toolUses.map(({ id }) => id),
    ...(agent && { agent }),
  };
}

/** The tool uses that the model named; else those that touched a file it named; else all that were shown. */
function usesOf({ uses, files }: RawObservation, { toolUses, paths }: Shown): ToolUse[] {
  const named = toolUses.filter((_, index) => uses.includes(index + 1));
  if (named.length > 0) return named;
  const wanted = new Set(files.map((path) => baseName(paths.relative(path.trim()))));
  const about = toolUses.filter((use) => {
    const { read, modified } = touchedFiles([use], paths);
    return [...read, ...modified].some((path) => wanted.has(baseName(path)));
  });
  return about.length > 0 ? about : [...toolUses];
}

/** Files that the model named and the evidence holds; where it named none, those that its tool uses changed. */
function filesOf(said: RawObservation, shown: Shown, toolUses: readonly ToolUse[]): TouchedFiles {
  const touched = touchedFiles(shown.toolUses, shown.paths);
  const backed = backedFiles(said.files, touched, shown.evidence, shown.paths);
  if (backed.read.length + backed.modified.length > 0) return backed;
  // An answer in plain sentences names its files in them.
  const inText = backedFiles(
    codeNames([said.title, said.narrative, ...said.facts].join(" ")),
    touched,
    "",
    shown.paths,
  );
  if (inText.read.length + inText.modified.length > 0 || said.uses.length === 0) return inText;
  return { read: [], modified: touchedFiles(toolUses, shown.paths).modified };
}

function titleOf(
  said: RawObservation,
  facts: readonly string[],
  file: string | undefined,
  paths: Paths,
): string | undefined {
  const { min, max } = observationLimits.title;
  const title = paths.inText(line(said.title)).replace(/[.:;,\s]+$/, "");
  const count = countWords(title);
  if (count >= min && count <= max) return cut(title, 100);
  if (count > max) return cut(limitWords(title, max, "…"), 100);
  const placed =
    file === undefined || title === ""
      ? undefined
      : longEnough(`${title} in ${baseName(file)}`, min);
  return (
    placed ?? titleFrom([said.subtitle, ...sentencesOf(line(said.narrative)), ...facts], paths)
  );
}

/** A title out of what else was said: a sentence's first words. */
function titleFrom(texts: readonly string[], paths: Paths): string | undefined {
  const { min, max } = observationLimits.title;
  const sentences = texts.map((text) => paths.inText(line(text)).replace(/^\S+:\s+/, ""));
  const found = sentences.find((sentence) => countWords(sentence) > min);
  return found === undefined ? undefined : cut(limitWords(found, max, "…"), 100);
}

function longEnough(text: string, min: number): string | undefined {
  return countWords(text) >= min ? cut(text, 100) : undefined;
}

/** What the model said, else what else it said that the title does not say already. */
function subtitleOf(
  said: RawObservation,
  title: string,
  facts: readonly string[],
  paths: Paths,
): string {
  const texts = [said.subtitle, ...sentencesOf(line(said.narrative)).slice(0, 3), ...facts]
    .map((text) => paths.inText(line(text)).replace(/[.\s]+$/, ""))
    .filter((text) => text !== "");
  const text = texts.find((one) => overlap(one, title) < 0.99) ?? texts[0] ?? "";
  if (countWords(text) <= observationLimits.subtitle) return cut(text, 220);
  return limitWords(text, observationLimits.subtitle, "…");
}

const synonyms: ReadonlyArray<[RegExp, (typeof observationTypes)[number]]> = [
  [/bug|fix|error|hotfix|patch/, "bugfix"],
  [/decision|preference|choice|policy|convention/, "decision"],
  [/refactor|clean|rename|restructur|simplif|migrat/, "refactor"],
  [/feat|add|implement|new|change|enhanc|improv/, "feature"],
];

/** One of the known types; what a model invents becomes the nearest of them, else the last. */
function typeOf(said: string, { types, own = "" }: Shown): string {
  const word = said.toLowerCase().trim();
  const isNamed =
    /^[\p{L}\p{M}-]+$/u.test(word) &&
    new RegExp(`(?<![\\p{L}\\p{M}-])${word}(?![\\p{L}\\p{M}-])`, "iu").test(own);
  const known = types ?? (isNamed ? [word] : observationTypes);
  const near = synonyms.find(([pattern]) => pattern.test(word))?.[1];
  return (
    known.find((type) => type === word) ??
    known.find((type) => type === near) ??
    known.at(-1) ??
    "discovery"
  );
}

const conceptOfType: Readonly<Record<string, string>> = {
  bugfix: "debugging",
  feature: "implementation",
  refactor: "code-structure",
  decision: "design-decision",
  discovery: "how-it-works",
};

function conceptsOf(said: readonly string[], type: string): string[] {
  const { min, max } = observationLimits.concepts;
  const words = said.map((concept) =>
    cleanText(concept)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40),
  );
  const concepts = [...new Set(words)].filter((concept) => concept !== "").slice(0, max);
  const fillers = [conceptOfType[type] ?? type, "project-knowledge"];
  while (concepts.length < min) {
    const filler = fillers.shift();
    if (filler === undefined) break;
    if (!concepts.includes(filler)) concepts.push(filler);
  }
  return concepts;
}

/** The subagent that did all of it. */
function commonAgent(toolUses: readonly ToolUse[]): ToolUse["agent"] {
  const [first] = toolUses;
  return toolUses.every(({ agent }) => agent?.id === first?.agent?.id) ? first?.agent : undefined;
}

function line(text: string): string {
  return plainLine(cleanText(text)).toWellFormed();
}

/** Paragraphs stay, everything else as `line`. */
function prose(text: string): string {
  return text
    .split(/\n{2,}/)
    .map(line)
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

// Facts as a model wrote them, brought to the rules: 50 to 150 characters, one statement, standing alone, seven at most.

/** Shortest and longest fact, in characters. */
export const factLength = { min: 50, max: 150 } as const;
/** An answer of one sentence is a fact from here on. */
const leastAlone = 15;
/** Most facts of an observation. */
export const mostFacts = 7;

/**
 * The facts that can be kept. A long one is cut at a pause; a short one gets the file it is about in front, or goes
 * together with the next short one. One that only points at something else ("It also …") is left out.
 */
export function repairFacts(facts: readonly string[], file: string | undefined): string[] {
  const kept: string[] = [];
  let short = "";
  const add = (fact: string) => {
    if (!kept.some((other) => overlap(other, fact) > 0.9)) kept.push(fact);
  };
  for (const raw of facts) {
    const fact = factLine(raw);
    if (fact === "" || startsDangling(fact)) continue;
    if (fact.length > factLength.max) add(shortened(fact));
    else if (fact.length >= factLength.min) add(fact);
    else {
      const named = file === undefined || fact.includes(baseName(file)) ? fact : `${file}: ${fact}`;
      const joined = short === "" ? fact : `${short}; ${fact}`;
      if (named.length >= factLength.min && named.length <= factLength.max) add(named);
      else if (joined.length >= factLength.min && joined.length <= factLength.max) {
        add(joined);
        short = "";
      } else short = joined.length < factLength.min ? joined : fact;
    }
  }
  return kept.slice(0, mostFacts);
}

/** Facts out of running prose: its sentences that stand alone. For answers that came as one sentence or a story only. */
export function factsFromProse(
  prose: string,
  file: string | undefined,
  least: number = leastAlone,
): string[] {
  const found = repairFacts(sentencesOf(prose), file);
  if (found.length > 0) return found;
  const whole = factLine(prose);
  // A short answer is all there is.
  return whole.length >= least && !startsDangling(whole) ? [shortened(whole)] : [];
}

function factLine(text: string): string {
  return plainLine(cleanText(text))
    .replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, "")
    .replace(/[\s,;:]+$/, "")
    .toWellFormed();
}

function shortened(fact: string): string {
  return cut(fact, factLength.max);
}

// Makes a summary's draft of what a model said: prose bounded, files checked, the session's title within its words.

/** Word limits of a session's title and subtitle. */
export const sessionTitleLimits = { min: 3, max: 8, subtitle: 20 } as const;

const fieldLength = 900;
const mostFiles = 50;

/** The draft, or in words for the model why it can be none. Files are those that are known to have been touched. */
export function draftSummary(
  raw: RawSummary,
  known: TouchedFiles,
  paths: Paths,
): SummaryDraft | string {
  const said = scrubDeep(raw).value as RawSummary;
  const field = (text: string) =>
    cut(paths.inText(plainLine(cleanText(text))).toWellFormed(), fieldLength);
  const texts = ofSummaryTexts((name) => {
    const text = field(said[name] ?? "");
    return isHollow(text) ? "" : text;
  });
  const { request, nextSteps, ...telling } = texts;
  if (Object.values(telling).every((text) => text === ""))
    return "the summary says neither what was investigated, learned nor completed";
  return {
    ...texts,
    filesRead: known.read.slice(0, mostFiles),
    filesEdited: known.modified.slice(0, mostFiles),
  };
}

/** A single word, in whatever language: "None", "N/A", "Nichts." */
function isHollow(text: string): boolean {
  const word = text.trim();
  return /^(?:not applicable|[^\s]*)[.!]?$/i.test(word) && !hasUnspaced(word);
}

/** The session's title (3 to 8 words) and subtitle (at most 20), each only where the model gave one that fits. */
export function draftTitles(
  answer: RawAnswer,
  paths: Paths,
): { title?: string; subtitle?: string } {
  const { min, max, subtitle: most } = sessionTitleLimits;
  const clean = (text: string | undefined) =>
    text === undefined
      ? ""
      : paths
          .inText(plainLine(cleanText(String(scrubDeep(text).value))))
          .replace(/[.:;,\s]+$/, "")
          .toWellFormed();
  const title = clean(answer.title);
  const subtitle = clean(answer.subtitle);
  const count = countWords(title);
  const fitted =
    count >= min && count <= max ? title : count > max ? limitWords(title, max, "…") : "";
  const below = countWords(subtitle) <= most ? subtitle : limitWords(subtitle, most, "…");
  return {
    ...(countWords(fitted) >= min && { title: cut(fitted, 90) }),
    ...(below !== "" && { subtitle: cut(below, 200) }),
  };
}
