// Which files of a session may be rewritten: the one that bears its name, and its subagents' below the folder of that name.
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

/** A transcript of a session. */
export interface SessionFile {
  path: string;
  /** The subagent whose file it is. */
  agent?: string;
}

/**
 * The session's own file and its subagents'. Empty when the named file is not what it should be: a payload can name
 * anything, and what is replaced must be the session's transcript and nothing else.
 */
export async function ownFiles(named: string, session: string): Promise<SessionFile[]> {
  if (!isAbsolute(named) || basename(named) !== `${session}.jsonl`) return [];
  const path = await realpath(named).catch(() => undefined);
  if (path === undefined || basename(path) !== `${session}.jsonl` || !(await isPlain(path)))
    return [];
  return [{ path }, ...(await agentFiles(path, session))];
}

async function agentFiles(path: string, session: string): Promise<SessionFile[]> {
  const folder = join(dirname(path), session, "subagents");
  // A link could lead anywhere.
  if ((await realpath(folder).catch(() => undefined)) !== folder) return [];
  const found: SessionFile[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const agent = /^agent-([\w-]{1,200})\.jsonl$/.exec(name)?.[1];
    const file = join(folder, name);
    if (agent !== undefined && (await isPlain(file))) found.push({ path: file, agent });
  }
  return found.sort((a, b) => a.path.localeCompare(b.path));
}

/** A file with one name: replacing one of several would part them. */
async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && found.nlink === 1;
}
