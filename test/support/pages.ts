// The pages that people read: the README, what stands in docs, and the guides beside the code. Made pages are read too.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The checkout. */
export const root = resolve(import.meta.dir, "../..");

/** Files of the project, relative to its root, that one of the patterns names. */
export async function filesLike(patterns: readonly string[]): Promise<string[]> {
  const found = patterns.map((pattern) =>
    Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root, dot: true })),
  );
  return [...new Set((await Promise.all(found)).flat())].sort();
}

/** Every Markdown page of the project, relative to its root. */
export const pageNames: readonly string[] = await filesLike([
  "*.md",
  "docs/**/*.md",
  "src/**/*.md",
  "plugins/**/*.md",
]);

/** A page's text. */
export function readPage(name: string): Promise<string> {
  return readFile(join(root, name), "utf8");
}

/** The code blocks of a page in one language, without their fences. */
export function codeBlocks(page: string, language: string): string[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
    .filter(([, found]) => found === language)
    .map(([, , text = ""]) => text);
}

/** A page without its code blocks and code spans. */
export function proseOf(page: string): string {
  return page.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
}

/** The anchors that a page's headings have, as GitHub makes them. */
export function anchorsOf(page: string): Set<string> {
  const headings = page.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm);
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
  return new Set([...headings].map(([, heading = ""]) => slug(heading.trim())));
}
