// What a command line runs, and whether another one did the same, or more, in another way. Pure.
import { commandKey } from "../../src/text/index.ts";

/** A command line, read once: it is compared with many. */
export interface Command {
  /** As it was written. */
  line: string;
  /** The same for another run of it. */
  key: string;
  /** Without quoted texts and here-documents. */
  bare: string;
  /** The words of that. */
  words: readonly string[];
  /** `git push`, `mix test`: what each part runs, and what it is told first. */
  steps: readonly string[];
  /** Its program, the last of several, or the tool's name. */
  tool: string;
}

/** Reads a command line. */
export function readCommand(line: string): Command {
  const key = commandKey(line);
  const bare = bareOf(key);
  const steps = stepsOf(bare);
  const tool = steps.at(-1)?.split(" ")[0] ?? "";
  return { line, key, bare, words: bare.split(" "), steps, tool };
}

function bareOf(key: string): string {
  return key
    .replace(/"?\$?\(?\w*\s*<<-?\s*(['"]?)(\w+)\1[\s\S]*/, "…")
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "…");
}

function stepsOf(bare: string): string[] {
  return bare.split(/&&|\|\||;|\n/).flatMap((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .filter((word) => !/^(?:\w+=.*|-.*)$/.test(word));
    const [program = "", first = ""] = words;
    return program === "" ? [] : `${program.split("/").at(-1)} ${first}`.trim();
  });
}

/** True when all that one line runs is among what the other runs. */
export function runsSame(failed: Command, { steps }: Command): boolean {
  return failed.steps.length > 0 && failed.steps.every((step) => steps.includes(step));
}

/** So much of a line stays when what the failure named is left out of it; less is another command. */
const stays = 0.8;

/** With more words than before, or without something that the failure named. */
export function isOtherWay(failed: Command, text: string, passed: Command): boolean {
  const words = wordsOf(failed);
  const now = new Set(wordsOf(passed));
  const missing = words.filter((word) => !now.has(word));
  const isNamed = missing.every((word) => text.split(/\s+/).some((said) => isPart(word, said)));
  return missing.length === 0 || (isNamed && missing.length <= (1 - stays) * words.length);
}

/** The same words behind a program of nearly that name, or with something in front: `python3 x.py` for `python x.py`, `sudo docker ps`. */
export function isOtherProgram(failed: Command, { words }: Command): boolean {
  // Most have another end: nothing more is looked at.
  if (words.at(-1) !== failed.words.at(-1)) return false;
  const [program = "", ...rest] = failed.words;
  if (rest.length === 0 || words.slice(-rest.length).join(" ") !== rest.join(" ")) return false;
  const instead = words.slice(0, -rest.length).join("");
  return instead !== program && lettersOf(instead).includes(lettersOf(program));
}

/** It runs all that the other runs, or of that what the failure named. */
export function runsAsMuch(failed: Command, text: string, passed: Command): boolean {
  if (!runsSame(failed, passed) || failed.steps.length !== passed.steps.length) return false;
  const before = new Set(wordsOf(failed));
  const added = wordsOf(passed).filter((word) => !before.has(word));
  return added.every((word) => word === "--" || (!word.startsWith("-") && text.includes(word)));
}

function lettersOf(word: string): string {
  return word.replace(/[^\p{L}]/gu, "").toLowerCase();
}

/** Words of a line, its programs without their folders. */
function wordsOf({ words }: Command): string[] {
  const [program = "", ...rest] = words;
  return [program.split("/").at(-1) ?? "", ...rest];
}

function isPart(word: string, said: string): boolean {
  return word.includes(said) ? said.length > 3 : said.includes(word);
}
