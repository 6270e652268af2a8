// The reference page of what plugins import, made from the published declarations: what there is, in groups, each with its own words.
// Not by `deno doc`: it gives what is exported as JSON, from which the declarations would have to be written back into
// TypeScript here; from sources it leaves out inferred types (8 of 173), from declarations it no longer knows which file a
// thing comes from.

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hookFacts } from "../runtime/hooks/hook-table.ts";
import { entryNames, entryTexts } from "../runtime/plugins/packed.ts";
import { clientEventNames, type HookName } from "../sdk/hooks.ts";
import { sdkVersion, slotNames, slots } from "../sdk/plugin.ts";

// The top-level declarations of a declaration file, each with the comment above it.

/** One of them; overloads are several. */
export interface Declaration {
  name: string;
  /** False for a type that only others' declarations name. */
  isExported: boolean;
  kind: "const" | "function" | "class" | "interface" | "type";
  /** As it is written, comment included. */
  text: string;
  /** Its comment as plain text; empty when it has none. */
  doc: string;
  /** The declaration alone, comments of its fields included. */
  code: string;
}

const head = /^(export )?(?:declare )?(?:abstract )?(const|function|class|interface|type) ([\w$]+)/;

/** Each ends where the next, or its comment, begins at the margin. */
export function declarationsIn(file: string): Declaration[] {
  const lines = file.replace(/^export \{\};$/gm, "").split("\n");
  const begins = lines.flatMap((line, at) => {
    if (!head.test(line)) return [];
    if (!lines[at - 1]?.trimEnd().endsWith("*/")) return at;
    return lines.findLastIndex((above, index) => index < at && above.startsWith("/**"));
  });
  return begins.map((begin, at) => {
    const text = lines
      .slice(begin, begins[at + 1])
      .join("\n")
      .trimEnd();
    const comment = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/.exec(text)?.[0] ?? "";
    const declared = text.slice(comment.length);
    const [, exported, kind, name = ""] = head.exec(declared) ?? [];
    return {
      name,
      isExported: exported !== undefined,
      kind: kind as Declaration["kind"],
      text,
      doc: plainText(comment),
      code: declared.replace(/^(?:export )?(?:declare )?/, ""),
    };
  });
}

/** The text of a comment, without what marks it as one. */
function plainText(comment: string): string {
  return comment
    .trim()
    .replace(/^\/\*\*\s?|\s*\*\/$/g, "")
    .replace(/^ *\* ?/gm, "")
    .trim();
}

const root = resolve(import.meta.dir, "../..");

/** The groups of `memoir/sdk`, by the files of `src/sdk` that declare what is in them. The last takes the rest. */
const groups: ReadonlyArray<readonly [title: string, files: RegExp]> = [
  ["Plugins", /^(plugin|handlers|options)$/],
  ["Hooks", /^hooks$/],
  ["What the host offers", /^context$/],
  ["Client events and replies", /^events$/],
  ["Records", /^(model|turn)$/],
  ["Observing and summarising", /^work$/],
  ["Storage", /^storage$/],
  ["Providers", /^provider$/],
  ["Endless Mode", /^endless$/],
  ["Errors and tools", /./],
];

/** What a declaration file declares, in its order; overloads are one. */
export function declarationsOf(file: string): Declaration[] {
  const found = new Map<string, Declaration>();
  for (const one of declarationsIn(file)) {
    const known = found.get(one.name);
    if (known) known.code += `\n${one.code}`;
    else found.set(one.name, one);
  }
  return [...found.values()];
}

/** The text of the page. */
export async function referencePage(): Promise<string> {
  const read = (name: string) => readFile(join(root, `src/sdk/${name}.ts`), "utf8");
  const hooks = hooksIn(await read("hooks"), await read("events"));
  const parts = [
    "# Reference of what plugins import",
    `Version ${sdkVersion} of the contract: the number that a plugin names as \`sdk\`; it counts for every entry. Made from the sources by \`bun run types\`; a test compares. The guide is [README.md](README.md).`,
    entryNames.map((name) => `- \`memoir/${name}\`: ${entryTexts[name]}`).join("\n"),
    'What is marked (by inference) has no name to import: it is the type of something that has one, such as `HookInput<"Stop">`, `HookOutput<"observe">` or `PluginContext["log"]`.',
    "## Slots",
    slotTable(),
    "## All hooks",
    kinds,
    hookTable(hooks),
    "## Each hook",
    ...hooks.map(hookSection),
  ];
  for (const name of entryNames) {
    const declared = declarationsOf(
      await readFile(join(root, `src/release/types/${name}.d.ts.txt`), "utf8"),
    );
    parts.push(`## memoir/${name}`, entryTexts[name]);
    if (name === "sdk") parts.push(...(await grouped(declared)));
    else parts.push(...declared.filter((one) => one.isExported).map((one) => entry(one)));
  }
  return formatted(`${parts.join("\n\n")}\n`, "REFERENCE.md");
}

/** The contract in its groups; in each, what can be imported comes first. */
async function grouped(declared: readonly Declaration[]): Promise<string[]> {
  const files = await declaringFiles();
  const groupOf = (name: string) =>
    groups.find(([, pattern]) => pattern.test(files.get(name) ?? ""))?.[0];
  return groups.flatMap(([title]) => {
    const own = declared.filter(({ name }) => groupOf(name) === title);
    const ordered = [
      ...own.filter((one) => one.isExported),
      ...own.filter((one) => !one.isExported),
    ];
    return own.length > 0 ? [`### ${title}`, ...ordered.map((one) => entry(one, "####"))] : [];
  });
}

const kinds = [
  "Kinds: **sequence**: one after the other, every answer counts. **reduce**: each handler changes the value for the",
  "next; no answer leaves it. **first**: the first answer wins; `ctx.next()` asks those after. **parallel**: all at once,",
  "answers are ignored. A handler that is late or throws is passed over and named in `memoir status`.",
].join("\n");

/** Name → the file of the contract that declares it, without its ending. */
async function declaringFiles(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const file of new Bun.Glob("*.ts").scan(join(root, "src/sdk")))
    for (const [, name = ""] of (await readFile(join(root, "src/sdk", file), "utf8")).matchAll(
      /^(?:export )?(?:async )?(?:const|function|class|interface|type) ([\w$]+)/gm,
    ))
      found.set(name, file.replace(/\.ts$/, ""));
  return found;
}

function slotTable(): string {
  const rows = slotNames.map((slot) => {
    const { mode, hooks } = slots[slot];
    return `| \`${slot}\` | ${mode} | ${hooks.map((hook) => `\`${hook}\``).join(", ")} |`;
  });
  return ["| slot | mode | hooks |", "| --- | --- | --- |", ...rows].join("\n");
}

/** A hook as the page shows it. */
interface HookLine {
  hook: HookName;
  kind: string;
  input: string;
  output: string;
  words: string;
  example?: string;
}

/** Every hook: client events first; inputs and outputs are read from the hook map's own lines, where they stand as types. */
function hooksIn(hooks: string, events: string): HookLine[] {
  const examples = new Map([...examplesOf(hooks), ...examplesOf(events)]);
  const found: HookLine[] = clientEventNames.map((hook) => ({
    ...{ hook, kind: "sequence", input: `${hook}Event`, output: "Reply", words: "" },
  }));
  const line =
    /((?:^ {2}\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)^ {2}"?([\w.]+)"?: Hook<"(\w+)", (.+)>;$/gm;
  for (const [, comment = "", hook = "", kind = "", types = ""] of hooks.matchAll(line)) {
    const [input = "", output = "nothing"] = splitTypes(types);
    const words = wordsOf(comment).replaceAll("\n", " ");
    found.push({ hook: hook as HookName, kind, input, output, words });
  }
  return found.map((one) => {
    const example = examples.get(one.hook);
    return example === undefined ? one : { ...one, example };
  });
}

function hookTable(hooks: readonly HookLine[]): string {
  const heading = "| hook | kind | input | answer | ms | |\n| --- | --- | --- | --- | --- | --- |";
  return [heading, ...hooks.map(row)].join("\n");
}

/** One hook in words, with its example. */
function hookSection({ hook, kind, input, output, words, example }: HookLine): string {
  const answer = output === "nothing" ? "" : `, answers \`${output}\``;
  const facts = `Kind ${kind}: takes \`${input}\`${answer}, within ${hookFacts[hook].deadlineMs} ms.`;
  return [`### ${hook}`, `${facts} ${words}`.trim(), ...(example ? [example] : [])].join("\n\n");
}

/** A comment's text, without the example that ends it. */
function wordsOf(comment: string): string {
  return plainText(comment)
    .replace(/@example[\s\S]*$/, "")
    .trim();
}

/** The examples that comments of fields hold: the field's name, and the example as Markdown. */
export function examplesOf(source: string): Array<[field: string, example: string]> {
  const commented = /^ +(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n +"?([\w.]+)"?:/gm;
  return [...source.matchAll(commented)].flatMap(([, comment = "", field = ""]) => {
    const [, example] = /@example\s([\s\S]*)$/.exec(plainText(comment)) ?? [];
    return example === undefined ? [] : [[field, example] satisfies [string, string]];
  });
}

/** `A, B` at the outermost comma. */
function splitTypes(types: string): string[] {
  let depth = 0;
  const comma = [...types].findIndex((letter) => {
    if ("<{[(".includes(letter)) depth++;
    if (">}])".includes(letter)) depth--;
    return letter === "," && depth === 0;
  });
  return comma === -1 ? [types] : [types.slice(0, comma), types.slice(comma + 1).trim()];
}

function row({ hook, kind, input, output, words }: HookLine): string {
  const cell = (type: string) => (type === "nothing" ? type : `\`${type}\``).replaceAll("|", "\\|");
  return `| \`${hook}\` | ${kind} | ${cell(input)} | ${cell(output)} | ${hookFacts[hook].deadlineMs} | ${words} |`;
}

/** Longer declarations are cut: the editor shows the rest. */
const mostLines = 40;

function entry({ name, isExported, doc, code }: Declaration, heading = "###"): string {
  const lines = withoutExamples(code).split("\n");
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), "  // …"] : lines;
  const inferred = isExported ? "" : " (by inference)";
  const [text = "", example] = doc.split(/\n*@example\s/);
  const words = text === "" ? "" : `${text.replaceAll("<", "&lt;")}\n\n`;
  const shows = example === undefined ? "" : `\n\n${example}`;
  return `${heading} ${name}${inferred}\n\n${words}\`\`\`ts\n${shown.join("\n")}\n\`\`\`${shows}`;
}

/** The examples of a hook stand in a section of their own. */
function withoutExamples(code: string): string {
  return code.replace(/(?:\n *\*)*\n *\* @example(?:(?!\*\/)[\s\S])*\n(?= *\*\/)/g, "\n");
}

// Formats a made page as `bun run check` wants every file.

/** The page as the formatter would write it; `name` says which language it is. */
export async function formatted(page: string, name: string): Promise<string> {
  const formatter = join(root, "node_modules/.bin/biome");
  const child = Bun.spawn([formatter, "format", `--stdin-file-path=${name}`], {
    cwd: root,
    stdin: new Blob([page]),
    stdout: "pipe",
  });
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (code !== 0) throw new Error(`the formatter ended with ${code}`);
  return text;
}
