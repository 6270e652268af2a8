// Makes a stored observation's draft of what a model said: every field brought to its rule, every reference checked.

import { scrubDeep } from "../privacy/redact.ts";
import {
  type ObservationDraft,
  observationTypes,
  ofSummaryTexts,
  type SummaryDraft,
} from "../sdk/model.ts";
import type { ToolUse } from "../sdk/work.ts";
import { backedFiles, type Paths, type TouchedFiles, touchedFiles } from "../text/paths.ts";
import {
  cleanText,
  codeNames,
  overlap,
  plainLine,
  sentencesOf,
  startsDangling,
} from "../text/prose/plain.ts";
import { baseName, countWords, cut, denseRange, hasUnspaced, limitWords } from "../text/text.ts";
import type { RawAnswer, RawObservation, RawSummary } from "./raw-answer.ts";

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
  /** What was asked, and what came of it. */
  turn?: AskedAndCame | undefined;
}

/** A title that only repeats what was asked gives way to what came of it. */
interface AskedAndCame {
  asked: string;
  /** Undefined where nothing is known of it. */
  came: string | undefined;
}

/** Word and character limits of the fields. */
export const observationLimits = {
  title: { min: 3, max: 8 },
  subtitle: 24,
  narrative: 4_000,
  concepts: { min: 2, max: 5 },
} as const;

/** Two long words say as much as three: "Anmeldefehler behoben". */
const longTitle = 20;

/** The draft, or why it can be none. Secrets, private content and our own marks are taken out. */
export function draftObservation(
  raw: RawObservation,
  shown: Shown,
): ObservationDraft | "noFact" | "noTitle" {
  const said = scrubDeep(raw).value as RawObservation;
  const { paths } = shown;
  const toolUses = usesOf(said, shown);
  const files = filesOf(said, shown, toolUses);
  const file = files.modified[0] ?? files.read[0];
  const narrative = cut(paths.inText(prose(said.narrative)), observationLimits.narrative);
  const facts = [
    repairFacts(said.facts.map(paths.inText), file),
    factsFromProse(narrative, file),
    factsFromProse(paths.inText(prose(said.subtitle)), file, factLength.min),
  ].find((list) => list.length > 0);
  if (!facts) return "noFact";
  const lines = [said.subtitle, ...sentencesOf(line(said.narrative)), ...facts];
  const placed =
    file === undefined || said.title === "" ? [] : [`${said.title} in ${baseName(file)}`];
  const whole = lines.map((text) => line(text).replace(/^\S+:\s+/, ""));
  const { min, max } = observationLimits.title;
  const title = [titleOf(said.title, shown.turn), ...placed, ...whole].find(
    (text) => countWords(line(text)) >= min || line(text).length >= longTitle,
  );
  if (title === undefined) return "noTitle";
  // What else was said that the title does not say already.
  const below =
    lines.find((text) => text !== "" && overlap(text, title) < 0.99) ?? lines.find(Boolean);
  const agent = commonAgent(toolUses);
  const type = typeOf(said.type, shown);
  return {
    type,
    title: lineOf(title, paths, { words: max, characters: 100 }),
    subtitle: lineOf(below, paths, { words: observationLimits.subtitle, characters: 220 }),
    facts,
    narrative: narrative || facts.join(" "),
    concepts: conceptsOf(said.concepts, type),
    filesRead: files.read,
    filesModified: files.modified,
    toolUseIds: toolUses.map(({ id }) => id),
    ...(agent && { agent }),
  };
}

/** The title, or what came of the turn where the title is in the very words of what was asked. */
function titleOf(said: string, turn: AskedAndCame | undefined): string {
  const plain = (text: string) =>
    line(text)
      .toLowerCase()
      .replace(/[.:;,?!\s]+$/, "");
  return turn?.came !== undefined && plain(turn.asked).includes(plain(said)) ? turn.came : said;
}

/** A text as one line without what ends in the air, cut at so many words and characters. */
function lineOf(
  text: string | undefined,
  paths: Paths,
  most: { words: number; characters: number },
): string {
  const whole = paths.inText(line(text ?? "")).replace(/[.:;,\s]+$/, "");
  return cut(limitWords(whole, most.words, "…"), most.characters);
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

/** Lower case, with hyphens; the type where the model named fewer than two. */
function conceptsOf(said: readonly string[], type: string): string[] {
  const { min, max } = observationLimits.concepts;
  const words = said.map((concept) =>
    cleanText(concept)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40),
  );
  const named = new Set(words.filter((word) => word !== ""));
  const filled = [...new Set([...named, type, "project-knowledge"])];
  return filled.slice(0, Math.min(max, Math.max(min, named.size)));
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

/** Shortest and longest fact, in characters; those that are a syllable or a word count twice. */
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
  const fits = (fact: string) => sizeOf(fact) >= factLength.min && sizeOf(fact) <= factLength.max;
  for (const raw of facts) {
    const fact = factLine(raw);
    if (fact === "" || startsDangling(fact)) continue;
    const named = file === undefined || fact.includes(baseName(file)) ? fact : `${file}: ${fact}`;
    const joined = short === "" ? fact : `${short}; ${fact}`;
    const isLong = sizeOf(fact) > factLength.max;
    const repaired = isLong ? shortened(fact) : [fact, named, joined].find(fits);
    if (repaired === undefined) short = sizeOf(joined) < factLength.min ? joined : fact;
    else if (repaired === joined) short = "";
    if (repaired !== undefined && !kept.some((other) => overlap(other, repaired) > 0.9))
      kept.push(repaired);
  }
  return kept.slice(0, mostFacts);
}

const dense = new RegExp(`[${denseRange}]`, "g");

function sizeOf(fact: string): number {
  return fact.length + (fact.match(dense)?.length ?? 0);
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
  return sizeOf(whole) >= least && !startsDangling(whole) ? [shortened(whole)] : [];
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

/** The draft, or why it can be none. Files are those that are known to have been touched. */
export function draftSummary(
  raw: RawSummary,
  known: TouchedFiles,
  paths: Paths,
): SummaryDraft | "noNews" {
  const said = scrubDeep(raw).value as RawSummary;
  const field = (text: string) =>
    cut(paths.inText(plainLine(cleanText(text))).toWellFormed(), fieldLength);
  const texts = ofSummaryTexts((name) => {
    const text = field(said[name] ?? "");
    return isHollow(text) ? "" : text;
  });
  const { request, nextSteps, ...telling } = texts;
  if (Object.values(telling).every((text) => text === "")) return "noNews";
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
  turn?: AskedAndCame,
): { title?: string; subtitle?: string } {
  const { min, max, subtitle: most } = sessionTitleLimits;
  const said = scrubDeep([answer.title ?? "", answer.subtitle ?? ""]).value as string[];
  const title = lineOf(titleOf(said[0] ?? "", turn), paths, { words: max, characters: 90 });
  const subtitle = lineOf(said[1], paths, { words: most, characters: 200 });
  return { ...(countWords(title) >= min && { title }), ...(subtitle !== "" && { subtitle }) };
}
