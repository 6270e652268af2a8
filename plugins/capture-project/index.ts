// Says to which project an event belongs: git remote, else git root, else working directory.

import { open, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import * as v from "valibot";
import { type ClientEvent, definePlugin, type Project, within } from "../../src/sdk/index.ts";
import { baseName, dropOldest, pathBelow, textField } from "../../src/text/index.ts";
import {
  branchOf,
  type Named,
  normaliseRemote,
  remoteInOutput,
  remoteInPaths,
  remoteUrl,
} from "./remotes.ts";

// Finds the repository of a working directory by reading git's files; git itself is never run.

/** Where a directory belongs, and the files whose change may change that. */
interface Located {
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
function projectOf(id: string, root: string, branch?: string): Project {
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

// Remembers where directories belong; looks at two files' times before it believes itself again.

interface Entry extends Located {
  /** Times of the watched files when they were read. */
  stamp: string;
  checkedAt: number;
  /** Believed without a look for so long (ms). */
  trust: number;
}

/** Identities by working directory. */
interface ProjectCache {
  /** The project of a directory. A directory that is gone keeps what was last known of it, else its path. */
  find(cwd: string): Promise<Project>;
}

/** A repository, or a directory that is gone, is believed for so long (ms). */
const trusted = 1_000;
/** Outside a repository, looked at again after so long (ms): one may be made. */
const trustedOutside = 15_000;
const maxEntries = 500;
/** A file system slower than this (ms) is not waited for: a late capture plugin would cost the event its text. */
const patience = 250;

/** An empty cache; `now` in epoch ms. `look` finds a directory's project, undefined when it is gone. */
export function createProjectCache(
  now: () => number,
  look: (cwd: string) => Promise<Located | undefined> = locate,
): ProjectCache {
  const entries = new Map<string, Entry>();

  async function refresh(cwd: string, known: Entry | undefined): Promise<Project> {
    if (known && known.watched.length > 0 && (await stampOf(known.watched)) === known.stamp) {
      known.checkedAt = now();
      return known.project;
    }
    const located = await look(cwd);
    const { project, watched } = located ?? {
      project: known?.project ?? projectOf(cwd, cwd),
      watched: known?.watched ?? [],
    };
    const stamp = located ? await stampOf(watched) : "gone";
    const trust = located && watched.length === 0 ? trustedOutside : trusted;
    entries.delete(cwd);
    entries.set(cwd, { project, watched, stamp, checkedAt: now(), trust });
    dropOldest(entries, maxEntries);
    return project;
  }

  return {
    async find(cwd) {
      const known = entries.get(cwd);
      const age = known ? now() - known.checkedAt : -1;
      if (known && age >= 0 && age < known.trust) return known.project;
      const fallback = known?.project ?? projectOf(cwd, cwd);
      return await within(patience, refresh(cwd, known), fallback);
    },
  };
}

async function stampOf(paths: readonly string[]): Promise<string> {
  const times = await Promise.all(
    paths.map(async (path) => {
      try {
        const { mtimeMs, size, ino } = await stat(path);
        return `${mtimeMs}:${size}:${ino}`;
      } catch {
        return "gone";
      }
    }),
  );
  return times.join(" ");
}

const ConfigSchema = v.strictObject({
  map: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.nonEmpty()),
        v.pipe(v.string(), v.nonEmpty(), v.description("Id of the project.")),
      ),
      v.description(
        "Directories (absolute, or beginning with ~/) and the project that everything below them belongs to; the longest match wins.",
      ),
    ),
    {},
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** The longest mapped directory that holds `cwd`, and the project id it was given. */
export function mappedProject(
  map: Readonly<Record<string, string>>,
  cwd: string,
  home: string,
): { prefix: string; id: string } | undefined {
  let best: { prefix: string; id: string } | undefined;
  for (const [written, id] of Object.entries(map)) {
    const prefix = written.replace(/^~(?=$|[\\/])/, home).replace(/[\\/]+$/, "");
    const inside = prefix === "" || pathBelow(prefix, cwd) !== undefined;
    if (inside && prefix.length >= (best?.prefix.length ?? 0)) best = { prefix, id };
  }
  return best;
}

interface State {
  cache: ProjectCache;
  /** Remotes by folders that are gone, as git named them in a command's output, or a tool that works there. */
  said: Map<string, string>;
  /** What tools named in folders whose remote is not known yet. */
  named: Map<string, Named>;
}

async function identify(event: ClientEvent, config: Config, state: State): Promise<Project> {
  const { cwd } = event;
  const found = await state.cache.find(cwd);
  const mapped = mappedProject(config.map, cwd, homedir());
  if (mapped) return projectOf(mapped.id, found.root, found.branch);
  if (found.id !== cwd) return found;
  const said = remoteSaid(event, state);
  if (said !== undefined) {
    state.said.set(cwd, said);
    state.named.delete(cwd);
    dropOldest(state.said, maxEntries);
  }
  return projectOf(state.said.get(cwd) ?? cwd, cwd, found.branch);
}

/** Tools that show what is in the folder. */
const readers: ReadonlySet<string | undefined> = new Set(["Bash", "Read", "Grep"]);
/** Where more is printed, the beginning names enough. */
const maxText = 100_000;

function remoteSaid(event: ClientEvent, state: State): string | undefined {
  const { cwd } = event;
  if (event.name !== "PostToolUse" || !readers.has(event.toolName)) return undefined;
  const command = event.toolName === "Bash" ? textField(event.toolInput, "command") : "";
  const output = ["stdout", "stderr"].map((name) => textField(event.toolResponse, name)).join("\n");
  const byGit = command.includes("git") ? remoteInOutput(command, output, cwd) : undefined;
  if (byGit !== undefined || state.said.has(cwd)) return byGit;
  const named = state.named.get(cwd) ?? { folders: new Set(), remotes: new Map() };
  state.named.set(cwd, named);
  dropOldest(state.named, maxEntries);
  const text = JSON.stringify([event.toolInput, event.toolResponse]).slice(0, maxText);
  return remoteInPaths(named, text.replace(/\\[nrt"]/g, " ").replaceAll("\\\\", "/"), cwd);
}

export default definePlugin<Config, State>({
  name: "capture-project",
  description: "Names the project of every event: git remote, else git root, else directory.",
  sdk: 1,
  slot: "capture",
  config: ConfigSchema,
  start: (ctx) => ({
    cache: createProjectCache(() => ctx.now()),
    said: new Map(),
    named: new Map(),
  }),
  hooks: {
    capture: async (event, ctx): Promise<ClientEvent | undefined> => {
      if (event.project || !isAbsolute(event.cwd)) return undefined;
      return { ...event, project: await identify(event, ctx.config, ctx.state) };
    },
  },
});
