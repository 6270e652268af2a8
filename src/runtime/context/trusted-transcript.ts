// Which files are read as transcripts: a payload names a path, and a path can name anything.
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";

/** A transcript that may be read. */
export interface TrustedTranscript {
  /** Without links. */
  path: string;
  bytes: number;
}

/**
 * The file behind the path that a client named for a session: a regular `.jsonl` file that, links resolved, lies
 * below one of `folders` (where clients keep transcripts) or bears the session's id as its name. Else undefined.
 */
export async function trustedTranscript(
  named: string,
  session: string,
  folders: readonly string[],
): Promise<TrustedTranscript | undefined> {
  if (!isAbsolute(named) || !named.endsWith(".jsonl")) return undefined;
  try {
    const path = await realpath(named);
    if (!path.endsWith(".jsonl")) return undefined;
    if (basename(path) !== `${session}.jsonl` && !(await liesBelow(path, folders)))
      return undefined;
    return await regularFile(path);
  } catch {
    return undefined;
  }
}

/**
 * What a client that keeps its sessions in a database named for one: `<database>/<session>.jsonl`, the database a regular
 * file. Undefined for any other path. How long it is, only reading tells.
 */
export async function trustedStored(
  named: string,
  session: string,
): Promise<TrustedTranscript | undefined> {
  if (!isAbsolute(named) || basename(named) !== `${session}.jsonl`) return undefined;
  try {
    const database = await regularFile(await realpath(dirname(named)));
    return (
      database && { path: join(database.path, basename(named)), bytes: Number.MAX_SAFE_INTEGER }
    );
  } catch {
    return undefined;
  }
}

/** A subagent's file of a trusted session file; links out of the session's folder are not followed. */
export async function trustedAgentFile(
  named: string,
  sessionPath: string,
): Promise<TrustedTranscript | undefined> {
  try {
    const path = await realpath(named);
    const own = join(dirname(sessionPath), basename(sessionPath, ".jsonl"));
    return path.startsWith(own + sep) ? await regularFile(path) : undefined;
  } catch {
    return undefined;
  }
}

async function liesBelow(path: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined && path.startsWith(real.endsWith(sep) ? real : real + sep)) return true;
  }
  return false;
}

/** A pipe or a device would never end. */
async function regularFile(path: string): Promise<TrustedTranscript | undefined> {
  const found = await stat(path);
  return found.isFile() ? { path, bytes: found.size } : undefined;
}
