// How a command says what it does: it asks before, answers programs in JSON, and marks each line of what it did.
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
