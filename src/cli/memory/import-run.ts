// Lines on their way into memory: in bounded batches, counted; and what a person sees of it.

import process from "node:process";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { carryCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

export type ImportOptions = OptionsOf<(typeof carryCommands)["import"]>;

/** A line with its number, or why it is left out before it is sent. */
export type ImportLine = NumberedLine | { line: number; error: string };

interface NumberedLine {
  line: number;
  text: string;
}

const linesAtOnce = 200;
const charactersAtOnce = 1_000_000;
/** So many bad lines are shown one by one. */
const shownErrors = 20;

/** What the lists of records hold, in words. */
const names: Readonly<Record<string, readonly [one: string, many: string]>> = {
  sessions: ["session", "sessions"],
  prompts: ["prompt", "prompts"],
  turns: ["turn", "turns"],
  observations: ["observation", "observations"],
  summaries: ["summary", "summaries"],
  memory: ["memory item", "memory items"],
};

/**
 * Takes lines in; memory that it takes does not grow with the file. Bad lines are named as they come, and how far it is. `isWhole` is
 * asked behind the last line. Gives 1 when a line was left out, or some are missing.
 */
export async function importLines(
  lines: AsyncIterable<ImportLine>,
  options: ImportOptions,
  terminal: Terminal,
  { nameOf, isWhole }: { nameOf(line: number): string; isWhole(): boolean },
): Promise<number> {
  const { json, dryRun = false } = options;
  const stored: Record<string, number> = {};
  const result = { stored, known: 0, forgotten: 0, bad: 0 };
  const sum = () => Object.values(stored).reduce((all, count) => all + count, 0);
  const draw = (text: string) => {
    if (terminal.width !== undefined && !json) process.stdout.write(`\r\u001b[2K${text}`);
  };
  const reject = (line: number, message: string) => {
    draw("");
    result.bad++;
    if (result.bad <= shownErrors) terminal.warn(`${nameOf(line)}: ${printable(message)}`);
    else if (result.bad === shownErrors + 1) terminal.warn("…");
  };
  for await (const batch of batches(lines, reject)) {
    const body = { lines: batch, dryRun };
    const taken = await server.post("/api/import", { body, timeoutMs: 0 });
    for (const [kind, count] of Object.entries(taken.stored))
      stored[kind] = (stored[kind] ?? 0) + count;
    result.known += taken.known;
    result.forgotten += taken.forgotten;
    for (const { line, message } of taken.errors) reject(line, message);
    draw(`${plural(sum(), "record")} …`);
  }
  draw("");
  const { known, forgotten, bad } = result;
  const whole = isWhole();
  const isGood = bad === 0 && whole;
  const report = { ...result, isWhole: whole, dryRun };
  const said = () => {
    const kinds = Object.entries(names).flatMap(([kind, [one, many]]) =>
      stored[kind] ? [plural(stored[kind], one, many)] : [],
    );
    const mark = isGood ? terminal.colors.green("✓") : terminal.colors.yellow("!");
    const what = dryRun ? "would be stored" : "stored";
    const list = kinds.length > 0 ? `: ${kinds.join(", ")}` : "";
    return [
      `${mark} ${plural(sum(), "record")} ${what}${list}.`,
      ...(known > 0 ? [`  ${known} there already.`] : []),
      ...(forgotten > 0 ? [`  ${forgotten} that you had forgotten stay so.`] : []),
      ...(bad > 0 ? [`  ${plural(bad, "line")} left out.`] : []),
      ...(whole
        ? []
        : ["  The file ends early: what it held is taken in; import it again once it is whole."]),
    ];
  };
  return answer(terminal, options, report, said, isGood ? 0 : 1);
}

async function* batches(
  lines: AsyncIterable<ImportLine>,
  reject: (line: number, message: string) => void,
): AsyncGenerator<NumberedLine[]> {
  let batch: NumberedLine[] = [];
  let characters = 0;
  for await (const one of lines) {
    if ("error" in one) {
      reject(one.line, one.error);
      continue;
    }
    const isFull = batch.length >= linesAtOnce || characters + one.text.length > charactersAtOnce;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(one);
    characters += one.text.length;
  }
  if (batch.length > 0) yield batch;
}
