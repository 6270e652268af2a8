// Plugins that a project brings in `.memoir/plugins`: what the user allowed, pinned to what it was then, where they are, and what may run.

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import * as v from "valibot";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { memoirPaths, type Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { moveFile, within } from "../../sdk/within.ts";
import type { LocalState } from "../ports.ts";
import { type Dropped, discoverPlugins } from "./find.ts";

// The whole content of a folder as it is at one moment, with a hash of it: what is looked at is what is kept.

/** A folder's files, read once. */
interface Snapshot {
  /** SHA-256 over every path and content, hexadecimal. */
  hash: string;
  /** Path below the folder, with `/` → content. Links are what they lead to. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** What a project's plugins may be at most; each limit is far above what anybody writes by hand. */
export const limits = { files: 2_000, bytes: 20_000_000, depth: 20 };

/** Reads everything below a folder. Rejects with `plugin_trust` when it is too much, or changes while it is read. */
export async function takeSnapshot(folder: string): Promise<Snapshot> {
  const files = new Map<string, Uint8Array>();
  let bytes = 0;

  async function visit(path: string, below: string, parents: readonly string[]): Promise<void> {
    const real = await realpath(path);
    if (parents.includes(real) || parents.length > limits.depth)
      throw refuse(folder, `${below} leads back into itself, or too deep`);
    for (const name of (await readdir(path)).sort()) {
      const inner = join(path, name);
      const relative = below === "" ? name : `${below}/${name}`;
      const found = await stat(inner);
      if (found.isDirectory()) await visit(inner, relative, [...parents, real]);
      else if (found.isFile()) {
        if (files.size >= limits.files || bytes + found.size > limits.bytes)
          throw refuse(
            folder,
            `it holds more than ${limits.files} files or ${limits.bytes / 1_000_000} MB`,
          );
        const content = await readFile(inner);
        bytes += content.length;
        if (bytes > limits.bytes) throw refuse(folder, "it grows while it is read");
        files.set(relative, content);
      } else throw refuse(folder, `${relative} is neither a file nor a folder`);
    }
  }

  try {
    await visit(folder, "", []);
  } catch (error) {
    if (error instanceof MemoirError) throw error;
    throw refuse(folder, error instanceof Error ? error.message : String(error), error);
  }
  return { hash: hashOf(files), files };
}

function hashOf(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash("sha256");
  // Lengths keep one file's end from passing for another's beginning.
  for (const [path, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path.length}:${path}:${content.length}:`).update(content);
  return hash.digest("hex");
}

/** Writes a snapshot as a folder in one step; one that is there already with the same content is left as it is. */
async function writeSnapshot({ hash, files }: Snapshot, folder: string): Promise<void> {
  const there = await takeSnapshot(folder).catch(() => undefined);
  if (there?.hash === hash) return;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${folder}.`);
  for (const [path, content] of files) {
    await mkdir(dirname(join(draft, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(draft, path), content, { mode: 0o600 });
  }
  await rm(folder, { recursive: true, force: true });
  await moveFile(draft, folder);
}

function refuse(folder: string, why: string, cause?: unknown): MemoirError {
  return new MemoirError("plugin_trust", `${folder} cannot be trusted: ${why}.`, { cause });
}

const TrustedSchema = v.strictObject({
  /** Hash of everything below the folder. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** `Project.id` for whose events the plugins run. */
  project: v.string(),
  /** Epoch ms. */
  trustedAt: v.number(),
});
const FileSchema = v.strictObject({
  /** By the folder's real path. */
  folders: v.record(v.string(), TrustedSchema),
  /** Content that was announced to a session, by folder: once each. The file keeps its first name for it. */
  told: v.optional(v.record(v.string(), v.string()), {}),
});

/** One folder that the user allowed. */
type Trusted = v.InferOutput<typeof TrustedSchema>;
type TrustFile = v.InferOutput<typeof FileSchema>;

const unreadableFix = "Move that file away, then run `memoir plugin trust` in each project again.";

/** What the user allowed. A file that cannot be read allows nothing, and is not written over: it rejects with `plugin_trust`. */
export async function readTrust(home: string): Promise<TrustFile> {
  const path = memoirPaths(home).trust;
  let text: string;
  try {
    text = await readFileText(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return { folders: {}, told: {} };
    throw new MemoirError("plugin_trust", `${path} cannot be read.`, { cause: error });
  }
  try {
    return v.parse(FileSchema, JSON.parse(text));
  } catch (cause) {
    throw new MemoirError("plugin_trust", `${path} is not what memoir wrote.`, {
      cause,
      fix: unreadableFix,
    });
  }
}

/** Where the allowed content is kept: what runs is this copy, whatever becomes of the project's folder. */
export function copyOf(home: string, hash: string): string {
  return `${memoirPaths(home).trusted}/${hash.slice(0, 16)}`;
}

/** Allows exactly this content of a folder. */
export async function trustSnapshot(
  home: string,
  folder: string,
  snapshot: Snapshot,
  { project, now }: { project: string; now: number },
): Promise<void> {
  await writeSnapshot(snapshot, copyOf(home, snapshot.hash));
  await change(home, (file) => {
    file.folders[folder] = { hash: snapshot.hash, project, trustedAt: now };
  });
}

/** Takes it back; true when it had been given. */
export async function untrust(home: string, folder: string): Promise<boolean> {
  const { folders } = await readTrust(home);
  const found = folders[folder];
  if (!found) return false;
  await change(home, (file) => {
    delete file.folders[folder];
  });
  const isShared = Object.entries(folders).some(
    ([other, { hash }]) => other !== folder && hash === found.hash,
  );
  if (!isShared) await rm(copyOf(home, found.hash), { recursive: true, force: true });
  return true;
}

/** Notes that this content was announced; false when it had been. */
async function noteAnnounced(home: string, folder: string, hash: string): Promise<boolean> {
  if ((await readTrust(home)).told[folder] === hash) return false;
  await change(home, (file) => {
    file.told[folder] = hash;
  });
  return true;
}

async function change(home: string, edit: (file: TrustFile) => void): Promise<void> {
  const file = await readTrust(home);
  edit(file);
  await atomicWrite(memoirPaths(home).trust, `${JSON.stringify(file, null, 2)}\n`);
}

// Where they are, and what may run.

/** Deeper than any directory tree worth climbing. */
const maxClimb = 100;

/**
 * The nearest `.memoir/plugins` at or above `cwd` that holds plugins, by its project's real path; memoir's own homes are
 * none of a project's, and nothing above a repository's root is. Nothing is loaded.
 */
export async function findLocal(
  cwd: string,
  { plugins: homePlugins }: Pick<Paths, "plugins">,
  userHome: string,
): Promise<string | undefined> {
  const own = await real(homePlugins);
  const person = userHome === "" ? undefined : await real(userHome);
  let folder = await real(cwd);
  for (let climbed = 0; climbed < maxClimb; climbed++) {
    // A link stays a link: whose plugins these are, the folder says that has it.
    const plugins = join(folder, ".memoir", "plugins");
    const there = await realpath(plugins).catch(() => undefined);
    const isProjects = there !== undefined && there !== own && folder !== person;
    if (isProjects && (await discoverPlugins(plugins)).length > 0) return plugins;
    const parent = dirname(folder);
    if (parent === folder || (await isThere(join(folder, ".git")))) return undefined;
    folder = parent;
  }
  return undefined;
}

/** Every folder that was allowed, with what it is now, and the plugins of those that still are what they were. */
export async function readLocal(
  home: string,
): Promise<{ plugins: Array<Dropped & { projects: readonly string[] }>; states: LocalState[] }> {
  let folders: Array<[string, Trusted]>;
  try {
    folders = Object.entries((await readTrust(home)).folders);
  } catch (error) {
    const folder = memoirPaths(home).trust;
    const state = { folder, state: "unreadable" as const, fix: unreadableFix };
    return { plugins: [], states: [{ ...state, error: errorMessage(error) }] };
  }
  const looks = await Promise.all(folders.map((entry) => look(home, ...entry)));
  // The same content in two projects is one copy, which runs for both.
  const plugins = new Map<string, Dropped & { projects: readonly string[] }>();
  for (const one of looks.flatMap((seen) => seen.plugins)) {
    const projects = [...(plugins.get(one.path)?.projects ?? []), ...one.projects];
    plugins.set(one.path, { ...one, projects: [...new Set(projects)] });
  }
  return {
    plugins: [...plugins.values()],
    states: looks.map(({ state }) => state),
  };
}

async function look(
  home: string,
  folder: string,
  { hash, project }: Trusted,
): Promise<{ plugins: Array<Dropped & { projects: readonly string[] }>; state: LocalState }> {
  try {
    const now = await takeSnapshot(folder);
    if (now.hash !== hash)
      return {
        plugins: [],
        state: { folder, project, state: "changed", hash: now.hash, fix: again(folder) },
      };
    const copy = copyOf(home, hash);
    // The copy was made of what was allowed; whatever else is there now is not run.
    await writeSnapshot(now, copy);
    const plugins = (await discoverPlugins(copy)).map((one) => ({ ...one, projects: [project] }));
    return { plugins, state: { folder, project, state: "trusted", hash, fix: "" } };
  } catch (error) {
    const state = { folder, project, state: "unreadable" as const, fix: again(folder) };
    return { plugins: [], state: { ...state, error: errorMessage(error) } };
  }
}

/** The allowed folders, and the one that belongs to `cwd` if nobody decided about it yet. */
export async function localStates(home: string, cwd: string, userHome = ""): Promise<LocalState[]> {
  const { states } = await readLocal(home);
  const here = await findLocal(cwd, memoirPaths(home), userHome);
  if (here === undefined || states.some(({ folder }) => folder === here)) return states;
  return [...states, await untrusted(here)];
}

/** What is said of a folder that nobody decided about. */
async function untrusted(folder: string): Promise<LocalState> {
  const now = await takeSnapshot(folder).catch(() => undefined);
  return { folder, state: "untrusted", ...(now && { hash: now.hash }), fix: again(folder) };
}

/** The folder of the project that brings the plugins in `folder`. */
export function ownerOf(folder: string): string {
  return dirname(dirname(folder));
}

function again(folder: string): string {
  return `Look at its files, then run \`memoir plugin trust\` in ${ownerOf(folder)}.`;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** A session's start waits no longer than this; the next one hears of it then. */
const noticeWaitMs = 300;

interface LocalNoticeOptions {
  paths: Paths;
  userHome: string;
  log: Log;
  /** Called when a folder in force is no longer what was allowed: resolves once it does not run. */
  changed(): Promise<void>;
}

/** What to say, once, to a session that starts where its project brings plugins that nobody allowed as they are. Never rejects. */
export async function localNotice(
  event: ClientEvent,
  options: LocalNoticeOptions,
): Promise<string | undefined> {
  if (event.name !== "SessionStart" || event.recovered) return undefined;
  return within(noticeWaitMs, noticeAt(event.cwd, options), undefined);
}

async function noticeAt(
  cwd: string,
  { paths, userHome, log, changed }: LocalNoticeOptions,
): Promise<string | undefined> {
  const { home } = paths;
  try {
    const folder = await findLocal(cwd, paths, userHome);
    if (folder === undefined) return undefined;
    // What cannot be looked at any more, is too large now for instance, is not what was allowed either.
    const { hash } = await takeSnapshot(folder).catch(() => ({ hash: "unreadable" }));
    const allowed = (await readTrust(home)).folders[folder];
    if (allowed?.hash === hash) return undefined;
    if (allowed) await changed();
    if (!(await noteAnnounced(home, folder, hash))) return undefined;
    return allowed
      ? "memoir: this project's plugins changed since you allowed them, so they do not run. Look at `.memoir/plugins`, then `memoir plugin trust`."
      : "memoir: this project brings plugins in `.memoir/plugins`; they do not run. Look at them, then `memoir plugin trust` if they shall.";
  } catch (error) {
    log.warn("a project's plugins were not looked at", { error });
    return undefined;
  }
}
