// Which projects' plugins the user allowed, pinned to what they were then: <home>/trust.json.
import { rm } from "node:fs/promises";
import * as v from "valibot";
import { atomicWrite } from "../../home/atomic-write.ts";
import { memoirPaths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type Snapshot, writeSnapshot } from "./snapshot.ts";

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
export type Trusted = v.InferOutput<typeof TrustedSchema>;
type TrustFile = v.InferOutput<typeof FileSchema>;

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
      fix: "Move that file away, then run `memoir plugin trust` in each project again.",
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
export async function noteAnnounced(home: string, folder: string, hash: string): Promise<boolean> {
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
