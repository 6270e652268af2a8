// What a user asked: the prompt without what the client, a paste or Markdown put around it; its first sentence as a title.
import { cut, oneLine } from "../text.ts";
import { isSpeaker } from "./attributed.ts";

import { outputLine } from "./line-marks.ts";
import {
  cleanText,
  isFiller,
  meaningOf,
  plainLine,
  sentencesOf,
  withoutClientMarkup,
} from "./plain.ts";

/** What stands in a prompt's place without being one: the client's own words, in the language it writes them. */
const notTyped =
  /^\s*(?:<(?:task|agent)-notification>|This session is being continued from a previous conversation|Caveat: The messages below|\[Request interrupted|Base directory for this skill|\[private\]|(?:Subagent)?Stop hook feedback:|<(?:bash-stdout|bash-stderr|local-command-stdout|local-command-stderr)>)/;
const mostRead = 20_000;
/** So many lines or characters in one go are rarely typed. */
const pasted = { lines: 12, characters: 1_200 };

/** The prompt's own text: no command name, client markup, code, images. "" for what no user typed. */
export function askedOf(prompt: string): string {
  if (notTyped.test(prompt)) return "";
  const text = withoutCommand(prompt).replace(/\[(?:Image|Pasted text)[^\]]*\]/g, " ");
  return cleanText(withoutClientMarkup(text)).trim();
}

/** The prompt as it was typed, with tags and the client's marks in their places; "" for what no user typed. */
export function typedOf(prompt: string): string {
  if (notTyped.test(prompt)) return "";
  return cleanText(withoutCommand(prompt).replace(/<\/?command-args>/g, ""));
}

function withoutCommand(prompt: string): string {
  return prompt
    .slice(0, mostRead)
    .replace(/<command-name>[\s\S]*?<\/command-name>/g, " ")
    .replace(/^\s*(?:\/[\w][\w:-]*(?=\s|$)|([a-z][\w:-]{0,40}): (?=\p{Lu}))/u, (front, name) =>
      name !== undefined && isSpeaker(name) ? front : "",
    );
}

/** The sentences a user typed themselves: without block quotes, code, quotations, output and what follows "…:" in bulk. */
export function typedSentences(prompt: string): string[] {
  const blocks = askedOf(prompt)
    .replace(/^\s*(`{3,}|~{3,})[\s\S]*?(?:^\s*\1.*$|(?![\s\S]))/gm, "\n\n")
    .replace(/"{3}[\s\S]*?(?:"{3}|$)|'{3}[\s\S]*?(?:'{3}|$)/g, "\n\n")
    .split(/\n\s*\n/)
    .map((block) => block.split("\n").filter((line) => line.trim() !== ""))
    .filter((lines) => lines.length > 0);
  const found: string[] = [];
  let announced = false;
  for (const [at, lines] of blocks.entries()) {
    const isList = lines.every((line) => /^\s*(?:[-*•]|\d{1,2}[.)])\s/.test(line));
    const isLong = lines.length > pasted.lines || lines.join("\n").length > pasted.characters;
    const isOutput = lines.filter((line) => outputLine.test(line)).length * 3 >= lines.length;
    const isLast = at === blocks.length - 1;
    // After "the log:" comes the log, up to the last block, which is the user's again where it is short.
    const isAnnounced =
      announced &&
      !isList &&
      !(isLast && at > 1 && lines.length === 1 && !isLong && blocks.length > 2);
    if (!isAnnounced) announced = false;
    if (!isLong && !isOutput && !isAnnounced) {
      const [own, rest] = untilColon(lines, isList);
      found.push(...own.flatMap((line) => sentencesOf(plainLine(line))));
      if (rest) announced = true;
    }
    if (/[:：]\s*$/.test(lines.at(-1) ?? "")) announced = true;
  }
  return found.map(withoutQuotations).filter((sentence) => sentence !== "");
}

/** Lines up to one that ends with a colon and is followed by no list: what follows is somebody else's. */
function untilColon(lines: readonly string[], isList: boolean): [string[], boolean] {
  const typed = lines.filter((line) => !/^\s*>/.test(line) && !outputLine.test(line));
  const bare = (some: readonly string[]) =>
    some.map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, ""));
  if (isList) return [bare(typed), false];
  const colon = typed.findIndex((line) => /[:：]\s*$/.test(line));
  const next = typed[colon + 1];
  if (colon < 0 || next === undefined || /^\s*(?:[-*•]|\d{1,2}[.)])\s/.test(next))
    return [bare(typed), false];
  return [bare(typed.slice(0, colon + 1)), true];
}

/** "" where a sentence is little else than a quotation; quotations inside stay, they are what it speaks of. */
function withoutQuotations(sentence: string): string {
  const own = sentence.replace(
    /"[^"]{12,}"?|“[^”]{12,}”?|„[^“”]{12,}[“”]?|«[^»]{12,}»?|「[^」]{6,}」?/g,
    "",
  );
  return own === sentence || own.length > sentence.length * 0.7 ? sentence : "";
}

/** The first sentence that asks or tells something; "" where none does. */
export function requestOf(prompt: string): string {
  const asked = askedOf(prompt);
  const text = plainLine(
    asked.replace(/^\s*(`{3,}|~{3,})[\s\S]*?(?:^\s*\1.*$|(?![\s\S]))/gm, "\n"),
  );
  const lines = asked
    .split("\n")
    .map((line) => plainLine(line.replace(/^\s*(?:#{1,6}|>|[-*•])\s+/, "")))
    .filter((line) => line !== "" && !outputLine.test(line));
  const sentences = (lines.length > 0 ? lines : [text]).flatMap(sentencesOf);
  const first = sentences.findIndex((sentence) => !isFiller(sentence));
  if (first < 0) return "";
  const found = withoutGreeting(sentences[first] ?? "");
  const next = sentences[first + 1];
  const goesOn = found.length < 15 || /[:：]$/.test(found);
  return goesOn && next !== undefined && !isFiller(next) ? `${found} ${next}` : found;
}

/**
 * All that a prompt asks; of more than `most` characters what was typed beside a paste, or the line of it that says what
 * went wrong. Block quotes are nobody's request.
 */
export function wholeRequestOf(prompt: string, most: number): string {
  const asked = askedOf(prompt).replace(/^\s*>.*$/gm, "");
  if (asked.length <= most) return asked;
  const lines = asked.split("\n").filter((line) => line.trim() !== "");
  const isOutput = lines.filter((line) => outputLine.test(line)).length * 3 >= lines.length;
  return typedSentences(prompt).join(" ") || (isOutput ? failureLine(asked) : asked);
}

/** "Hi, " and "ok - " taken off the front. */
function withoutGreeting(sentence: string): string {
  const front = /^([^,;:!–-]{1,14})[,;:!–-]\s+(?=\S)/u.exec(sentence);
  return front && isFiller(front[1] ?? "") ? sentence.slice(front[0].length) : sentence;
}

/** A plan, or another document, by its first line without the mark of a heading. */
export function headingOf(document: string, most = 160): string {
  const [first = ""] = document.trim().split("\n", 1);
  return titleOf(plainLine(first.replace(/^#+\s+/, "")), most);
}

/** A text as a title: one line, shortened between words with "…". */
export function titleOf(text: string, most = 90): string {
  const line = oneLine(text.toWellFormed()).replace(/[\s:：,;。.]+$/u, "");
  return cut(line, most);
}

// What a failure says of itself, of a text that says much else.

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
