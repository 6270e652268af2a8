// `memoir memory redact`: what would be taken out of a text before it is kept, and by which rule.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { errorMessage } from "../../home/describe-error.ts";
import { hasPrivate, stripPrivate } from "../../privacy/marker.ts";
import { uncheckedRule } from "../../privacy/redact/runs.ts";
import { findSpans, redactText, rules, useOwnRedaction } from "../../privacy/redact.ts";
import { readConfigOrLast } from "../../runtime/config/config.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { StoredOptions } from "./redact-stored.ts";
import { setupOf } from "./setup.ts";

interface RedactOptions extends StoredOptions {
  text?: boolean;
  /** What the home keeps instead of a text. */
  stored?: boolean;
}

/** One thing that would be taken out. The secret itself is never printed. */
interface Shown {
  rule: string;
  finds: string;
  kind: string;
  line: number;
  column: number;
  length: number;
}

/**
 * Prints what redaction finds in a file, or in stdin for `-` and where no file is named; with `text` what is left of it.
 * Gives 0. Asks no server. Throws `file_unusable` for what cannot be read as text.
 */
export async function redact(
  file: string,
  options: RedactOptions,
  terminal: Terminal,
): Promise<number> {
  const { config } = await readConfigOrLast(setupOf(terminal).paths.home);
  for (const { at, why } of await useOwnRedaction(config.privacy.redact))
    terminal.warn(`privacy.redact.${at} is not in force: ${why}`);
  if (options.stored) {
    if (file !== "-" || options.text)
      throw new MemoirError("usage", "--stored goes over memory itself, not over a file.", {
        fix: "Leave out the file and --text.",
      });
    return (await import("./redact-stored.ts")).redactStored(options, terminal);
  }
  if (options.backups || options.yes || options.dryRun)
    throw new MemoirError("usage", "--backups, --yes and --dry-run go with --stored.", {
      fix: "Add --stored to go over memory itself.",
    });
  const given = await readText(file, terminal);
  const left = hasPrivate(given) ? stripPrivate(given) : given;
  const privateCharacters = given.length - left.length;
  const found = findSpans(left).map((one) => ({ ...placeOf(left, one.start), ...describe(one) }));
  const { text } = redactText(left);
  if (options.json)
    terminal.print(JSON.stringify({ found, privateCharacters, ...(options.text && { text }) }));
  else if (options.text) terminal.print(text);
  else printFound(found, privateCharacters, terminal);
  return 0;
}

function describe({ start, end, kind, rule }: ReturnType<typeof findSpans>[number]) {
  const finds = [...rules, uncheckedRule].find(({ id }) => id === rule)?.finds ?? "a rule of yours";
  return { rule, finds, kind, length: end - start };
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function printFound(found: Shown[], privateCharacters: number, terminal: Terminal): void {
  const { dim, yellow } = terminal.colors;
  if (privateCharacters > 0)
    terminal.print(`${privateCharacters} characters between <private> and </private> go.`);
  for (const { line, column, rule, kind, length, finds } of found)
    terminal.print(
      `${`${line}:${column}`.padEnd(8)} ${yellow(rule)}  ${length} characters become [redacted:${kind}]\n         ${dim(finds)}`,
    );
  if (privateCharacters > 0 && found.length > 0)
    terminal.print(dim("Lines are counted without the private passages."));
  if (found.length + privateCharacters === 0) terminal.print("Nothing would be taken out.");
}

async function readText(file: string, { cwd }: Terminal): Promise<string> {
  const bytes = await readBytes(file, cwd);
  if (bytes.includes(0))
    throw new MemoirError("file_unusable", `${name(file)} is no text: it holds zero bytes.`, {
      fix: "Name a file of text.",
    });
  return new TextDecoder().decode(bytes);
}

async function readBytes(file: string, cwd: string): Promise<Uint8Array> {
  try {
    if (file !== "-") return await readFile(resolve(cwd, file));
    const pieces: Uint8Array[] = [];
    for await (const piece of process.stdin) pieces.push(piece as Uint8Array);
    return Buffer.concat(pieces);
  } catch (error) {
    throw new MemoirError("file_unusable", `${name(file)} cannot be read: ${errorMessage(error)}`, {
      fix: "Name a file of text, or `-` for what is piped in.",
    });
  }
}

const name = (file: string): string => (file === "-" ? "stdin" : file);
