// What authors can read about, topic by topic: the sections of the guide and the reference, and the examples.
import { nearest } from "../../../runtime/config/problems.ts";
import type { Packed } from "../../../runtime/plugins/packed.ts";
import { MemoirError } from "../../../sdk/errors.ts";

/** One thing to read. */
export interface Topic {
  page: string;
  title: string;
  /** 1 for a whole page, 2 and more for its sections. */
  level: number;
  /** Markdown, its heading and the sections below it included. */
  text: string;
}

/** All topics, page by page. */
export function topicsOf({ pages, examples }: Pick<Packed, "pages" | "examples">): Topic[] {
  const sections = Object.entries(pages).flatMap(([page, text]) => sectionsOf(page, text));
  const sources = Object.entries(examples).map(([file, text]) => ({
    page: "examples",
    title: file,
    level: 2,
    text: `## ${file}\n\n\`\`\`ts\n${text.trimEnd()}\n\`\`\`\n`,
  }));
  return [...sections, ...sources];
}

/** Each heading of a page with what stands below it. Headings inside code are none. */
function sectionsOf(page: string, text: string): Topic[] {
  const lines = text.split("\n");
  const heads: Array<{ at: number; level: number; title: string }> = [];
  let isCode = false;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, marks, title] = (!isCode && /^(#+) (.+)$/.exec(line)) || [];
    if (marks && title) heads.push({ at, level: marks.length, title: plain(title) });
  }
  return heads.map(({ at, level, title }, index) => {
    const end = heads.slice(index + 1).find((next) => next.level <= level)?.at ?? lines.length;
    return { page, title, level, text: `${lines.slice(at, end).join("\n").trimEnd()}\n` };
  });
}

function plain(title: string): string {
  return title.replaceAll("`", "");
}

/**
 * The topics that a word means: a whole page, those called so, else those whose title holds it. Throws `usage` when there is none, or
 * when so many hold it that somebody has to choose.
 */
export function findTopics(asked: string, topics: readonly Topic[]): Topic[] {
  const word = key(asked);
  const page = topics.filter((topic) => topic.page === word);
  const called =
    page.length > 0
      ? page
      : topics.filter(({ title }) => key(title) === word || key(title) === `${word}-ts`);
  if (called.length > 0) return outermost(called);
  const holding = topics.filter(({ title }) => `-${key(title)}-`.includes(`-${word}`));
  if (word !== "" && holding.length === 1) return holding;
  if (word !== "" && holding.length > 1) {
    const titles = [...new Set(holding.map(({ title }) => title))];
    if (titles.length === 1) return outermost(holding);
    throw new MemoirError("usage", `Several topics are called like ${asked}.`, {
      fix: `Choose one: ${titles.slice(0, 20).join(" · ")}.`,
    });
  }
  const near = nearest(word, [...new Set(topics.map(({ title }) => key(title)))]);
  throw new MemoirError(
    "usage",
    `There is no topic ${asked}${near === undefined ? "" : `; did you mean ${near}?`}`,
    { fix: "`memoir plugin docs --list` shows them all." },
  );
}

/** Without those that stand inside another one of them. */
function outermost(found: readonly Topic[]): Topic[] {
  return found.filter(
    (one) =>
      !found.some(
        (other) => other !== one && other.page === one.page && other.text.includes(one.text),
      ),
  );
}

/** Behind the name of a type that cannot be imported. */
export const inferred = / \(by inference\)$/;

/** A title as it is typed: lower-case words joined by dashes. */
function key(title: string): string {
  return title
    .replace(inferred, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
