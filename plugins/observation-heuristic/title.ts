// Titles of 3 to 8 words and subtitles of at most 24, cut only where a reader would pause.
import {
  baseName,
  countWords,
  headlineOf,
  meaningOf,
  plainLine,
  plural,
  startsDangling,
  sublineOf,
} from "../../src/text/index.ts";
import { type FileChange, joined } from "./change-facts.ts";

/** Word limits of an observation's title and subtitle. */
export const titleWords = { min: 3, max: 8 };
const subtitleWords = 24;

/** A title made of a text, or undefined. */
export function titleFrom(text: string): string | undefined {
  return headlineOf(text, titleWords.min, titleWords.max);
}

/** A subtitle made of a text, or undefined. */
function subtitleFrom(text: string): string | undefined {
  return sublineOf(text, subtitleWords);
}

/** Conventional prefixes and scopes taken off a commit subject. */
export function commitSubject(subject: string): string {
  return plainLine(
    subject
      .replace(/^\w+(?:\([^)]*\))?!?:\s*/, "")
      .replace(/\s*\(?#\d+\)?$/, "")
      .replace(/^\[[^\]]+\]\s*/, ""),
  );
}

/** The first title that fits among texts in order of preference. */
export function firstTitle(texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    const title = text === undefined || text === "" ? undefined : titleFrom(text);
    if (title !== undefined) return title;
  }
  return undefined;
}

/** True when at least three of ten telling words of the subtitle are not in the title. */
function adds(title: string, subtitle: string): boolean {
  const known = meaningOf(title);
  const said = [...meaningOf(subtitle)];
  return said.filter((word) => !known.has(word)).length >= Math.max(1, said.length * 0.3);
}

/** A title from what changed, when nobody put it in words. */
export function titleOfChanges(files: readonly FileChange[]): string {
  const main = [...files].sort((left, right) => weight(right) - weight(left))[0];
  if (main === undefined) return "Changes to the project";
  const file = baseName(main.path);
  const name = main.defined.find((one) => one.what !== "test" && one.what !== "section")?.name;
  const gone = main.dropped.find((one) => one.what !== "test" && one.what !== "section")?.name;
  if (main.action === "deleted") return `Remove the file ${file}`;
  if (main.action === "moved") return `Move ${baseName(main.from ?? "")} to ${file}`;
  const fresh = files.filter((one) => one.action === "created");
  if (fresh.length >= 3 && fresh.length === files.length) {
    const folder = main.path.split("/").slice(0, -1).at(-1);
    return `Add ${fresh.length} new files${folder === undefined ? "" : ` in ${folder}`}`;
  }
  if (main.action === "created")
    return name === undefined ? `Add new file ${file}` : `Add ${name} in ${file}`;
  if (name !== undefined) return `Add ${name} to ${file}`;
  if (gone !== undefined) return `Remove ${gone} from ${file}`;
  const added = main.defined.filter((one) => one.what === "test");
  const tests = added.length;
  if (tests === 1 && countWords(added[0]?.name ?? "") === 1) return `Add test ${added[0]?.name}`;
  if (tests > 0) return `Add ${tests} ${tests === 1 ? "test" : "tests"} to ${file}`;
  const inside = main.touched.find((one) => one.what !== "section")?.name;
  if (inside !== undefined && countWords(inside) === 1) return `Change ${inside} in ${file}`;
  const others = files
    .filter((one) => one !== main)
    .slice(0, 1)
    .map((one) => baseName(one.path));
  return `Changes to ${joined([file, ...others])}`;
}

/** What a change came to in one line: which files, and how the last check ended. */
export function subtitleOfChanges(files: readonly FileChange[], outcome: string): string {
  const names = files.slice(0, 3).map((file) => baseName(file.path));
  const rest = files.length - names.length;
  const which = rest > 0 ? `${names.join(", ")} and ${plural(rest, "more file")}` : joined(names);
  return `Changed ${which}${outcome === "" ? "" : `; ${outcome}`}`;
}

/** The first text that makes a subtitle and adds something to the title; "" when none does. */
export function firstSubtitle(title: string, texts: readonly string[]): string {
  for (const text of texts) {
    if (text === "" || startsDangling(text)) continue;
    const subtitle = subtitleFrom(text);
    if (subtitle !== undefined && countWords(subtitle) >= 4 && adds(title, subtitle)) {
      return subtitle;
    }
  }
  return "";
}

function weight(file: FileChange): number {
  return (
    file.defined.length * 4 +
    file.dropped.length * 3 +
    file.added +
    file.removed +
    (/test|spec|\.md$/i.test(file.path) ? -40 : 0)
  );
}
