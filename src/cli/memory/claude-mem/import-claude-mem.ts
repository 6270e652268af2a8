// `memoir memory import --from claude-mem`: its sessions, prompts, observations, summaries and manual memories, as if memoir had made them.
import { isAbsolute, join, resolve } from "node:path";
import { userHome } from "../../../home/paths.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import { projectOfFolder } from "../../endless/project-of-folder.ts";
import { printable } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { type ImportLine, type ImportOptions, importLines } from "../import-run.ts";
import {
  isObserver,
  isTyped,
  manualItemOf,
  observationOf,
  promptOf,
  sessionOf,
  summaryOf,
  timeOf,
} from "./convert.ts";
import {
  openSource,
  type SourceDatabase,
  type SourceRow,
  type SourceTable,
} from "./read-database.ts";
import { readSessions, type SourceSessions } from "./sessions.ts";

/** Row numbers of a table as the lines of an import: this many apart. */
const apart = 1_000_000_000_000;
const numbered: readonly SourceTable[] = [
  "sdk_sessions",
  "user_prompts",
  "observations",
  "session_summaries",
];

/** Gives 1 when a row was left out because something is wrong with it. */
export async function importClaudeMem(
  file: string | undefined,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  const folders = foldersOf(options.map ?? [], terminal);
  const path = file === undefined ? defaultPath(terminal) : resolve(terminal.cwd, file);
  const source = await openSource(path);
  try {
    if (source.withoutLog && !options.json)
      terminal.warn(`${printable(path)}-wal is damaged and left out; the rest can be read.`);
    const sessions = await readSessions(source, folders, projectOfFolder);
    return await importLines(linesOf(source, sessions), options, terminal, {
      nameOf: (line) => `${numbered[Math.floor(line / apart)]} ${line % apart}`,
      isWhole: () => true,
    });
  } finally {
    await source.close();
  }
}

async function* linesOf(
  source: SourceDatabase,
  sessions: SourceSessions,
): AsyncGenerator<ImportLine> {
  const one = (table: SourceTable, row: SourceRow, kind: string, record: object | undefined) =>
    record ? [{ line: lineOf(table, row), text: JSON.stringify({ kind, record }) }] : [];
  /** A row that names a session of which there is none. */
  const orphan = (table: SourceTable, row: SourceRow) => ({
    ...{ line: lineOf(table, row), error: "its session is not in the database" },
  });
  for (const { row, at, lastActiveAt, prompts } of sessions.all()) {
    const session = sessionOf(row, at);
    if (!session) continue;
    const seen = Math.max(session.lastActiveAt, lastActiveAt);
    yield* one("sdk_sessions", row, "session", {
      ...{ ...session, lastActiveAt: seen, endedAt: Math.max(session.endedAt ?? 0, seen) },
      ...(prompts === 0 ? {} : { prompts }),
    });
  }
  for (const row of source.rows("user_prompts")) {
    const at = sessions.ofPrompt(row);
    yield* one("user_prompts", row, "prompt", at && promptOf(row, at));
  }
  // Before there was a table of prompts the session knew its first.
  for (const { row, at, prompts } of sessions.all()) {
    const text = String(row.user_prompt ?? "");
    const time = timeOf(row, "started_at");
    if (prompts > 0 || time === undefined || !isTyped(text)) continue;
    const { id: session, client, project } = at;
    const prompt = { session, client, project, promptNumber: 1, text, time };
    yield* one("sdk_sessions", row, "prompt", prompt);
  }
  for (const row of source.rows("observations")) {
    if (isObserver(row.project)) continue;
    const item = manualItemOf(row, sessions.projectNamed(String(row.project ?? "")));
    const at = sessions.ofMemory(row);
    if (item) yield* one("observations", row, "memory", item);
    else if (at) yield* one("observations", row, "observation", observationOf(row, at));
    else yield orphan("observations", row);
  }
  for (const row of source.rows("session_summaries")) {
    if (isObserver(row.project)) continue;
    const at = sessions.ofMemory(row);
    if (at) yield* one("session_summaries", row, "summary", summaryOf(row, at));
    else yield orphan("session_summaries", row);
  }
}

function lineOf(table: SourceTable, { id }: SourceRow): number {
  return numbered.indexOf(table) * apart + Number(id ?? 0);
}

function defaultPath({ env }: Terminal): string {
  return join(env.CLAUDE_MEM_DATA_DIR ?? join(userHome(env), ".claude-mem"), "claude-mem.db");
}

/** `shop=/home/me/shop` by name. Throws `usage`. */
function foldersOf(pairs: readonly string[], { cwd }: Terminal): Map<string, string> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      const folder = pair.slice(at + 1);
      if (at < 1 || folder === "")
        throw new MemoirError("usage", `--map ${pair} is not written as name=folder.`, {
          fix: "Say `--map shop=/home/me/shop`.",
        });
      return [pair.slice(0, at), isAbsolute(folder) ? resolve(folder) : resolve(cwd, folder)];
    }),
  );
}
