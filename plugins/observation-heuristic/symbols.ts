// Names that lines of code define: functions, types, classes, tests, headings; by the spelling of many languages.

/** What a line defines. */
export interface Definition {
  name: string;
  what: "function" | "type" | "value" | "test" | "section" | "setting";
}

const rules: Array<[RegExp, Definition["what"]]> = [
  [/^\s*(?:it|test|describe|context|scenario)(?:\.\w+)*\(\s*["'`]([^"'`]{3,90})["'`]/, "test"],
  [/^\s*(?:test|describe|it|context)\s+["']([^"']{3,90})["'].*\bdo\b/, "test"],
  [/^func (?:\([^)]*\)\s*)?(Test\w+|Benchmark\w+)\(/, "test"],
  [/^\s*(?:async )?def (test_\w+)/, "test"],
  [/^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/, "function"],
  [/^func (?:\([^)]*\)\s*)?(\w+)/, "function"],
  [/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(\w+)/, "function"],
  [/^\s*(?:async\s+)?def\s+(?:self\.)?(\w+[?!]?)/, "function"],
  [/^\s*(?:defp|defmacrop?|defguardp?|defdelegate)\s+(\w+[?!]?)/, "function"],
  [
    /^\s*(?:(?:public|private|internal|protected|override|suspend|static|final|open|inline)\s+)*fun\s+(?:<[^>]*>\s*)?(\w+)/,
    "function",
  ],
  [
    /^\s*(?:(?:public|private|protected|static|final|override|abstract|async|virtual)\s+)+(?:function\s+|func\s+)?(?:[\w<>[\],.?]+\s+)?(\w+)\s*\(/,
    "function",
  ],
  [
    /^\s*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=]+)?=>/,
    "function",
  ],
  [/^\s*function\s+([\w-]+)|^([a-z_][\w-]*)\s*\(\)\s*\{/, "function"],
  [
    /^\s*(?:export\s+)?(?:declare\s+)?(?:default\s+)?(?:abstract\s+)?(?:class|interface|enum|namespace)\s+([\w$]+)/,
    "type",
  ],
  [/^\s*(?:export\s+)?type\s+([\w$]+)\s*(?:<[^>]*>)?\s*=/, "type"],
  [/^type (\w+)(?:\[[^\]]*\])? (?:struct|interface|func|map|\w|\[)/, "type"],
  [/^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|union|mod)\s+(\w+)/, "type"],
  [/^\s*defmodule\s+([\w.]+)/, "type"],
  [
    /^\s*(?:(?:public|private|internal|sealed|abstract|final|data|open|static|partial)\s+)*(?:class|record|struct|protocol|object)\s+(\w+)/,
    "type",
  ],
  [/^\s*create\s+(?:table|view|index|trigger)\s+(?:if not exists\s+)?["`]?([\w.]+)/i, "type"],
  [/^\s*export\s+(?:const|let|var)\s+([\w$]+)/, "value"],
  [/^(?:const|var)\s+(\w+)\s*(?:=|\w)/, "value"],
  [/^\s*(?:pub\s+)?(?:const|static)\s+([A-Z_0-9]{3,})\b/, "value"],
  [/^([A-Z][A-Z0-9_]{2,})\s*=/, "value"],
  [/^#{1,4}\s+(.{3,60}?)\s*#*$/, "section"],
];

/** What a line needs to have before the rules are worth trying; most lines have none of it. */
const worthTrying =
  /\b(?:function|func|fun|fn|def|defp|defmacrop?|defguardp?|defdelegate|defmodule|class|interface|enum|namespace|type|struct|trait|union|mod|record|protocol|object|const|let|var|static|create|it|test|describe|context|scenario|public|private|internal|protected|abstract|override|async|virtual|final)\b|^[A-Z][A-Z0-9_]+\s*=|^[a-z_][\w-]*\s*\(\)\s*\{|^#/i;

const notNames = new Set([
  "if",
  "for",
  "while",
  "switch",
  "return",
  "catch",
  "else",
  "new",
  "function",
  "constructor",
  "in",
  "of",
  "to",
  "and",
  "the",
  "up",
  "down",
  "main",
]);

/** The definition on this line, if it holds one. `document` reads `## headings`; code does not. */
export function definitionOn(line: string, document = false): Definition | undefined {
  if (line.length > 400 || !worthTrying.test(line)) return undefined;
  for (const [pattern, what] of rules) {
    if ((what === "section") !== document) continue;
    const match = pattern.exec(line);
    const name = match?.[1] ?? match?.[2];
    if (name === undefined || notNames.has(name.toLowerCase())) continue;
    return { name: name.trim(), what };
  }
  return undefined;
}

/** All definitions on the lines, in order, each name once. */
export function definitionsOn(
  lines: readonly string[],
  document = false,
  limit = 60,
): Definition[] {
  const seen = new Set<string>();
  const found: Definition[] = [];
  for (const line of lines) {
    const definition = definitionOn(line, document);
    if (definition === undefined || seen.has(definition.name)) continue;
    seen.add(definition.name);
    found.push(definition);
    if (found.length >= limit) break;
  }
  return found;
}
