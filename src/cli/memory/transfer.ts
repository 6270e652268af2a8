// `memoir memory export` and `import`. An import takes an export, or another program's memory, in. What is there stays; the same again stores nothing.

import { once } from "node:events";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { memory } from "../../features/memory.ts";
import { exportPluginData } from "../../home/database/plugin-data.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { version } from "../../home/version.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { moveFile } from "../../sdk/within.ts";
import { plural } from "../../text/text.ts";
import { timeIn } from "../../text/time-of.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { carryCommands } from "../commands/memory.ts";
import { currentPaths, server } from "../server/client.ts";
import { printable, size } from "../terminal/layout.ts";
import { answer, drawnLine } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inputsFrom, refuseUnknown } from "./filter.ts";

/** A longer line is no record. */
const longestLine = 16 * 1024 * 1024;

/** Gives 1 when a line was left out, or the file ends early. Rejects with `import_unknown` or `import_newer` before anything is stored. */
export async function importMemory(
  file: string | undefined,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  if (file === undefined)
    throw new MemoirError("usage", "Which file is to be imported?", {
      fix: "Name one that `memoir memory export` wrote, or `-` for what comes on stdin.",
    });
  const lines =
    file === "-" ? textsOf(process.stdin) : await fileLines(resolve(terminal.cwd, file));
  const seen = { isWhole: false, data: 0 };
  const code = await importLines(recordsOf(lines, file, seen), options, terminal, {
    nameOf: (line) => `line ${line}`,
    isWhole: () => seen.isWhole,
  });
  if (seen.data > 0)
    terminal.warn(
      `${plural(seen.data, "row")} of plugins' own data left out; \`memoir memory restore\` brings back a backup's.`,
    );
  return code;
}

/** The lines between the one that begins an export and the one that ends it. */
async function* recordsOf(
  lines: AsyncIterable<ImportLine>,
  file: string,
  seen: { isWhole: boolean; data: number },
): AsyncGenerator<ImportLine> {
  let isBegun = false;
  for await (const line of lines) {
    const text = "text" in line ? line.text : undefined;
    if (!isBegun) checkHeader(text ?? "", file);
    else if (text === undefined) yield line;
    else if (text.trim() !== "") {
      seen.isWhole = /^\s*\{\s*"memoir"\s*:\s*"end"/.test(text);
      // A plugin's own rows mean something where its plugin is: a backup carries them.
      const isData = /^\s*\{\s*"memoir"\s*:\s*"data"/.test(text);
      if (isData) seen.data++;
      else if (!seen.isWhole) yield line;
    }
    isBegun = true;
  }
  if (!isBegun) checkHeader("", file);
}

/** Throws `import_unknown` for what is no export, `import_newer` for one of another form. */
function checkHeader(text: string, file: string): void {
  let header: { memoir?: unknown; version?: unknown } = {};
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (typeof value === "object" && value !== null) header = value;
  } catch {
    // No JSON, so no header.
  }
  const what = file === "-" ? "What came on stdin" : file;
  if (header.memoir !== "export" || typeof header.version !== "number")
    throw new MemoirError(
      "import_unknown",
      `${what} does not begin as an export of memoir does; nothing was imported.`,
    );
  if (header.version !== exportVersion)
    throw new MemoirError(
      "import_newer",
      `${what} is an export of version ${header.version}; this memoir reads version ${exportVersion}.`,
    );
}

async function fileLines(path: string) {
  try {
    if (!(await stat(path)).isFile()) throw new Error("it is no file");
  } catch (cause) {
    const message = `${path} cannot be read: ${errorMessage(cause)}`;
    throw new MemoirError("file_unusable", message, { cause });
  }
  return textsOf(createReadStream(path));
}

/** Lines of UTF-8, numbered from 1; what is longer than any record is passed over without being held. */
export async function* textsOf(
  chunks: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<ImportLine> {
  let line = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const taken = () => {
    const isTooLong = length > longestLine;
    const text = isTooLong ? "" : Buffer.concat(parts).toString("utf8").replace(/\r$/, "");
    parts = [];
    length = 0;
    if (isTooLong) return { line: line++, error: `it is longer than ${longestLine} bytes` };
    return { line: line++, text };
  };
  for await (const chunk of chunks) {
    let rest = Buffer.from(chunk as Uint8Array);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      length += end;
      if (length <= longestLine) parts.push(rest.subarray(0, end));
      yield taken();
      rest = rest.subarray(end + 1);
    }
    length += rest.length;
    if (length <= longestLine) parts.push(rest);
    else parts = [];
  }
  if (length > 0) yield taken();
}

// Lines on their way into memory: in bounded batches, counted.

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
  const { dryRun = false } = options;
  const stored: Record<string, number> = {};
  const result = { stored, known: 0, forgotten: 0, gone: 0, bad: 0 };
  const sum = () => Object.values(stored).reduce((all, count) => all + count, 0);
  const progress = drawnLine(terminal, options);
  const reject = (line: number, message: string) => {
    progress.end();
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
    result.gone += taken.gone;
    for (const { line, message } of taken.errors) reject(line, message);
    progress.show(() => `${plural(sum(), "record")} …`);
  }
  progress.end();
  const { known, forgotten, gone, bad } = result;
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
      ...(gone > 0
        ? [
            `  ${plural(gone, "record")} ${dryRun ? "would be " : ""}deleted, as where the file was made.`,
          ]
        : []),
      ...(bad > 0 ? [`  ${plural(bad, "line")} left out.`] : []),
      ...(whole
        ? []
        : [
            "  The file ends early: what it held was imported; import it again once it is complete.",
          ]),
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

// `memoir memory export`: everything that memory holds as JSON lines, or in a plugin's form, a page at a time.

type ExportOptions = OptionsOf<(typeof carryCommands)["export"]>;

/** The form of the lines; counted up when an older memoir could not read them. */
const exportVersion = 1;

/** How far an export is. */
type ExportCursor = NonNullable<Awaited<ReturnType<typeof firstPage>>["next"]>;
const firstPage = () => server.post("/api/export", { body: {}, timeoutMs: 0 });

/** Where lines go. */
interface Sink {
  write(text: string): Promise<void>;
  /** Where it is now, in words. */
  close(): Promise<string>;
  giveUp(): Promise<void>;
}

const exported = memory.search.takes.project;

/** Writes a file that is there whole or not at all, or stdout for `-`. Rejects with `file_unusable`. */
export async function exportMemory(
  file: string | undefined,
  options: ExportOptions,
  terminal: Terminal,
): Promise<number> {
  const { since, to } = options;
  const { project } = await inputsFrom({ project: exported }, options, terminal);
  const filter = {
    project: project && projectOf(project, terminal),
    since: since === undefined ? undefined : timeIn(since, terminal.now(), "--since"),
  };
  const ask = async (cursor?: ExportCursor) =>
    await server.post("/api/export", { body: { ...filter, to, cursor }, timeoutMs: 0 });
  const isStdout = file === undefined || file === "-";
  const sink = isStdout ? stdoutSink() : await fileSink(resolve(terminal.cwd, file));
  const counts: Record<string, number> = {};
  let bytes = 0;
  const put = async (text: string) => {
    bytes += Buffer.byteLength(text);
    await sink.write(text);
  };
  const write = async (...lines: unknown[]) => {
    if (to === undefined) await put(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  };
  try {
    // Before a line is written: there may be no such plugin.
    const first = await ask();
    if (project !== undefined && first.records.length === 0) await refuseUnknown(filter, terminal);
    const time = new Date(terminal.now()).toISOString();
    await write({
      memoir: "export",
      version: exportVersion,
      time,
      by: `memoir ${version}`,
      ...filter,
    });
    for (let page = first; ; page = await ask(page.next ?? undefined)) {
      if (page.text === undefined) await write(...page.records);
      else await put(page.text);
      // What was forgotten stays so where the file is imported, whatever else is there.
      await write(...(page.forgotten ?? []).map((one) => ({ memoir: "forgotten", ...one })));
      for (const { kind } of page.records) counts[kind] = (counts[kind] ?? 0) + 1;
      if (page.next === null) break;
    }
    // Of a part of memory nobody knows which rows of a plugin belong to it.
    if (project === undefined && since === undefined && to === undefined)
      for await (const row of exportPluginData(currentPaths())) {
        await write(row);
        counts.data = (counts.data ?? 0) + 1;
      }
    await write({ memoir: "end", records: counts });
  } catch (error) {
    await sink.giveUp();
    throw error;
  }
  const where = await sink.close();
  // Where the lines go to stdout nothing else may.
  if (isStdout) return 0;
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return answer(terminal, options, { file: where, bytes, records: counts }, () => [
    `${terminal.colors.green("✓")} ${to === undefined ? `${plural(records, "record")}, ` : ""}${size(bytes)}: ${printable(where)}`,
  ]);
}

function projectOf(project: string, { cwd }: Terminal): string {
  return project.startsWith("./") ? resolve(cwd, project) : project;
}

function stdoutSink(): Sink {
  const { stdout } = process;
  const refused = new Promise<never>((_, reject) => stdout.once("error", reject));
  // Heard here too: else it would end the process where nothing is being written.
  refused.catch(() => undefined);
  return {
    async write(text) {
      const isTaken = stdout.write(text);
      await Promise.race([refused, isTaken ? undefined : once(stdout, "drain")]);
    },
    close: async () => "-",
    giveUp: async () => undefined,
  };
}

async function fileSink(path: string): Promise<Sink> {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  const usable = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      throw new MemoirError("file_unusable", `${path} cannot be written: ${errorMessage(cause)}`, {
        cause,
      });
    }
  };
  // It is all that is remembered: nobody else reads it.
  const file: FileHandle = await usable(() => open(draft, "wx", 0o600));
  return {
    write: (text) => usable(async () => void (await file.writeFile(text))),
    close: () =>
      usable(async () => {
        await file.sync();
        await file.close();
        await moveFile(draft, path);
        return path;
      }),
    async giveUp() {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}
