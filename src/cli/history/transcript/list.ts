// `memoir transcript list`: which sessions the client wrote down.

import { resolve } from "node:path";
import { projectsFolder } from "../../../clients/claude-code/folders.ts";
import { plural } from "../../../text/text.ts";
import { discoverTranscripts } from "../../../transcript/discover.ts";
import { fileChunks } from "../../../transcript/file.ts";
import { readEntries } from "../../../transcript/read.ts";
import { ago, columns, endOf, size, width } from "../../terminal/layout.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A folder is not cut to less. */
const leastFolder = 16;

export interface ListOptions {
  limit: number;
  json?: boolean;
}

/** Newest first. Gives exit code 0. */
export async function listTranscripts(
  path: string | undefined,
  options: ListOptions,
  terminal: Terminal,
): Promise<number> {
  const place = path === undefined ? projectsFolder(terminal.env) : resolve(terminal.cwd, path);
  const { sessions, unreadable } = await discoverTranscripts(place);
  for (const one of unreadable) terminal.warn(`not readable: ${one}`);
  const shown = sessions.slice(0, options.limit);
  const found = await Promise.all(
    shown.map(async ({ session, folder, main, agents, bytes, changedAt }) => ({
      session,
      cwd: (await cwdIn(main?.path ?? agents[0]?.path)) ?? folder,
      path: main?.path ?? null,
      agents: agents.length,
      bytes,
      changedAt,
    })),
  );
  if (options.json) {
    terminal.print(JSON.stringify({ total: sessions.length, sessions: found }));
    return 0;
  }
  const { cyan, dim } = terminal.colors;
  if (found.length === 0) terminal.print(`No session in ${place}.`);
  const rows = found.map(({ session, agents, bytes, changedAt }) => [
    cyan(session),
    ago(changedAt, terminal.now()),
    size(bytes),
    agents > 0 ? plural(agents, "subagent") : "",
    "",
  ]);
  // The folder is what may be cut: of a path its end says more.
  const before = Math.max(0, ...columns([...rows, []]).map(width)) + 2;
  const room = Math.max(leastFolder, (terminal.width ?? Infinity) - before);
  const whole = rows.map((row, at) => [...row.slice(0, -1), endOf(found[at]?.cwd ?? "", room)]);
  for (const line of columns(whole)) terminal.print(line);
  if (sessions.length > shown.length)
    terminal.print(dim(`and ${sessions.length - shown.length} more; --limit shows them`));
  return 0;
}

/** The working directory that the beginning of a file names. */
async function cwdIn(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  for await (const entry of readEntries(fileChunks(path, { to: 256 * 1024 })))
    if (entry.kind !== "broken" && entry.cwd !== undefined) return entry.cwd;
  return undefined;
}
