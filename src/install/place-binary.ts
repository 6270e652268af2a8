// Copies the binary to <home>/bin so that a running one, a crash or a full disk never leaves half a file there.
import {
  chmod,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Where the binary of a home lies. */
export function installedBinary(bin: string, platform: string): string {
  return `${bin}/memoir${platform === "win32" ? ".exe" : ""}`;
}

/**
 * Copies `source` to `target` (mode 0755). Answers `current` when the same bytes are there already. What is at
 * `target` stays when `check` rejects the copy.
 */
export async function placeBinary(
  source: string,
  target: string,
  check: (copy: string) => Promise<void>,
): Promise<"copied" | "current"> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await removeLeftovers(target);
  if (await sameFile(source, target)) return "current";
  const draft = `${target}.${crypto.randomUUID()}.tmp`;
  try {
    await copyFile(source, draft);
    await chmod(draft, 0o755);
    const file = await open(draft, "r+");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await check(draft);
    await replace(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return "copied";
}

/** Has `kept` be the binary as it is now, in one step: where the disk can, as one more name for the same file. */
export async function keepBinary(binary: string, kept: string): Promise<void> {
  await removeLeftovers(kept);
  const draft = `${kept}.${crypto.randomUUID()}.tmp`;
  try {
    await link(binary, draft).catch(() => copyFile(binary, draft));
    await replace(draft, kept);
  } finally {
    // Two names for one file: such a rename does nothing.
    await rm(draft, { force: true });
  }
}

/** Renames into place. Windows refuses to replace a running program, but lets it be renamed away. */
async function replace(draft: string, target: string): Promise<void> {
  try {
    await rename(draft, target);
  } catch (error) {
    const aside = `${target}.${crypto.randomUUID()}.old`;
    const moved = await rename(target, aside).then(
      () => true,
      () => false,
    );
    if (!moved) throw error;
    await rename(draft, target);
  }
}

/** A younger draft may be another install's that is under way. */
const draftMs = 10 * 60_000;

/** Drafts of an interrupted copy, and replaced programs that have ended since. */
async function removeLeftovers(target: string): Promise<void> {
  const start = `${basename(target)}.`;
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(start) || !/\.(?:tmp|old)$/.test(name)) continue;
    const path = join(dirname(target), name);
    const madeAt = name.endsWith(".tmp") ? (await stat(path).catch(() => undefined))?.mtimeMs : 0;
    if (madeAt === undefined || Math.abs(Date.now() - madeAt) < draftMs) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

async function sameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = [await stat(one), await stat(other).catch(() => undefined)];
  if (!b || a.size !== b.size || (b.mode & 0o111) === 0) return false;
  if ((await realpath(one)) === (await realpath(other))) return true;
  return sameBytes(one, other);
}

const chunk = 1 << 20;

async function sameBytes(one: string, other: string): Promise<boolean> {
  const files = [await open(one, "r"), await open(other, "r")] as const;
  try {
    const buffers = [Buffer.alloc(chunk), Buffer.alloc(chunk)] as const;
    for (;;) {
      const [a, b] = await Promise.all([
        files[0].read(buffers[0], 0, chunk),
        files[1].read(buffers[1], 0, chunk),
      ]);
      if (a.bytesRead !== b.bytesRead) return false;
      if (a.bytesRead === 0) return true;
      const [left, right] = [
        buffers[0].subarray(0, a.bytesRead),
        buffers[1].subarray(0, a.bytesRead),
      ];
      if (!left.equals(right)) return false;
    }
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}
