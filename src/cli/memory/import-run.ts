// Lines on their way into memory: in bounded batches, counted.

import process from "node:process";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { carryCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A line and its number. */
export interface NumberedLine {
  line: number;
  text: string;
}

/** What an import came to. */
export interface ImportResult {
  stored: Record<string, number>;
  known: number;
  forgotten: number;
  /** Lines that were left out. */
  bad: number;
}

interface ImportRun {
  /** Takes a line; waits while a batch is sent. */
  add(line: NumberedLine): Promise<void>;
  /** A line that was left out before it was sent. */
  reject(line: number, message: string): void;
  /** Sends what is left. */
  end(): Promise<ImportResult>;
  readonly result: ImportResult;
}

const linesAtOnce = 200;
const charactersAtOnce = 1_000_000;

interface ImportRunOptions {
  dryRun: boolean;
  onError(line: number, message: string): void;
  /** After each batch. */
  onProgress(result: ImportResult): void;
}

/** Begins an import. Memory that it takes does not grow with the file. */
export function startImport({ dryRun, onError, onProgress }: ImportRunOptions): ImportRun {
  const result: ImportResult = { stored: {}, known: 0, forgotten: 0, bad: 0 };
  let batch: NumberedLine[] = [];
  let characters = 0;

  const reject = (line: number, message: string) => {
    result.bad++;
    onError(line, message);
  };
  async function send(): Promise<void> {
    if (batch.length === 0) return;
    const lines = batch;
    batch = [];
    characters = 0;
    const answer = await server.post("/api/import", { body: { lines, dryRun }, timeoutMs: 0 });
    for (const [kind, count] of Object.entries(answer.stored))
      result.stored[kind] = (result.stored[kind] ?? 0) + count;
    result.known += answer.known;
    result.forgotten += answer.forgotten;
    for (const { line, message } of answer.errors) reject(line, message);
    onProgress(result);
  }

  return {
    result,
    reject,
    async add(line) {
      if (batch.length >= linesAtOnce || characters + line.text.length > charactersAtOnce)
        await send();
      batch.push(line);
      characters += line.text.length;
    },
    async end() {
      await send();
      return result;
    },
  };
}

// What a person sees of an import: bad lines as they come, how far it is, and what it came to.

export type ImportOptions = OptionsOf<(typeof carryCommands)["import"]>;

/** What the lists of records hold, in words. */
const names: Readonly<Record<string, readonly [one: string, many: string]>> = {
  sessions: ["session", "sessions"],
  prompts: ["prompt", "prompts"],
  turns: ["turn", "turns"],
  observations: ["observation", "observations"],
  summaries: ["summary", "summaries"],
  memory: ["memory item", "memory items"],
};

/** So many bad lines are shown one by one. */
const shownErrors = 20;

interface Shown {
  onError(line: number, message: string): void;
  onProgress(result: ImportResult): void;
  /** Takes the line that is drawn over itself away. */
  clear(): void;
}

/** Bad lines as they come, and how far it is. */
export function importProgress(
  { json }: ImportOptions,
  terminal: Terminal,
  nameOf = (line: number) => `line ${line}`,
): Shown {
  const draws = terminal.width !== undefined && !json;
  let shown = 0;
  const clear = () => {
    if (draws) process.stdout.write("\r\u001b[2K");
  };
  return {
    clear,
    onError(line, message) {
      clear();
      shown++;
      if (shown <= shownErrors) terminal.warn(`${nameOf(line)}: ${printable(message)}`);
      else if (shown === shownErrors + 1) terminal.warn("…");
    },
    onProgress(result) {
      if (draws) process.stdout.write(`\r\u001b[2K${plural(sum(result), "record")} …`);
    },
  };
}

/** Says what became of it, and gives the exit code. */
export function ended(
  result: ImportResult,
  options: ImportOptions & { isWhole: boolean },
  show: Shown,
  terminal: Terminal,
): number {
  const { json, dryRun = false, isWhole } = options;
  const { known, forgotten, bad } = result;
  show.clear();
  if (json) terminal.print(JSON.stringify({ ...result, isWhole, dryRun }));
  else {
    const what = dryRun ? "would be stored" : "stored";
    const kinds = Object.entries(names).flatMap(([kind, [one, many]]) => {
      const count = result.stored[kind] ?? 0;
      return count === 0 ? [] : [plural(count, one, many)];
    });
    const mark = bad > 0 || !isWhole ? terminal.colors.yellow("!") : terminal.colors.green("✓");
    terminal.print(
      `${mark} ${plural(sum(result), "record")} ${what}${kinds.length > 0 ? `: ${kinds.join(", ")}` : ""}.`,
    );
    if (known > 0) terminal.print(`  ${known} there already.`);
    if (forgotten > 0) terminal.print(`  ${forgotten} that you had forgotten stay so.`);
    if (bad > 0) terminal.print(`  ${plural(bad, "line")} left out.`);
    if (!isWhole)
      terminal.print(
        "  The file ends early: what it held is taken in; import it again once it is whole.",
      );
  }
  return bad > 0 || !isWhole ? 1 : 0;
}

function sum({ stored }: ImportResult): number {
  return Object.values(stored).reduce((all, count) => all + count, 0);
}
