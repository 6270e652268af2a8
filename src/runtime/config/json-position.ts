// Finds where a JSON text goes wrong. JSON.parse of some engines does not say; people with an editor want line and column.

/** 1-based; `message` says what was found or missing there. */
export interface JsonFault {
  line: number;
  column: number;
  message: string;
}

/** The first fault of a text, or undefined when it is JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const fault = scan(text);
  if (!fault) return undefined;
  const before = text.slice(0, fault.at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, message: fault.message };
}

interface Fault {
  at: number;
  message: string;
}

const space = /[ \t\n\r]*/y;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside strings
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

/** Walks the text with an explicit stack, so that no nesting is too deep. */
function scan(text: string): Fault | undefined {
  let at = 0;
  const open: string[] = [];
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found !== null;
  };
  const fault = (wanted: string): Fault => {
    const found = text[at];
    const what = found === undefined ? "the file ends" : `there is ${JSON.stringify(found)}`;
    return { at, message: `${what} where ${wanted} is wanted` };
  };
  /** Reads `"name":`. */
  const key = (): Fault | undefined => {
    take(space);
    if (!take(string)) return fault("a name in double quotes");
    take(space);
    if (text[at] !== ":") return fault('":"');
    at++;
    return undefined;
  };

  for (;;) {
    take(space);
    const begins = text[at];
    if (begins === "{" || begins === "[") {
      at++;
      take(space);
      if (text[at] !== (begins === "{" ? "}" : "]")) {
        open.push(begins);
        const wrong = begins === "{" ? key() : undefined;
        if (wrong) return wrong;
        continue;
      }
      at++;
    } else if (!take(string) && !take(literal)) {
      return fault(begins === '"' ? "a string that ends on its line" : "a value");
    }
    // A value is complete: close what it completes, or go on to the next one.
    for (;;) {
      take(space);
      const inside = open.at(-1);
      if (!inside) return at === text.length ? undefined : fault("the end of the file");
      const closing = inside === "{" ? "}" : "]";
      if (text[at] === closing) {
        at++;
        open.pop();
        continue;
      }
      if (text[at] !== ",") return fault(`"," or "${closing}"`);
      at++;
      const wrong = inside === "{" ? key() : undefined;
      if (wrong) return wrong;
      break;
    }
  }
}
