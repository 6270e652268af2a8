// Gives back what was taken out: by the tool use's id or the beginning of it, a page at a time, booked as fetched back.

import * as v from "valibot";
import { errorMessage } from "../../home/describe-error.ts";
import type { Kept, ToolPart } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { field } from "../../text/text.ts";
import { type KeptReference, keptValue, referencesOf, toolUsesLike } from "./kept-rows.ts";
import type { EndlessFile } from "./open-store.ts";

/** What is asked for. */
export interface RecallQuery extends PageRequest {
  /** A tool use's id, or an unambiguous beginning of it. */
  id: string;
  /** Default: the output, where it was kept. */
  part?: ToolPart | undefined;
}

/** A page of what was kept, with where it came from. */
export const RecalledSchema = v.object({
  id: v.string(),
  part: v.picklist(["input", "output"]),
  tool: v.string(),
  session: v.string(),
  keptAt: v.number(),
  /** Both where both were kept. */
  parts: v.array(v.picklist(["input", "output"])),
  /** How a shell calls memoir, to ask for more. */
  command: v.string(),
  text: v.string(),
  page: v.number(),
  pages: v.number(),
  /** Of all pages. */
  characters: v.number(),
  /** Something had to be left out of the search: how it was bounded, in words. */
  bounded: v.exactOptional(v.string()),
});
export type Recalled = v.InferOutput<typeof RecalledSchema>;

/** What was kept under an id, and the reference that was made last: what the agent saw last is what it asks back. */
interface Found {
  kept: Kept;
  last: KeptReference;
  parts: ToolPart[];
}

const mostNamed = 6;

/** Throws `recall_not_found` and `recall_ambiguous`. */
export async function findKept(
  file: EndlessFile,
  id: string,
  part: ToolPart | undefined,
): Promise<Found> {
  const found = await file.read((db): Found | undefined => {
    const [toolUseId, ...others] = id === "" ? [] : toolUsesLike(db, id, mostNamed);
    if (toolUseId === undefined) return undefined;
    if (others.length > 0) throw ambiguous(id, [toolUseId, ...others]);
    const references = referencesOf(db, toolUseId);
    const parts = [...new Set(references.map((reference) => reference.part))];
    const wanted = part ?? (parts.includes("output") ? "output" : "input");
    const kept = keptValue(db, toolUseId, wanted);
    const last = references.findLast((one) => one.part === wanted);
    if (!kept || !last)
      throw new MemoirError("recall_not_found", `The ${wanted} of ${toolUseId} was not left out.`, {
        fix: `Ask for its ${parts[0] ?? "other part"}.`,
      });
    return { kept, last, parts };
  });
  if (!found) throw notFound(`Nothing is kept under ${printed(id)}.`);
  return found;
}

/** The page that is asked for. Rejects also with `usage`. `now` is in milliseconds. */
export async function recalledPage(
  { kept, parts }: Found,
  request: PageRequest,
  command: string,
  now: () => number,
): Promise<Recalled> {
  const { toolUseId: id, part, tool, session, keptAt, value } = kept;
  const { grep } = request;
  const matches = grep === undefined ? undefined : await compileSearch(grep, now);
  const page = pageOf(naturalText(value, part), request, matches);
  return { id, part, tool, session, keptAt, parts, command, ...page };
}

function notFound(message: string): MemoirError {
  return new MemoirError("recall_not_found", message);
}

function ambiguous(id: string, ids: readonly string[]): MemoirError {
  const shown = ids.slice(0, mostNamed - 1).join(", ");
  const more = ids.length >= mostNamed ? " and more" : "";
  return new MemoirError("recall_ambiguous", `${printed(id)} could be ${shown}${more}.`);
}

function printed(id: string): string {
  return id.length > 80 ? `${id.slice(0, 80)}…` : id;
}

// Regular expressions whose search takes time in proportion to the text, whatever the expression: for patterns and texts of anybody's making.

/** True when the text holds a match; undefined once its searches took as long as they may together. */
type Search = (text: string) => boolean | undefined;

const longestExpression = 500;
/** Others wait for the server meanwhile. */
const mostMs = 1_000;
/** Characters times steps of the expression in one text: about three seconds at the worst, and a few milliseconds as a rule. */
const mostWork = 200_000_000;
const special = /[\\^$.*+?()[\]{}|]/;

/** In RE2's syntax, and JavaScript's for characters and names. Throws `usage` for anything else. `now` is in milliseconds. */
export async function compileSearch(expression: string, now: () => number): Promise<Search> {
  if (expression === "" || expression.length > longestExpression)
    throw refused(expression, `it must have 1 to ${longestExpression} characters`);
  if (!special.test(expression)) return (text) => text.includes(expression);
  const compiled = await compile(expression);
  const size = compiled.programSize();
  const end = now() + mostMs;
  return (text) => (text.length * size > mostWork || now() > end ? undefined : compiled.test(text));
}

async function compile(expression: string) {
  // Only here: it is large, and few ever search.
  const { RE2JS } = await import("re2js");
  try {
    return RE2JS.compile(RE2JS.translateRegExp(expression));
  } catch (error) {
    const [, why = "it is not one"] =
      /regexp: (.*?)(?:: `[\s\S]*)?$/.exec(errorMessage(error)) ?? [];
    throw refused(expression, why);
  }
}

function refused(expression: string, why: string): MemoirError {
  const shown = expression.length > 80 ? `${expression.slice(0, 80)}…` : expression;
  return new MemoirError("usage", `The expression \`${shown}\` cannot be searched for: ${why}.`, {
    fix: "Write it as for ripgrep, without look-around and back-references, or search for a plain word.",
  });
}

// A kept value as the text an agent wants to read: what a command printed, a file's content, else readable JSON. Pure.

/** A text, and the number that its first line had where it came from. */
interface NaturalText {
  text: string;
  firstLine: number;
}

/** Known shapes of results give their text, anything else its JSON; an input gives its fields, long texts as they are. */
export function naturalText(value: unknown, part: ToolPart): NaturalText {
  if (typeof value === "string") return { text: value, firstLine: 1 };
  if (part === "input") return { text: fieldsText(value), firstLine: 1 };
  const file = fileOf(value);
  if (file) return file;
  return { text: resultText(value) ?? json(value), firstLine: 1 };
}

/** What a tool that reads files gave: lines keep the numbers they have in the file. */
function fileOf(value: unknown): NaturalText | undefined {
  const file = field(value, "file");
  const content = field(file, "content");
  if (typeof content !== "string") return undefined;
  const start = field(file, "startLine");
  const isLine = typeof start === "number" && Number.isSafeInteger(start) && start > 0;
  return { text: content, firstLine: isLine ? start : 1 };
}

function resultText(value: unknown): string | undefined {
  if (Array.isArray(value)) return blocksText(value);
  const stdout = field(value, "stdout");
  const stderr = field(value, "stderr");
  if (typeof stdout === "string" && (stderr === undefined || typeof stderr === "string"))
    return outputText(stdout, stderr ?? "");
  const filenames = field(value, "filenames");
  const content = field(value, "content");
  if (typeof content === "string" && content !== "") return content;
  if (Array.isArray(content)) return blocksText(content);
  if (Array.isArray(filenames) && filenames.every((name) => typeof name === "string"))
    return filenames.join("\n");
  // A command that ran in the background.
  const output = field(field(value, "task"), "output");
  if (typeof output === "string") return output;
  const result = field(value, "result");
  return typeof result === "string" ? result : undefined;
}

function outputText(stdout: string, stderr: string): string {
  if (stderr === "") return stdout;
  if (stdout === "") return stderr;
  return `${stdout}${stdout.endsWith("\n") ? "" : "\n"}[stderr]\n${stderr}`;
}

/** A list of content blocks; undefined for any other list. */
function blocksText(blocks: readonly unknown[]): string | undefined {
  if (blocks.length === 0 || !blocks.every((block) => typeof field(block, "type") === "string"))
    return undefined;
  return blocks
    .map((block) => {
      const text = field(block, "text");
      return typeof text === "string" ? text : json(block);
    })
    .join("\n");
}

/** `name: value` lines; a text of several lines stands below its name, as it is. */
function fieldsText(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return json(value);
  return Object.entries(value)
    .map(([name, item]) => {
      if (typeof item !== "string") return `${name}: ${json(item)}`;
      return item.includes("\n") ? `${name}:\n${item}` : `${name}: ${item}`;
    })
    .join("\n");
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

// A part of a recalled text that fits below the client's own limits: lines, matches, a page at a time. Pure.

/** What part of a text is wanted. */
interface PageRequest {
  /** `120-180`, `120`, `120-`, `-40`: numbers as the file has them. */
  lines?: string | undefined;
  /** Only lines that match this regular expression, each with its number. */
  grep?: string | undefined;
  /** 1 for the first. */
  page?: number | undefined;
}

type Page = Pick<Recalled, "text" | "page" | "pages" | "characters" | "bounded">;

/** With the line that says what comes next, a page stays below 20,000 characters, and that below every client's limit. */
export const pageCharacters = 19_500;
/** A search ends after so many characters: others wait for the server meanwhile. */
const searchedCharacters = 2_000_000;

/** The wanted page; `matches` is the request's `grep`, ready to search. Throws `usage` for lines or a page that there cannot be. */
export function pageOf(
  { text, firstLine }: NaturalText,
  request: Omit<PageRequest, "grep">,
  matches?: Search,
): Page {
  const { lines, page = 1 } = request;
  let bounded: string | undefined;
  let wanted = text;
  if (lines !== undefined || matches) {
    let numbered = text.split("\n").map((line, at) => ({ number: firstLine + at, line }));
    if (lines !== undefined) numbered = withinLines(numbered, lines);
    if (!matches) wanted = numbered.map(({ line }) => line).join("\n");
    else {
      const found = matching(numbered, matches);
      bounded = found.bounded;
      wanted = found.lines.map(({ number, line }) => `${number}:${line}`).join("\n");
    }
  }
  const ends = pageEnds(wanted);
  if (page > ends.length)
    throw new MemoirError("usage", `There is no page ${page}.`, {
      fix: `It has ${ends.length === 1 ? "one page" : `${ends.length} pages`}.`,
    });
  return {
    text: wanted.slice(ends[page - 2] ?? 0, ends[page - 1]),
    page,
    pages: ends.length,
    characters: wanted.length,
    ...(bounded === undefined ? {} : { bounded }),
  };
}

interface NumberedLine {
  number: number;
  line: string;
}

function withinLines(all: readonly NumberedLine[], lines: string): NumberedLine[] {
  const match = /^\s*(\d*)\s*(-?)\s*(\d*)\s*$/.exec(lines);
  const [, from = "", dash = "", to = ""] = match ?? [];
  if (!match || (from === "" && to === ""))
    throw new MemoirError("usage", "The lines cannot be read.", {
      fix: "Write them as 120-180, 120-, -40 or 120.",
    });
  const first = from === "" ? 0 : Number(from);
  const last = to !== "" ? Number(to) : dash === "" ? first : Number.POSITIVE_INFINITY;
  const found = all.filter(({ number }) => number >= first && number <= last);
  if (found.length === 0)
    throw new MemoirError("usage", "There are no such lines.", {
      fix: `It has lines ${all[0]?.number ?? 1} to ${all.at(-1)?.number ?? 1}.`,
    });
  return found;
}

function matching(
  all: readonly NumberedLine[],
  matches: Search,
): { lines: NumberedLine[]; bounded?: string } {
  const lines: NumberedLine[] = [];
  let searched = 0;
  for (const numbered of all) {
    searched += numbered.line.length;
    const found = searched > searchedCharacters ? undefined : matches(numbered.line);
    if (found === undefined)
      return { lines, bounded: `searched up to line ${numbered.number - 1}` };
    if (found) lines.push(numbered);
  }
  return { lines };
}

/** Where each page ends: after a line where one ends in its second half, never inside a character of two units. */
function pageEnds(text: string): number[] {
  const ends: number[] = [];
  let from = 0;
  while (text.length - from > pageCharacters) {
    const most = from + pageCharacters;
    const line = text.lastIndexOf("\n", most - 1) + 1;
    const code = text.charCodeAt(most - 1);
    const whole = code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
    from = line > from + pageCharacters / 2 ? line : whole;
    ends.push(from);
  }
  return [...ends, text.length];
}
