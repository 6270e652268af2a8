// Finds the JSON in a model's answer: inside a code fence, after some words, or cut off at its end.

/** A text with more false beginnings than this is no answer. */
const mostTries = 100;

/** The values of all outermost objects and lists in the text that parse, in order. */
export function findJson(text: string): unknown[] {
  const whole = parsed(text.trim());
  if (whole !== undefined) return [whole];
  const found: unknown[] = [];
  let at = 0;
  for (let tries = 0; tries < mostTries && at < text.length; tries++) {
    const start = text.slice(at).search(/[{[]/);
    if (start === -1) break;
    const from = at + start;
    const end = endOf(text, from);
    const value = end === undefined ? undefined : parsed(text.slice(from, end));
    if (typeof value === "object" && value !== null) found.push(value);
    at = value === undefined ? from + 1 : (end ?? from + 1);
    if (end === undefined) {
      const objects = wholeObjects(text.slice(from));
      if (objects.length > 0) return [...found, ...objects];
      break;
    }
  }
  return found;
}

/** The objects of a list that was cut off, as far as they are whole. */
function wholeObjects(text: string): unknown[] {
  const inner = text.indexOf("[");
  if (inner === -1) return [];
  const found: unknown[] = [];
  let at = inner + 1;
  for (;;) {
    const from = text.indexOf("{", at);
    const end = from === -1 ? undefined : endOf(text, from);
    if (end === undefined) return found;
    const value = parsed(text.slice(from, end));
    if (value !== undefined) found.push(value);
    at = end;
  }
}

/** Where the bracket that opens at `from` is closed; undefined when it never is. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    try {
      // The one slip that is common and harmless.
      const value: unknown = JSON.parse(text.replace(/,(\s*[}\]])/g, "$1"));
      return value;
    } catch {
      return undefined;
    }
  }
}
