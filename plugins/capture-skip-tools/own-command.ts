// Recognises shell commands that do nothing but ask memoir.
import { baseName } from "../../src/text/index.ts";

/** Programs that may stand around a memoir call without making it anything else. */
const around = new Set(["cd", "echo", "true", "pwd", "which"]);
/** Programs that only pass on, or look into, what memoir printed. */
const filters = new Set(
  "head tail less more cat grep rg sed awk jq cut sort uniq wc tr column fold tee".split(" "),
);
/** Words that run the program named after them. */
const runners = new Set(["sudo", "time", "env", "command", "exec", "npx", "bunx", "nohup"]);

/** True for `memoir search x`, `cd a && ~/.memoir/bin/memoir show o1 | head`; false as soon as anything else runs. */
export function isOwnCommand(command: string): boolean {
  if (command.length > 20_000 || !command.includes("memoir") || /\$\(|`|<\(/.test(command))
    return false;
  let own = false;
  for (const pipeline of splitOutsideQuotes(
    command.replaceAll("\\\n", " "),
    /&&|\|\||[;\n]|&(?![>&\d])/y,
  )) {
    const programs = splitOutsideQuotes(pipeline, /\|&?/y).map(programOf);
    const first = programs[0];
    if (first === undefined) continue;
    if (first === "memoir") own = true;
    else if (!around.has(first)) return false;
    if (!programs.slice(1).every((program) => program !== undefined && filters.has(program))) {
      return false;
    }
  }
  return own;
}

/** The base name of the program that a simple command runs. */
function programOf(command: string): string | undefined {
  const words = command.trim().match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const program = words
    .map((word) => word.replace(/^["']|["']$/g, ""))
    .find((word) => !/^[A-Za-z_]\w*=/.test(word) && !/^-/.test(word) && !runners.has(word));
  return program && baseName(program).replace(/\.exe$/i, "");
}

/** Splits at a sticky pattern wherever no quote is open. */
function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  let open = "";
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if (open !== "") open = character === open ? "" : open;
    else if (character === '"' || character === "'") open = character;
    else {
      separator.lastIndex = at;
      if (!separator.test(text)) continue;
      parts.push(text.slice(from, at));
      from = separator.lastIndex;
      at = from - 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
