// How a command says what it does: it asks before, answers programs in JSON, marks each line of what it did, shows how far it is.

import process from "node:process";
import { MemoirError } from "../../sdk/errors.ts";
import type { Terminal } from "./terminal.ts";

/** How a command that asks was called. */
interface Asking {
  yes?: boolean | undefined;
  json?: boolean | undefined;
}

/**
 * Whether a person agrees to what was just said; `yes` agreed beforehand. Throws `usage` where nobody is there to be asked,
 * and for JSON: a question would stand in it.
 */
export async function agreed(
  question: string,
  { yes, json }: Asking,
  terminal: Terminal,
  { onEnter = false, fix = "Pass --yes to confirm." } = {},
): Promise<boolean> {
  if (yes) return true;
  if (!terminal.interactive || json)
    throw new MemoirError("usage", "Can't ask for confirmation without a terminal.", { fix });
  return terminal.confirm(question, onEnter);
}

/** Prints the value where JSON was asked for: then nothing else is to be said. */
export function inJson(value: unknown, { json }: Asking, terminal: Terminal): boolean {
  if (json) terminal.print(JSON.stringify(value));
  return json === true;
}

/** Prints the value where JSON was asked for, else the lines, which are made only then. Gives the exit code. */
export async function answer(
  terminal: Terminal,
  asked: Asking,
  value: unknown,
  lines: () => readonly string[] | Promise<readonly string[]>,
  exit = 0,
): Promise<number> {
  if (!inJson(value, asked, terminal)) for (const line of await lines()) terminal.print(line);
  return exit;
}

/** The coloured mark of something that is well, to be looked at, or wrong. */
export function markOf(
  state: "ok" | "warn" | "fail",
  { colors }: Pick<Terminal, "colors">,
): string {
  const { green, yellow, red } = colors;
  return { ok: green("✓"), warn: yellow("!"), fail: red("✗") }[state];
}

/** Says that something is done. */
export function sayDone(text: string, terminal: Terminal): void {
  terminal.print(`${markOf("ok", terminal)} ${text}`);
}

// Shows how a file would change.

/** Prints the lines of a diff below the file's name; says so when there are none. */
export function printDiff(path: string, diff: readonly string[], terminal: Terminal): void {
  const { green, red, dim, bold } = terminal.colors;
  if (diff.length === 0) {
    terminal.print(`${path} would stay as it is.`);
    return;
  }
  terminal.print(bold(path));
  for (const line of diff) {
    const paint = line.startsWith("+") ? green : line.startsWith("-") ? red : dim;
    terminal.print(paint(`  ${line}`));
  }
}

// One line that says how far work is, drawn over itself.

const drawEveryMs = 100;

interface DrawnLine {
  /** Draws the text, now and then: `text` is asked only when it is. */
  show(text: () => string): void;
  /** Takes the line away. */
  end(): void;
}

/** Draws nothing where nobody watches, and for programs. */
export function drawnLine({ width, now }: Terminal, { json }: { json?: boolean }): DrawnLine {
  const draws = width !== undefined && !json;
  let drawnAt = 0;
  const draw = (text: string) => process.stdout.write(`\r\u001b[2K${text}`);
  return {
    show(text) {
      if (!draws || now() - drawnAt < drawEveryMs) return;
      drawnAt = now();
      draw(text());
    },
    end() {
      if (drawnAt > 0) draw("");
    },
  };
}
