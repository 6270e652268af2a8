// What a failure says of itself, of a text that says much else.
import { cut, oneLine } from "../text.ts";
import { meaningOf } from "./meaning.ts";
import { cleanText } from "./plain.ts";

const failing =
  /error|exception|fail|assert|panic|expected|not found|cannot|denied|refused|undefined|✗|×/i;

/** Names a place, or begins with what it is. */
const placed = /^\S+:\d+(?::\d+)?(?::|\s)|^(?:\w*(?:Error|Exception)|error|fatal)\b.*\S/i;
const says = (line: string) => meaningOf(line).size > 1;

/** The line that says what went wrong. */
export function failureLine(text: string): string {
  const lines = cleanText(text)
    .split("\n")
    .map(oneLine)
    .filter((line) => line.length > 3 && !/^(?:Exit code \d+|…)$/.test(line));
  const found =
    lines.find((line) => placed.test(line) && failing.test(line)) ??
    lines.find((line) => placed.test(line)) ??
    lines.find((line) => failing.test(line) && says(line) && !/[{;]$/.test(line)) ??
    lines.findLast(says);
  return cut(found ?? lines.at(-1) ?? "", 160);
}
