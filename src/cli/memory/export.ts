// `memoir memory export`: everything that memory holds as JSON lines, or in a plugin's form, a page at a time.

import { once } from "node:events";
import { type FileHandle, open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
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
import { answer } from "../terminal/agree.ts";
import { size } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

type ExportOptions = OptionsOf<(typeof carryCommands)["export"]>;

/** The form of the lines; counted up when an older memoir could not read them. */
export const exportVersion = 1;

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

/** Writes a file that is there whole or not at all, or stdout for `-`. Rejects with `file_unusable`. */
export async function exportMemory(
  file: string | undefined,
  options: ExportOptions,
  terminal: Terminal,
): Promise<number> {
  const { project, since, to } = options;
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
  return project === "." || project.startsWith("./") ? resolve(cwd, project) : project;
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
