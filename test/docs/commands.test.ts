// What the pages tell people to type exists: memoir's commands with their options, config keys, and the package's scripts.
import { describe, expect, test } from "bun:test";
import { allCommands, declareProgram } from "../../src/cli/program.ts";
import { configJsonSchema, type JsonSchema } from "../../src/runtime/config/json-schema.ts";
import { codeBlocks, pageNames, readPage } from "../support/pages.ts";
import { plainTerminal } from "../support/plain-terminal.ts";

const commands = new Map(
  allCommands(declareProgram(plainTerminal(), async () => {})).map((command) => [
    nameOf(command),
    command,
  ]),
);
/** The reference of the SDK is made from code, and the changelog tells of what was. */
const pages = pageNames.filter((name) => !/REFERENCE|CHANGELOG/.test(name));

/** What is wrong with a line that calls memoir; undefined when nothing is. */
function wrongWith(line: string): string | undefined {
  const words = line.split(/\s+/).slice(1);
  if (words.length === 0 || words[0]?.startsWith("-")) return undefined;
  let name = "";
  while (commands.has(`${name} ${words[0]}`.trim())) name = `${name} ${words.shift()}`.trim();
  const command = commands.get(name);
  const isGroup = [...commands.keys()].some((other) => other.startsWith(`${name} `));
  if (!command || (isGroup && /^[a-z]/.test(words[0] ?? ""))) return `${line}: no ${words[0]}`;
  const unknown = (line.match(/--[a-z-]+/g) ?? []).filter(
    (option) =>
      !["--help", "--json"].includes(option) &&
      !command.options.some(({ long }) => long === option),
  );
  return unknown.length > 0 ? `${line}: no ${unknown}` : undefined;
}

/** Lines that call memoir: those of shell blocks, and code spans of the prose. */
function callsIn(page: string): string[] {
  const inBlocks = codeBlocks(page, "sh").flatMap((block) =>
    block.replaceAll("\\\n", " ").split("\n"),
  );
  const spans = [...page.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`(memoir [^`]+)`/g)];
  return [...inBlocks, ...spans.map(([, text = ""]) => text.replace(/\s+/g, " "))]
    .map((line) =>
      line
        .replace(/\s#.*$/, "")
        .replace(/"[^"]*"|'[^']*'/g, "word")
        .trim(),
    )
    .map((line) => line.replace(/^(?:dist|~\/\.memoir\/bin)\//, ""))
    .filter((line) => line.startsWith("memoir "));
}

describe("commands and options exist", () => {
  test.each(pages)("%s", async (name) => {
    const wrong = callsIn(await readPage(name)).map(wrongWith);
    expect(wrong.filter((text) => text !== undefined)).toEqual([]);
  });

  test("the README calls memoir often enough that this means something", async () => {
    expect(callsIn(await readPage("README.md")).length).toBeGreaterThan(20);
  });

  test.each([
    "memoir serch words",
    "memoir search --projekt shop",
    "memoir plugin trusst",
    "memoir endless gateway state",
    "memoir endless on --session",
  ])("%s is judged", (line) => {
    expect(wrongWith(line) === undefined).toBe(line.endsWith("--session"));
  });
});

test("config keys that are set, shown or named exist", async () => {
  const schema = await configJsonSchema();
  const wrong: string[] = [];
  for (const name of pages) {
    const page = await readPage(name);
    const set = [...page.matchAll(/config (?:set|unset|get) ([\w.-]+)/g)].map(([, key]) => key);
    const named = [
      ...page.matchAll(
        /`((?:slots|server|journal|worker|budget|watch|endless|isolation|log|plugins)\.[\w.-]+)`/g,
      ),
    ].map(([, key]) => key);
    for (const key of [...set, ...named])
      if (key && !/\.(?:ts|db|md|json|log|lock)$/.test(key) && !isKey(schema, key.split(".")))
        wrong.push(`${name}: ${key}`);
  }
  // Plugins of the examples have options of their own.
  expect(wrong.filter((key) => !/plugins\.(?:decisions-first|shout)\b/.test(key))).toEqual([]);
});

test("scripts of the package exist", async () => {
  const { scripts } = JSON.parse(await readPage("package.json"));
  const wrong: string[] = [];
  for (const name of pages)
    for (const [, script = ""] of (await readPage(name)).matchAll(
      /(?:bun@[\d.]+ run|bun run) ([a-z][\w:-]*)(?=[\s`)])/g,
    ))
      if (!(script in scripts)) wrong.push(`${name}: ${script}`);
  expect(wrong).toEqual([]);
});

interface Named {
  name(): string;
  parent: Named | null;
}

function nameOf(command: Named): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function isKey(schema: JsonSchema, [key, ...rest]: string[]): boolean {
  if (key === undefined) return true;
  const inner = schema.properties?.[key];
  if (inner) return isKey(inner, rest);
  const open = schema.additionalProperties;
  return typeof open === "object" ? isKey(open, rest) : false;
}
