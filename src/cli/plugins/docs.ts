// `memoir plugin docs`: the guide, the reference and the examples, in the terminal or as files; the binary carries them.

import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { atomicWrite } from "../../home/read-file.ts";
import { version } from "../../home/version.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { entryNames, entryTexts, type Packed, unpack } from "../../runtime/plugins/packed.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { pluginCommands } from "../commands/plugins.ts";
import { columns, width as widthOf, wrap } from "../terminal/layout.ts";
import type { Colors, Terminal } from "../terminal/terminal.ts";

/** How the texts are wanted. */
type DocsOptions = OptionsOf<(typeof pluginCommands)["plugin"]["commands"]["docs"]>;

/** Prints what a topic says; without one the guide. Throws `usage` for a topic that there is not. */
export async function printDocs(
  asked: string | undefined,
  options: DocsOptions,
  terminal: Terminal,
): Promise<number> {
  const packed = await unpack();
  if (options.write !== undefined)
    return writeDocs(resolve(terminal.cwd, options.write), packed, options, terminal);
  const topics = topicsOf(packed);
  const guide = topics.filter(({ page, level }) => page === "guide" && level === 1);
  const wanted = asked === undefined ? (options.list ? topics : guide) : findTopics(asked, topics);
  if (options.json) {
    const shown = wanted.map(({ page, title, text }) =>
      options.list ? { page, title } : { page, title, text },
    );
    terminal.print(JSON.stringify({ topics: shown }));
  } else if (options.list) for (const line of listLines(wanted, terminal)) terminal.print(line);
  else {
    for (const { text } of wanted) terminal.print(`${renderMarkdown(text, terminal).join("\n")}\n`);
    if (asked === undefined)
      terminal.print(terminal.colors.dim("Topics: memoir plugin docs --list"));
  }
  return 0;
}

/** Page by page. The reference's names stand in one paragraph below their group. */
function listLines(topics: readonly Topic[], { colors, width }: Terminal): string[] {
  const lines: string[] = [];
  for (const page of new Set(topics.map((one) => one.page))) {
    if (lines.length > 0) lines.push("");
    lines.push(colors.bold(page));
    const own = topics.filter((one) => one.page === page && one.level > 1);
    let names: string[] = [];
    for (const [at, { title, level }] of own.entries()) {
      const next = own[at + 1]?.level ?? 0;
      const isName = page === "reference" && level > 2 && next <= level;
      if (isName && !inferred.test(title)) names.push(title);
      else if (!isName) lines.push(...wrap(title, width, "  ".repeat(level - 1)));
      if (!isName || next === level) continue;
      lines.push(...wrap(names.join(", "), width, "  ".repeat(level - 1)).map(colors.dim));
      names = [];
    }
  }
  return lines;
}

const marker = "Written by `memoir plugin docs --write`";

/** Writes all pages, examples and declarations. Throws `usage` for a folder that holds something else. */
async function writeDocs(
  folder: string,
  { pages, examples, types }: Packed,
  { json }: DocsOptions,
  terminal: Terminal,
): Promise<number> {
  await refuseOthers(folder);
  const files: Record<string, string> = { "index.md": indexPage() };
  for (const [name, text] of Object.entries(pages)) files[`${name}.md`] = withOwnLinks(text);
  for (const [name, text] of Object.entries(examples)) files[`examples/${name}`] = text;
  for (const name of entryNames) files[`types/${name}.d.ts`] = types[name];
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await atomicWrite(join(folder, name), text);
  }
  if (json) terminal.print(JSON.stringify({ folder, files: Object.keys(files) }));
  else terminal.print(`${plural(Object.keys(files).length, "file")} written to ${folder}`);
  return 0;
}

/** Where what the pages name lies in the folder; what is not in it keeps its words only. */
const written: ReadonlyArray<readonly [target: RegExp, file: string]> = [
  [/(^|sdk\/)README\.md$/, "guide.md"],
  [/(^|\/)REFERENCE\.md$/, "reference.md"],
  [/(^|\/)developers\/plugins\.md$/, "write.md"],
  [/(^|\/)plugins\.md$/, "plugins.md"],
  [/(^|\/)test\/examples$/, "examples"],
];

function withOwnLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\(([^)]+)\)/g, (link, label: string, target: string) => {
    if (/^https?:|^#/.test(target)) return link;
    const file = written.find(([pattern]) => pattern.test(target))?.[1];
    return file === undefined ? label : `[${label}](${file})`;
  });
}

async function refuseOthers(folder: string): Promise<void> {
  const there = await readdir(folder).catch(() => []);
  if (there.length === 0) return;
  const index = await readFile(join(folder, "index.md"), "utf8").catch(() => "");
  if (index.includes(marker)) return;
  throw new MemoirError("usage", `${folder} holds other files.`, {
    fix: "Name a folder that does not exist yet, or an empty one.",
  });
}

function indexPage(): string {
  const entries = entryNames.map(
    (name) => `- [memoir/${name}](types/${name}.d.ts): ${entryTexts[name]}`,
  );
  const head = [
    "# Plugins of memoir",
    "",
    `${marker}, memoir ${version}.`,
    "",
    "- [Plugins](plugins.md): what they are, and how to enable them",
    "- [Write a plugin](write.md): slots, commands, three complete plugins",
    "- [Guide](guide.md): the author's guide",
    "- [Reference](reference.md): slots, hooks, and every name that can be imported",
    "- `examples`: complete plugins",
    "",
    "Declarations of what is imported:",
    "",
  ];
  return `${[...head, ...entries].join("\n")}\n`;
}

// Markdown as memoir's own pages use it, as lines for a terminal: headings, paragraphs, lists, tables, code.

/** The lines of a page at most `width` wide; code is left as it is. */
export function renderMarkdown(
  text: string,
  { width, colors }: { width: number | undefined; colors: Colors },
): string[] {
  const lines: string[] = [];
  for (const block of blocksOf(text)) {
    if (lines.length > 0) lines.push("");
    lines.push(...renderBlock(block, width, colors));
  }
  return lines;
}

/** Lines that belong together: a fence with its code, else what stands between empty lines. */
function blocksOf(text: string): string[][] {
  const blocks: string[][] = [[]];
  let isCode = false;
  for (const line of text.split("\n")) {
    const isFence = line.startsWith("```");
    if ((isFence && !isCode) || (line === "" && !isCode)) blocks.push([]);
    if (line !== "" || isCode) blocks.at(-1)?.push(line);
    if (isFence) isCode = !isCode;
    if (isFence && !isCode) blocks.push([]);
  }
  return blocks.filter((block) => block.length > 0);
}

function renderBlock(
  block: readonly string[],
  width: number | undefined,
  colors: Colors,
): string[] {
  const first = block[0] ?? "";
  if (first.startsWith("```"))
    return block.slice(1, -1).map((line) => colors.dim(`  ${line}`.trimEnd()));
  if (/^#+ /.test(first)) return block.map((line) => colors.bold(plain(line.replace(/^#+ /, ""))));
  if (first.startsWith("|")) return renderTable(block, width, colors);
  if (/^(- |\d+\. )/.test(first)) return itemsOf(block).flatMap((item) => renderItem(item, width));
  return wrap(plain(block.join(" ")), width);
}

/** A list's items, each as one line. */
function itemsOf(block: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of block)
    if (/^(- |\d+\. )/.test(line)) items.push(line);
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  return items;
}

function renderItem(item: string, width: number | undefined): string[] {
  const [mark = "- "] = /^(- |\d+\. )/.exec(item) ?? [];
  const [first = "", ...rest] = wrap(
    plain(item.slice(mark.length)),
    width,
    " ".repeat(mark.length),
  );
  return [mark + first.trimStart(), ...rest];
}

/** Side by side where that fits, else one row below the other, each cell with its column's name. */
function renderTable(
  block: readonly string[],
  width: number | undefined,
  colors: Colors,
): string[] {
  const [head = [], , ...rows] = block.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => plain(cell.replaceAll("\\|", "|").trim())),
  );
  const [heading = "", ...aligned] = columns([head, ...rows]);
  if ([heading, ...aligned].every((line) => width === undefined || widthOf(line) <= width))
    return [colors.bold(heading), ...aligned];
  return rows.flatMap(([name = "", ...cells]) => [
    colors.bold(name),
    ...cells.flatMap((cell, at) => {
      const label = head[at + 1] ?? "";
      return cell === "" ? [] : wrap(label === "" ? cell : `${label}: ${cell}`, width, "  ");
    }),
  ]);
}

/** Without the marks that only a browser shows. */
function plain(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/(^|\s)\*([^*\s][^*]*)\*(?=\s|$|,|\.)/g, "$1$2")
    .replaceAll("&lt;", "<");
}

// What authors can read about, topic by topic: the sections of the guide and the reference, and the examples.

/** One thing to read. */
interface Topic {
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
    if (marks && title) heads.push({ at, level: marks.length, title: title.replaceAll("`", "") });
  }
  return heads.map(({ at, level, title }, index) => {
    const end = heads.slice(index + 1).find((next) => next.level <= level)?.at ?? lines.length;
    return { page, title, level, text: `${lines.slice(at, end).join("\n").trimEnd()}\n` };
  });
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
const inferred = / \(by inference\)$/;

/** A title as it is typed: lower-case words joined by dashes. */
function key(title: string): string {
  return title
    .replace(inferred, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
