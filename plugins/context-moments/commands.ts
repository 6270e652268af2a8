// What a command line runs, and whether another one did the same, or more, in another way. Pure.
import { commandKey } from "../../src/text/index.ts";

/** A command line without quoted texts and here-documents. */
export function bareOf(about: string): string {
  return commandKey(about)
    .replace(/"?\$?\(?\w*\s*<<-?\s*(['"]?)(\w+)\1[\s\S]*/, "…")
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "…");
}

/** The program of a command line, or the tool's name. */
export function toolOf(about: string): string {
  return stepsOf(about).at(-1)?.split(" ")[0] ?? "";
}

/** `git push`, `mix test`: what each part of a line runs, and what it is told first. */
export function stepsOf(about: string): string[] {
  return bareOf(about)
    .split(/&&|\|\||;|\n/)
    .flatMap((part) => {
      const words = part
        .trim()
        .split(/\s+/)
        .filter((word) => !/^(?:\w+=.*|-.*)$/.test(word));
      const [program = "", first = ""] = words;
      return program === "" ? [] : `${program.split("/").at(-1)} ${first}`.trim();
    });
}

/** True when all that one line runs is among what the other runs. */
export function runsSame(failed: string, about: string): boolean {
  const steps = stepsOf(about);
  const wanted = stepsOf(failed);
  return wanted.length > 0 && wanted.every((step) => steps.includes(step));
}

/** So much of a line stays when what the failure named is left out of it; less is another command. */
const stays = 0.8;

/** With more words than before, or without something that the failure named. */
export function isOtherWay(failed: string, text: string, passed: string): boolean {
  const words = wordsOf(failed);
  const now = new Set(wordsOf(passed));
  const missing = words.filter((word) => !now.has(word));
  const isNamed = missing.every((word) => text.split(/\s+/).some((said) => isPart(word, said)));
  return missing.length === 0 || (isNamed && missing.length <= (1 - stays) * words.length);
}

/** The same words behind a program of nearly that name, or with something in front: `python3 x.py` for `python x.py`, `sudo docker ps`. */
export function isOtherProgram(failed: string, passed: string): boolean {
  const [program = "", ...rest] = bareOf(failed).split(" ");
  const words = bareOf(passed).split(" ");
  if (rest.length === 0 || words.slice(-rest.length).join(" ") !== rest.join(" ")) return false;
  const instead = words.slice(0, -rest.length).join("");
  return instead !== program && lettersOf(instead).includes(lettersOf(program));
}

/** It runs all that the other runs, or of that what the failure named. */
export function runsAsMuch(failed: string, text: string, passed: string): boolean {
  if (!runsSame(failed, passed) || stepsOf(failed).length !== stepsOf(passed).length) return false;
  const before = new Set(wordsOf(failed));
  const added = wordsOf(passed).filter((word) => !before.has(word));
  return added.every((word) => word === "--" || (!word.startsWith("-") && text.includes(word)));
}

function lettersOf(word: string): string {
  return word.replace(/[^\p{L}]/gu, "").toLowerCase();
}

/** Words of a line, its programs without their folders. */
function wordsOf(about: string): string[] {
  const [program = "", ...rest] = bareOf(about).split(" ");
  return [program.split("/").at(-1) ?? "", ...rest];
}

function isPart(word: string, said: string): boolean {
  return word.includes(said) ? said.length > 3 : said.includes(word);
}
