// The SDK's reference page, made from its published declarations: what there is, in groups, each with its own words.
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { defaultDeadlines } from "../runtime/hooks/deadlines.ts";
import { clientEventNames, type HookName, hookKinds } from "../sdk/hooks.ts";
import { sdkVersion, slotNames, slots } from "../sdk/plugin.ts";
import { formatted } from "./formatted.ts";

const root = resolve(import.meta.dir, "../..");

/** One export of a published module. */
export interface Exported {
  name: string;
  kind: "const" | "function" | "class" | "interface" | "type";
  /** Its doc comment as plain text; empty when it has none. */
  doc: string;
  /** The declaration, comments of its fields included. */
  code: string;
}

/** The groups of the page, by the files that declare what is in them. The first that fits counts. */
const groups: ReadonlyArray<readonly [title: string, files: RegExp]> = [
  ["Plugins", /^src\/sdk\/(plugin|handlers|options)\.ts$/],
  ["Hooks", /^src\/sdk\/hooks\.ts$/],
  ["What the host offers", /^src\/sdk\/context\.ts$/],
  ["Client events and replies", /^src\/sdk\/events\.ts$/],
  ["Records", /^src\/sdk\/(model|turn)\.ts$/],
  ["Observing and summarising", /^src\/sdk\/work\.ts$/],
  ["Prompt strategies", /^src\/strategy\/(?!tell)/],
  ["Storage", /^src\/(sdk\/storage\.ts$|records\/|host\/)/],
  ["Providers", /^src\/sdk\/(provider|provider-errors|keys)\.ts$/],
  ["Endless Mode", /^src\/(sdk\/(endless|clearing)|strategy\/tell-observations)\.ts$/],
  ["Errors", /^src\/sdk\/errors\.ts$/],
  ["Tools: privacy and redaction", /^src\/privacy\//],
  ["Tools: texts, tokens and numbers", /^src\/(text\/[^/]*|sdk\/(tool-names|command))\.ts$/],
  ["Tools: reading prose", /^src\/text\/prose\//],
  ["Tools: transcripts", /^src\/transcript\//],
  ["More", /./],
];

/** The exports of a declaration file, in its order; overloads are one. */
export function exportsIn(declarations: string): Exported[] {
  const found = new Map<string, Exported>();
  const lines = declarations.split("\n");
  const head = /^export (?:declare )?(?:abstract )?(const|function|class|interface|type) ([\w$]+)/;
  for (let at = 0; at < lines.length; at++) {
    const [, kind, name] = head.exec(lines[at] ?? "") ?? [];
    if (kind === undefined || name === undefined) continue;
    let end = at;
    while (end < lines.length && !endsDeclaration(lines, end)) end++;
    const code = lines
      .slice(at, end + 1)
      .join("\n")
      .replace(/^export (?:declare )?/, "");
    const known = found.get(name);
    if (known) known.code += `\n${code}`;
    else found.set(name, { name, kind: kind as Exported["kind"], doc: docAbove(lines, at), code });
    at = end;
  }
  return [...found.values()];
}

/** A declaration ends where the next line begins one, or a comment, at the margin. */
function endsDeclaration(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1];
  return next === undefined || /^(?:export |declare |interface |type |import |\/\*\*|$)/.test(next);
}

function docAbove(lines: readonly string[], at: number): string {
  let begin = at - 1;
  if (!lines[begin]?.trimEnd().endsWith("*/")) return "";
  while (begin > 0 && !lines[begin]?.startsWith("/**")) begin--;
  return lines
    .slice(begin, at)
    .join("\n")
    .replace(/^\/\*\*\s?|\s*\*\/$/g, "")
    .replace(/^ \*\s?/gm, "")
    .trim();
}

/** The texts of the page. */
export async function referencePage(): Promise<string> {
  const read = (name: string) => readFile(join(root, `src/release/types/${name}.d.ts.txt`), "utf8");
  const [sdk, testing] = [exportsIn(await read("sdk")), exportsIn(await read("testing"))];
  const files = await declaringFiles();
  const parts = [
    "# Reference of memoir's SDK",
    `Version ${sdkVersion}. Made from the sources by \`bun run types\`; a test compares. The guide is [README.md](README.md).`,
    '`import … from "memoir/sdk"` in plugins, `import … from "memoir/testing"` in their tests.',
    "## Slots",
    slotTable(),
    "## All hooks",
    kinds,
    hookTable(await readFile(join(root, "src/sdk/hooks.ts"), "utf8")),
  ];
  for (const [title] of groups) {
    const own = sdk.filter(({ name }) => groupOf(files.get(name) ?? "") === title);
    if (own.length > 0) parts.push(`## ${title}`, ...own.map(entry));
  }
  parts.push("## memoir/testing", ...testing.map(entry));
  return formatted(`${parts.join("\n\n")}\n`, "REFERENCE.md");
}

const kinds = [
  "Kinds: **sequence**: one after the other, every answer counts. **reduce**: each handler changes the value for the",
  "next; no answer leaves it. **first**: the first answer wins; `ctx.next()` asks those after. **parallel**: all at once,",
  "answers are ignored. A handler that is late or throws is passed over and named in `memoir status`.",
].join("\n");

function groupOf(file: string): string {
  return groups.find(([, files]) => files.test(file))?.[0] ?? "More";
}

/** Name → the file that declares it, relative to the checkout. */
async function declaringFiles(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  // Of one name in two files, the one inside the records is not the exported one.
  for (const folder of [
    "src/transcript",
    "src/host",
    "src/records",
    "src/strategy",
    "src/text",
    "src/privacy",
    "src/sdk",
  ])
    for await (const file of new Bun.Glob("**/*.ts").scan({
      cwd: join(root, folder),
      absolute: true,
    }))
      for (const [, name = ""] of (await readFile(file, "utf8")).matchAll(
        /^export (?:async )?(?:const|function\*?|class|interface|type) ([\w$]+)/gm,
      ))
        if (!file.includes("/src/records/") || !found.has(name))
          found.set(name, relative(root, file));
  return found;
}

function slotTable(): string {
  const rows = slotNames.map((slot) => {
    const { mode, hooks } = slots[slot];
    return `| \`${slot}\` | ${mode} | ${hooks.map((hook) => `\`${hook}\``).join(", ")} |`;
  });
  return ["| slot | mode | hooks |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Reads inputs and outputs from the hook map's own lines, where they stand as types. */
function hookTable(source: string): string {
  const rows = new Map<string, string>();
  const line = /((?:^ {2}\/\*\*[^\n]*\*\/\n)?)^ {2}"?([\w.]+)"?: Hook<"(\w+)", (.+)>;$/gm;
  for (const [, comment = "", hook = "", kind = "", types = ""] of source.matchAll(line)) {
    const [input = "", output = "nothing"] = splitTypes(types);
    const what = comment.replace(/^\s*\/\*\*\s*|\s*\*\/\s*$/g, "");
    rows.set(hook, row(hook as HookName, kind, input, output, what));
  }
  const events = clientEventNames.map((name) => row(name, "sequence", `${name}Event`, "Reply", ""));
  const missing = Object.keys(hookKinds).filter(
    (hook) => !rows.has(hook) && !clientEventNames.some((name) => name === hook),
  );
  if (missing.length > 0) throw new Error(`the hook map's lines of ${missing} could not be read`);
  const heading = "| hook | kind | input | answer | ms | |\n| --- | --- | --- | --- | --- | --- |";
  return [heading, ...events, ...rows.values()].join("\n");
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

function row(hook: HookName, kind: string, input: string, output: string, what: string): string {
  const cell = (type: string) => (type === "nothing" ? type : `\`${type}\``).replaceAll("|", "\\|");
  return `| \`${hook}\` | ${kind} | ${cell(input)} | ${cell(output)} | ${defaultDeadlines[hook]} | ${what} |`;
}

/** Longer declarations are cut: the editor shows the rest. */
const mostLines = 40;

function entry({ name, doc, code }: Exported): string {
  const lines = code.split("\n");
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), "  // …"] : lines;
  return `### ${name}\n\n${doc.replaceAll("<", "&lt;")}\n\n\`\`\`ts\n${shown.join("\n")}\n\`\`\``;
}
