// A hub that is a folder: a network disk, or one that a sync program carries. Each batch is a file of its own that is never
// written again; such a program may bring files in any order, half a set, or copies under names of its own.

import { createHash, randomUUID } from "node:crypto";
import { constants, type Dirent, type Stats } from "node:fs";
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  unlink,
} from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { definePlugin, type HookInput, type HookOutput, MemoirError } from "../../src/sdk/index.ts";

const ConfigSchema = v.strictObject({
  folder: v.optional(
    v.pipe(v.string(), v.description("The folder, absolute; `memoir sync init <folder>` sets it.")),
  ),
});

export default definePlugin<v.InferOutput<typeof ConfigSchema>, Folder>({
  name: "hub-folder",
  description: "Shares memory through a folder that something else carries, sealed.",
  sdk: 1,
  slot: "hub",
  config: ConfigSchema,
  start(ctx) {
    const { folder } = ctx.config;
    if (!folder)
      throw new MemoirError("config_invalid", "hub-folder has no folder.", {
        fix: "Run `memoir sync init <folder>`.",
      });
    return openFolder(join(folder, "memoir-hub"));
  },
  hooks: {
    "hub.push": (batch, { state }) => state.push(batch),
    "hub.pull": (asked, { state }) => state.pull(asked),
    "hub.write": (file, { state }) => state.write(file),
    "hub.files": (asked, { state }) => state.files(asked),
    "hub.remove": (asked, { state }) => state.remove(asked),
    "hub.wait": {
      deadlineMs: 60_000,
      handler: (asked, ctx) => ctx.state.wait(asked, ctx.signal),
    },
    "hub.health": (asked, { state }) => state.health(asked),
  },
});

// The files of a folder hub: `<space>/batches/<stream>/<number>` and `<space>/files/<name>`. Every file is written beside
// its place, flushed, and put there whole; names that are not of this form are another program's and left alone.

type Pushed = HookOutput<"hub.push">;
type Head = HookOutput<"hub.pull">["heads"][number];

/** How often a folder that is waited for is looked at; one that takes long to look at, less often. */
const lookMs = 400;
const looks = 20;

/** More than any memoir writes: a single file, and what one question is answered with. */
const most = { file: 32 << 20, answer: 256 << 20 };

/** A name has four parts at most. */
const mostDeep = 4;

const words = /^[\w-]{1,80}$/;
const names = /^[\w.-]{1,120}(?:\/[\w.-]{1,120}){0,3}$/;

/** A folder as a hub. All of it rejects with `hub_away` where the folder cannot be read or written. */
export type Folder = ReturnType<typeof openFolder>;

/** The folder is made at the first write, and only where its parent is there: an empty place where a disk is not mounted must not become a hub. */
export function openFolder(root: string) {
  return {
    push: (batch: HookInput<"hub.push">) => push(root, batch),
    pull: (asked: HookInput<"hub.pull">) => pull(root, asked),
    write: (file: HookInput<"hub.write">) => write(root, file),
    files: (asked: HookInput<"hub.files">) => files(root, asked),
    remove: (asked: HookInput<"hub.remove">) => remove(root, asked),
    wait: (asked: HookInput<"hub.wait">, signal: AbortSignal) => wait(root, asked, signal),
    health: (asked: HookInput<"hub.health">) => health(root, asked),
  };
}

const spaceFolder = (root: string, space: string) => join(root, checked(space, words));
const streams = (root: string, space: string) => join(spaceFolder(root, space), "batches");
const batchName = (number: number) => String(number).padStart(10, "0");
const batchPath = (root: string, space: string, stream: string, number: number) =>
  join(streams(root, space), checked(stream, words), batchName(number));
const filePath = (root: string, space: string, name: string) =>
  join(spaceFolder(root, space), "files", ...checked(name, names).split("/"));

async function push(
  root: string,
  { space, stream, number, bytes }: HookInput<"hub.push">,
): Promise<Pushed> {
  await assertThere(dirname(root));
  const path = batchPath(root, space, stream, number);
  const compared = async (): Promise<Pushed | undefined> => {
    const there = await read(path);
    const same = there && digestOf(there) === digestOf(bytes);
    return there && { state: same ? "there" : "taken", number };
  };
  const before = await compared();
  if (before) return before;
  const last = await whole(root, space, stream, 0);
  if (last < number - 1) return { state: "behind", number: last };
  if (await put(root, path, bytes, true)) return { state: "stored", number };
  return (await compared()) ?? { state: "behind", number: last };
}

async function pull(root: string, asked: HookInput<"hub.pull">): Promise<HookOutput<"hub.pull">> {
  await assertThere(dirname(root));
  const { space, after, newest } = asked;
  const heads: Head[] = [];
  for (const { name: stream } of await list(streams(root, space))) {
    const head = words.test(stream) && (await headOf(root, space, stream, after[stream] ?? 0));
    if (head) heads.push(head);
  }
  const batches: HookOutput<"hub.pull">["batches"] = [];
  let left = asked.bytes;
  for (const { stream, number } of newest ? lastOf(heads, newest) : restOf(heads, after)) {
    const bytes = left > 0 ? await read(batchPath(root, space, stream, number)) : undefined;
    if (!bytes) break;
    batches.push({ stream, number, bytes });
    left -= bytes.byteLength;
  }
  if (newest) batches.sort((a, b) => a.stream.localeCompare(b.stream) || a.number - b.number);
  const taken = new Map(batches.map(({ stream, number }) => [stream, number]));
  const isBehind = ({ stream, number }: Head) => (taken.get(stream) ?? after[stream] ?? 0) < number;
  return { batches, heads, more: !newest && heads.some(isBehind) };
}

/** The last batch of a stream, looked for from the one that is known on. */
async function headOf(
  root: string,
  space: string,
  stream: string,
  known = 0,
): Promise<Head | undefined> {
  const number = await whole(root, space, stream, known);
  const bytes = number > 0 ? await read(batchPath(root, space, stream, number)) : undefined;
  if (bytes) return { stream, number, digest: digestOf(bytes) };
  return known > 0 ? headOf(root, space, stream) : undefined;
}

/** Up to which number a stream's batches are there without a gap from `after` on. */
async function whole(root: string, space: string, stream: string, after: number): Promise<number> {
  const there = new Set((await list(join(streams(root, space), stream))).map(({ name }) => name));
  let number = after;
  while (there.has(batchName(number + 1))) number += 1;
  return number;
}

async function write(root: string, { space, name, bytes, isNew = false }: HookInput<"hub.write">) {
  await assertThere(dirname(root));
  return { written: await put(root, filePath(root, space, name), bytes, isNew) };
}

async function files(
  root: string,
  { space, prefix }: HookInput<"hub.files">,
): Promise<HookOutput<"hub.files">> {
  await assertThere(dirname(root));
  const folder = join(spaceFolder(root, space), "files");
  const files = [];
  let all = 0;
  // Below the prefix alone: a space that is years old has many.
  const below = prefix.split("/").slice(0, -1).join("/");
  for (const path of (await walk(folder, below)).sort()) {
    // Of two that wrote one file, such a program keeps one under another name: "000012 (Ada's conflicted copy 2026-11-27)".
    const name = path.replaceAll(/[^\w./-]/g, "-");
    if (!names.test(name) || !name.startsWith(prefix)) continue;
    const bytes = await read(join(folder, ...path.split("/")));
    if (!bytes) continue;
    all += bytes.byteLength;
    if (all > most.answer)
      throw new MemoirError(
        "hub_away",
        `The hub's folder holds more in ${below} than memoir writes.`,
        {
          fix: "Somebody else writes there. Nothing is exchanged until it is as it was.",
        },
      );
    files.push({ name, bytes });
  }
  return { files };
}

async function remove(root: string, asked: HookInput<"hub.remove">) {
  for (const name of asked.names) {
    const path = filePath(root, asked.space, name);
    if (await isOutside(root, dirname(path))) continue;
    await rm(path, { force: true });
  }
  return {};
}

async function wait(root: string, { spaces, ms }: HookInput<"hub.wait">, signal: AbortSignal) {
  const look = async () =>
    (await Promise.all(spaces.map((one) => stamp(spaceFolder(root, one))))).join();
  const before = await look();
  const until = Date.now() + ms;
  let pause = lookMs;
  while (Date.now() < until && !signal.aborted) {
    await sleep(Math.min(pause, Math.max(1, until - Date.now())));
    const began = Date.now();
    if ((await look()) !== before) return { changed: true };
    pause = Math.max(lookMs, looks * (Date.now() - began));
  }
  return { changed: false };
}

async function health(
  root: string,
  { space }: HookInput<"hub.health">,
): Promise<HookOutput<"hub.health">> {
  const parent = dirname(root);
  const where = `folder ${parent}`;
  try {
    await assertThere(parent);
    await mkdir(root, { recursive: true });
    const probe = join(root, `.${randomUUID()}.tmp`);
    await (await open(probe, "wx", 0o600)).close();
    await unlink(probe);
    return { ok: true, where, ...(space ? { bytes: await sizeOf(spaceFolder(root, space)) } : {}) };
  } catch (error) {
    const { message, fix } = error instanceof MemoirError ? error : away(error);
    return { ok: false, where, trouble: `${message} ${fix}` };
  }
}

type Place = Pick<Head, "stream" | "number">;

/** What follows what is known, a stream after the other. */
function* restOf(
  heads: readonly Head[],
  after: Readonly<Record<string, number>>,
): Generator<Place> {
  for (const { stream, number: last } of heads)
    for (let number = (after[stream] ?? 0) + 1; number <= last; number += 1)
      yield { stream, number };
}

/** The last batch of each stream, then the one before it, at most `most` of each. */
function* lastOf(heads: readonly Head[], most: number): Generator<Place> {
  for (let before = 0; before < most; before += 1)
    for (const { stream, number } of heads)
      if (number > before) yield { stream, number: number - before };
}

function checked(name: string, form: RegExp): string {
  if (!form.test(name) || name.split("/").some((part) => /^\.+$/.test(part)))
    throw new MemoirError("hub_away", `a hub has no place for the name ${JSON.stringify(name)}.`);
  return name;
}

async function assertThere(folder: string): Promise<void> {
  const there = await stat(folder).catch(() => undefined);
  if (there?.isDirectory()) return;
  throw new MemoirError("hub_away", `The folder ${folder} is not there.`, {
    fix: "Connect the disk or start the program that syncs it; memoir continues then.",
  });
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Rejects with `hub_away` for any failure but that a file or folder is not there. */
async function unlessAbsent<Value>(work: Promise<Value>, absent: Value): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "")) return absent;
    throw away(error);
  }
}

const passing: Readonly<Record<string, [is: string, fix: string]>> = {
  ENOSPC: ["has no room left", "Make room there; what is new waits here, and is sent then."],
  EDQUOT: [
    "has no room left for you",
    "Make room there; what is new waits here, and is sent then.",
  ],
  EROFS: ["is read-only now", "Make it writable again; what is new waits here, and is sent then."],
  EACCES: ["may not be used by you", "Give yourself the right to read and write it."],
};

function away(error: unknown): MemoirError {
  const [is, fix] = passing[(error as { code?: string }).code ?? ""] ?? [];
  if (is !== undefined && fix !== undefined)
    return new MemoirError("hub_away", `The hub's folder ${is}.`, { fix });
  return new MemoirError("hub_away", `The hub's folder cannot be used: ${reason(error)}`);
}

const list = (folder: string): Promise<Dirent[]> =>
  unlessAbsent(readdir(folder, { withFileTypes: true }), []);

/**
 * Undefined where there is nothing. What no memoir can have put there (a pipe that never answers, a device, a folder, what is far too
 * large) reads as empty: whoever takes it for a batch is told that it is none.
 */
async function read(path: string): Promise<Uint8Array | undefined> {
  const is = await statOf(path);
  if (!is) return undefined;
  if (is === "odd" || !is.isFile() || is.size > most.file) return new Uint8Array();
  return unlessAbsent<Uint8Array | undefined>(readWhole(path, is.size), undefined);
}

/** `odd`: a link that leads nowhere, or round in a circle. */
async function statOf(path: string): Promise<Stats | "odd" | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as { code?: string }).code === "ELOOP") return "odd";
    const is = await unlessAbsent<Stats | undefined>(lstat(path), undefined);
    if (is === undefined || is.isSymbolicLink()) return is && "odd";
    throw away(error);
  }
}

/** So many bytes at most, whatever became of the file since it was looked at. */
async function readWhole(path: string, size: number): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const bytes = new Uint8Array(size);
    let at = 0;
    for (let count = 1; count > 0 && at < size; at += count)
      count = (await file.read(bytes, at, size - at, at)).bytesRead;
    return bytes.subarray(0, at);
  } finally {
    await file.close();
  }
}

/** All files below a folder, by paths with slashes; not those that lie deeper than a hub's. */
async function walk(folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await list(join(folder, below))) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (name.split("/").length < mostDeep)
        for (const one of await walk(folder, name)) found.push(one);
    } else if (!entry.name.startsWith(".")) found.push(name);
  }
  return found;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await walk(folder))
    bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

/** Changes with every file that comes into a space or goes. */
async function stamp(space: string): Promise<string> {
  const folders = [join(space, "files/charter")];
  for (const { name } of await list(join(space, "batches")))
    folders.push(join(space, "batches", name));
  const times = await Promise.all(
    folders.map(async (one) => (await stat(one).catch(() => undefined))?.mtimeMs ?? 0),
  );
  return times.join(" ");
}

/** True where it was written. With `isNew`, false where another was there first. */
async function put(
  root: string,
  path: string,
  bytes: Uint8Array,
  isNew: boolean,
): Promise<boolean> {
  const folder = dirname(path);
  const beside = join(folder, `.${randomUUID()}.tmp`);
  try {
    if (await isOutside(root, folder))
      throw new MemoirError("hub_away", `A link in the hub's folder leads out of it: ${folder}`, {
        fix: "Somebody else put it there. Put a plain folder in its place; memoir continues then.",
      });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(beside, "wx", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    if (isNew) return await takePlace(beside, path);
    await rename(beside, path);
    return true;
  } catch (error) {
    throw error instanceof MemoirError ? error : away(error);
  } finally {
    await rm(beside, { force: true }).catch(() => undefined);
  }
}

/** What carries the folder may carry links, too: nothing is made, written or removed where they lead out of it. */
async function isOutside(root: string, folder: string): Promise<boolean> {
  const top = await unlessAbsent<string | undefined>(realpath(root), undefined);
  let real: string | undefined;
  // Of what is not made yet, where it would be made.
  for (let at = folder; top !== undefined && real === undefined; at = dirname(at))
    real = await unlessAbsent<string | undefined>(realpath(at), undefined);
  return real !== top && !real?.startsWith(`${top}${sep}`);
}

/** A link is refused where the name is taken; on a disk without links the look before has to do. */
async function takePlace(beside: string, path: string): Promise<boolean> {
  try {
    await link(beside, path);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return false;
    if (await stat(path).catch(() => undefined)) return false;
    await rename(beside, path);
    return true;
  }
}
