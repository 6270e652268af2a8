// Finds where a JSON text goes wrong. JSON.parse of some engines does not say; people with an editor want line and column.
import { type ParseError, parse, printParseErrorCode, visit } from "jsonc-parser";

/** 1-based; `message` says what was found or missing there. */
interface JsonFault {
  line: number;
  column: number;
  message: string;
}

/** What a fault of the parser's is the lack of, by the fault's name. */
const wanted: Readonly<Record<string, string>> = {
  PropertyNameExpected: "a name in double quotes",
  ValueExpected: "a value",
  ColonExpected: '":"',
  CommaExpected: '"," or a closing bracket',
  CloseBraceExpected: '"," or "}"',
  CloseBracketExpected: '"," or "]"',
  EndOfFileExpected: "the end of the file",
  InvalidCommentToken: "JSON, which has no comments,",
  UnexpectedEndOfNumber: "a whole number",
  UnexpectedEndOfString: "a string that ends on its line",
  InvalidEscapeCharacter: "a string without unknown escapes",
  InvalidUnicode: "a string without unknown escapes",
  InvalidCharacter: "a string without control characters",
};

/** The first fault of a text, or undefined when it is JSON that says each thing once. */
export function findJsonFault(text: string): JsonFault | undefined {
  if (isJson(text)) return findRepetition(text);
  const [first, second] = faultsOf(text);
  if (!first) return { line: 1, column: 1, message: "it is nested too deeply to be read" };
  // What is no part of JSON has no name but what stands in its place has.
  const named = [first, second].find((fault) => fault && nameOf(fault) !== "InvalidSymbol");
  const before = text.slice(0, first.offset).split("\n");
  const found = text[first.offset];
  const what = found === undefined ? "the file ends" : `there is ${JSON.stringify(found)}`;
  const lack = wanted[named ? nameOf(named) : "EndOfFileExpected"] ?? "JSON";
  return {
    line: before.length,
    column: (before.at(-1) ?? "").length + 1,
    message: `${what} where ${lack} is wanted`,
  };
}

/** A key that an object has twice: JSON.parse would drop the first one's value, and whatever the person said with it. */
function findRepetition(text: string): JsonFault | undefined {
  const open: Set<string>[] = [];
  let found: JsonFault | undefined;
  try {
    visit(text, {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(key, _offset, _length, line, character) {
        const keys = open.at(-1);
        if (keys?.has(key))
          found ??= {
            line: line + 1,
            column: character + 1,
            message: `there is a second ${JSON.stringify(key)} beside the first; make one of them`,
          };
        keys?.add(key);
      },
    });
  } catch {
    // Nested too deeply for a parser that goes down with each bracket: no config.
  }
  return found;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** None for a text that the parser, which goes down with each bracket, cannot go through. */
function faultsOf(text: string): readonly ParseError[] {
  const faults: ParseError[] = [];
  try {
    parse(text, faults, { disallowComments: true });
    return faults;
  } catch {
    return [];
  }
}

function nameOf({ error }: ParseError): string {
  return printParseErrorCode(error);
}
