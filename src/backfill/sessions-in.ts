// Sessions on the disk, each with the client whose it is.
import { dirname, sep } from "node:path";
import { adapterNamed, allAdapters, clients } from "../clients/index.ts";
import type { Environment } from "../home/paths.ts";
import type { HeardSession } from "../runtime/journal/recovery-rows.ts";
import { type Discovery, discoverTranscripts, type SessionFiles } from "../transcript/discover.ts";

const first = "claude-code";

/** What lies at or below a path, of one client. Nothing for a client that memoir does not know, or whose transcripts it does not read. */
export async function sessionsIn(path: string, client: string): Promise<SessionFiles[]> {
  return (await discoverOf(path, client)).sessions;
}

/** The same, with what could not be read. */
export async function discoverOf(path: string, client: string): Promise<Discovery> {
  if (client === first) return discoverTranscripts(path);
  if (!clients.has(client)) return { sessions: [], unreadable: [] };
  const { transcripts } = await adapterNamed(client);
  if (!transcripts) return { sessions: [], unreadable: [] };
  const { sessionOf, about, store } = transcripts;
  if (store) return store.discover(path);
  return discoverTranscripts(path, { client, sessionOf, about });
}

/** Where each client keeps its sessions. */
export async function sessionFolders(
  env: Environment,
): Promise<Array<{ client: string; folder: string }>> {
  return (await allAdapters()).flatMap(({ name, transcripts }) =>
    transcripts ? [{ client: name, folder: transcripts.folder(env) }] : [],
  );
}

/** Whose sessions lie at a path: of the client in whose folder it is; else Claude Code's. */
export async function clientAt(path: string, env: Environment): Promise<string> {
  const folders = await sessionFolders(env);
  const own = folders.find(({ folder }) => path === folder || path.startsWith(folder + sep));
  return own?.client ?? first;
}

/** A folder of one client's transcripts, and when a hook first fired in it, epoch ms. */
interface HeardFolder {
  folder: string;
  client: string;
  since: number;
}

/** The folders in which hooks fired. */
export function foldersOf(heard: readonly HeardSession[]): HeardFolder[] {
  const folders = new Map<string, HeardFolder>();
  for (const { client, transcriptPath, firstHeardAt } of heard) {
    const folder = dirname(transcriptPath);
    const key = `${client}\n${folder}`;
    const since = Math.min(folders.get(key)?.since ?? firstHeardAt, firstHeardAt);
    folders.set(key, { folder, client, since });
  }
  return [...folders.values()];
}
