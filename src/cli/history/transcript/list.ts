// `memoir session list`: which sessions clients wrote down.

import { resolve } from "node:path";
import { clientNamed } from "../../../clients/index.ts";
import { plural } from "../../../text/text.ts";
import type { SessionFiles } from "../../../transcript/discover.ts";
import { readEntries } from "../../../transcript/read.ts";
import { answer } from "../../terminal/agree.ts";
import { ago, columns, endOf, size, width } from "../../terminal/layout.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { discoverAt, linesOf, type TranscriptOptions } from "./find.ts";

/** A folder is not cut to less. */
const leastFolder = 16;

/** Newest first. Gives exit code 0. */
export async function listTranscripts(
  path: string | undefined,
  options: TranscriptOptions<"list">,
  terminal: Terminal,
): Promise<number> {
  const place = path === undefined ? undefined : resolve(terminal.cwd, path);
  const { sessions, unreadable } = await discoverAt(place, terminal.env);
  for (const one of unreadable) terminal.warn(`not readable: ${one}`);
  const shown = sessions.slice(0, options.limit);
  const found = await Promise.all(
    shown.map(async (files) => ({
      session: files.session,
      client: files.client ?? "claude-code",
      cwd: (await cwdIn(files)) ?? files.folder,
      path: files.main?.path ?? null,
      agents: files.agents.length,
      bytes: files.bytes,
      changedAt: files.changedAt,
    })),
  );
  const report = { total: sessions.length, sessions: found };
  const { cyan, dim } = terminal.colors;
  return answer(terminal, options, report, () => {
    if (found.length === 0)
      return [place === undefined ? "No session yet." : `No session in ${place}.`];
    const rows = found.map(({ session, client, agents, bytes, changedAt }) => [
      cyan(session),
      ago(changedAt, terminal.now()),
      size(bytes),
      agents > 0 ? plural(agents, "subagent") : "",
      client === "claude-code" ? "" : clientNamed(client).title,
      "",
    ]);
    // The folder is what may be cut: of a path its end says more.
    const before = Math.max(...columns([...rows, []]).map(width)) + 2;
    const room = Math.max(leastFolder, (terminal.width ?? Infinity) - before);
    const left = sessions.length - shown.length;
    return [
      ...columns(rows.map((row, at) => [...row.slice(0, -1), endOf(found[at]?.cwd ?? "", room)])),
      ...(left > 0 ? [dim(`and ${left} more; --limit shows them`)] : []),
    ];
  });
}

/** The working directory that the beginning of a file names. */
async function cwdIn(files: SessionFiles): Promise<string | undefined> {
  const path = files.main?.path ?? files.agents[0]?.path;
  if (path === undefined) return undefined;
  const { parse, chunks } = await linesOf(files);
  for await (const entry of readEntries(chunks(path, { to: 256 * 1024 }), { parse }))
    if (entry.kind !== "broken" && entry.cwd !== undefined) return entry.cwd;
  return undefined;
}
