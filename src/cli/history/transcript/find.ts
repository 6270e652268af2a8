// `memoir session list`, and which transcript the other commands mean: a path, a session's id or its beginning, or the last one.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { clientAt, discoverOf, sessionFolders } from "../../../backfill/plan.ts";
import { clientNamed, type RecordedForm, recordedForm } from "../../../clients/index.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import { plural } from "../../../text/text.ts";
import type { Discovery, SessionFiles } from "../../../transcript/discover.ts";
import { readEntries } from "../../../transcript/read.ts";
import type { OptionsOf } from "../../commands/declared.ts";
import type { historyCommands } from "../../commands/history.ts";
import { everyClient } from "../../setup/clients.ts";
import { ago, columns, endOf, size, width } from "../../terminal/layout.ts";
import { answer } from "../../terminal/output.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** The options of `memoir session …`. */
export type TranscriptOptions<Name extends keyof Verbs> = OptionsOf<Verbs[Name]>;
type Verbs = (typeof historyCommands)["transcript"]["commands"];

/** What every verb is asked to look at. */
export interface Which {
  /** The most recently changed session of all clients' histories. */
  last?: boolean;
}

/** Sessions at a path (a folder may hold many), of an id, or the last. Throws `transcript_unreadable` or `session_ambiguous`. */
export async function findTranscripts(
  which: string | undefined,
  { last }: Which,
  terminal: Terminal,
): Promise<SessionFiles[]> {
  const { cwd } = terminal;
  if (which !== undefined && !last) {
    const path = resolve(cwd, which);
    if (await stat(path).catch(() => undefined)) {
      const { sessions } = await discoverAt(path, terminal);
      if (sessions.length > 0) return sessions;
      throw new MemoirError("transcript_unreadable", `There is no transcript at ${path}.`);
    }
  } else if (!last)
    throw new MemoirError("usage", "No transcript is named.", {
      fix: "Name a `.jsonl` file, a session's id, or use --last.",
    });
  const { sessions } = await discoverAt(undefined, terminal);
  const known = sessions.filter(({ main }) => main);
  const found = last
    ? known.slice(0, 1)
    : known.filter(({ session }) => session.startsWith(which ?? ""));
  if (found.length === 0)
    throw new MemoirError(
      "transcript_unreadable",
      last ? "There is no transcript yet." : `No transcript belongs to “${which}”.`,
    );
  const exact = found.find(({ session }) => session === which);
  if (exact) return [exact];
  if (found.length > 1)
    throw new MemoirError("session_ambiguous", `${found.length} sessions begin with “${which}”.`, {
      fix: "Give more characters of the id; `memoir session list` shows them.",
    });
  return found;
}

/** The sessions at a path, of the client in whose folder it is; without one those of every client, the newest first. */
async function discoverAt(path: string | undefined, terminal: Terminal): Promise<Discovery> {
  const { env } = terminal;
  await everyClient(terminal);
  if (path !== undefined) return discoverOf(path, await clientAt(path, env));
  const places = await sessionFolders(env);
  const all = await Promise.all(places.map(({ folder, client }) => discoverOf(folder, client)));
  return {
    sessions: all
      .flatMap(({ sessions }) => sessions)
      .sort((one, other) => other.changedAt - one.changedAt),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}

/** Where a session's lines come from, and how each is read. */
export type Lines = Pick<RecordedForm, "parse" | "chunks">;

/** How a session's lines are read. */
export async function linesOf({ client }: SessionFiles): Promise<Lines> {
  const { parse, chunks } = await recordedForm(client);
  return { parse, chunks };
}

/** One file of one session. */
export interface FoundTranscript extends Lines {
  session: string;
  path: string;
  /** Whose it is; undefined: Claude Code's. */
  client: string | undefined;
}

/** One session's file. Throws like the other, and where a folder holds several. */
export async function findTranscript(
  which: string | undefined,
  options: Which,
  terminal: Terminal,
): Promise<FoundTranscript> {
  const found = await findTranscripts(which, options, terminal);
  const [one] = found;
  const file = one?.main ?? one?.agents[0];
  if (!one || !file || found.length > 1)
    throw new MemoirError("usage", `${which} holds ${found.length} sessions.`, {
      fix: "Name one of its `.jsonl` files.",
    });
  // A subagent's file that was named is the one that is meant.
  const named = which === undefined ? undefined : resolve(terminal.cwd, which);
  const agent = one.agents.find(({ path }) => path === named);
  const { session, client } = one;
  return { session, path: agent?.path ?? file.path, client, ...(await linesOf(one)) };
}

/** A folder is not cut to less. */
const leastFolder = 16;

/** Newest first. Gives exit code 0. */
export async function listTranscripts(
  path: string | undefined,
  options: TranscriptOptions<"list">,
  terminal: Terminal,
): Promise<number> {
  const place = path === undefined ? undefined : resolve(terminal.cwd, path);
  const { sessions, unreadable } = await discoverAt(place, terminal);
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
