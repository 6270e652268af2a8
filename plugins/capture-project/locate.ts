// Finds the repository of a working directory by reading git's files; git itself is never run.

import { open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Project } from "../../src/sdk/index.ts";
import { baseName } from "../../src/text/index.ts";
import { branchOf, normaliseRemote, remoteUrl } from "./remote.ts";

/** Where a directory belongs, and the files whose change may change that. */
export interface Located {
  project: Project;
  /** Git's HEAD and config; empty outside a repository. */
  watched: string[];
}

/** Deeper than any directory tree worth climbing. */
const maxClimb = 100;
/** A git file larger than this is not read: nobody's HEAD or config is. */
const maxBytes = 1024 * 1024;

/**
 * The project of an absolute directory: its git remote, else its git root, else itself. Worktrees of one repository
 * give one id and a root and branch each; a submodule is a project of its own. Undefined when the directory is gone.
 */
export async function locate(cwd: string): Promise<Located | undefined> {
  if (!(await isDirectory(cwd))) return undefined;
  const found = await findGit(cwd);
  if (!found) return { project: projectOf(await real(cwd), cwd), watched: [] };
  const { root, gitDir } = found;
  const common = await commonDir(gitDir);
  const head = join(gitDir, "HEAD");
  const config = join(common, "config");
  const url = remoteUrl((await read(config)) ?? "");
  const remote = url === undefined ? undefined : normaliseRemote(url, root);
  const id = remote ?? (await real(gitDir === common ? root : mainRoot(common)));
  return {
    project: projectOf(id, root, branchOf((await read(head)) ?? "")),
    watched: [head, config],
  };
}

/** A project by its id; the name is the id's last part. */
export function projectOf(id: string, root: string, branch?: string): Project {
  const name = baseName(id);
  return branch === undefined ? { id, name, root } : { id, name, root, branch };
}

async function findGit(cwd: string): Promise<{ root: string; gitDir: string } | undefined> {
  let root = cwd;
  for (let climbed = 0; climbed < maxClimb; climbed++) {
    const gitDir = await gitDirOf(join(root, ".git"), root);
    if (gitDir !== undefined) return { root, gitDir };
    const parent = dirname(root);
    if (parent === root) return undefined;
    root = parent;
  }
  return undefined;
}

/** `.git` is a directory, or a file that names one (worktrees, submodules). */
async function gitDirOf(path: string, root: string): Promise<string | undefined> {
  const link = await read(path);
  if (link !== undefined) {
    const target = /^gitdir:\s*(.+?)\s*$/m.exec(link)?.[1];
    return target === undefined ? undefined : resolve(root, target);
  }
  // A directory called `.git` without HEAD is no repository.
  return (await read(join(path, "HEAD"))) === undefined ? undefined : path;
}

/** The directory that all worktrees share. */
async function commonDir(gitDir: string): Promise<string> {
  const link = (await read(join(gitDir, "commondir")))?.trim();
  return link ? resolve(gitDir, link) : gitDir;
}

/** The main checkout of a shared git directory; the directory itself when the repository is bare. */
function mainRoot(common: string): string {
  return basename(common) === ".git" ? dirname(common) : common;
}

/**
 * A small file's text; undefined when it cannot be read. The repository is anybody's: a pipe or a device in place of
 * the file would hold one of the process's few file threads for ever, or never end.
 */
async function read(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > maxBytes) return undefined;
    return await firstBytes(path, found.size);
  } catch {
    return undefined;
  }
}

/** No more than the file said it has: some of the kernel's files have no size and no end. */
async function firstBytes(path: string, size: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await file.read(bytes, length, size - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return new TextDecoder().decode(bytes.subarray(0, length));
  } finally {
    await file.close();
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Without symbolic links, so that one directory has one id. */
async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
