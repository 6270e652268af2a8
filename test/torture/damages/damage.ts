// Every way in which a file of the home may be found damaged.
import { lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Draw } from "../seeds.ts";

const pageBytes = 4_096;

/** Changes the file's bytes; answers the new ones. */
type Change = (bytes: Buffer, draw: Draw) => Buffer;

const random = (length: number, draw: Draw) =>
  Buffer.from(Array.from({ length }, () => draw.below(256)));

/** One to four pages, or a small file's only one. */
function pages(bytes: Buffer, draw: Draw, fill: (length: number) => Buffer): Buffer {
  const count = Math.ceil(bytes.length / pageBytes);
  for (let n = 1 + draw.below(4); n > 0; n--) {
    const from = draw.below(count) * pageBytes;
    fill(Math.min(pageBytes, bytes.length - from)).copy(bytes, from);
  }
  return bytes;
}

const changes: Record<string, Change> = {
  bytes(bytes, draw) {
    for (let n = 1 + draw.below(40); n > 0 && bytes.length > 0; n--)
      bytes[draw.below(bytes.length)] = draw.below(256);
    return bytes;
  },
  "pages of zeros": (bytes, draw) => pages(bytes, draw, (length) => Buffer.alloc(length)),
  "pages of noise": (bytes, draw) => pages(bytes, draw, (length) => random(length, draw)),
  header(bytes, draw) {
    random(Math.min(100, bytes.length), draw).copy(bytes);
    return bytes;
  },
  "first page": (bytes, draw) => {
    random(Math.min(pageBytes, bytes.length), draw).copy(bytes);
    return bytes;
  },
  "cut anywhere": (bytes, draw) => bytes.subarray(0, draw.below(bytes.length + 1)),
  "cut at half": (bytes) => bytes.subarray(0, bytes.length >> 1),
  "torn tail": (bytes, draw) => bytes.subarray(0, Math.max(0, bytes.length - 1 - draw.below(300))),
  "zeros at its end": (bytes, draw) => bytes.fill(0, bytes.length - draw.below(bytes.length + 1)),
  "noise at its end": (bytes, draw) => Buffer.concat([bytes, random(1 + draw.below(9_000), draw)]),
  empty: () => Buffer.alloc(0),
  noise: (bytes, draw) => random(Math.min(bytes.length, 50_000) + 1, draw),
};

/** Damages after which nobody can say what is in the file. */
export const outOfReach: readonly string[] = ["a folder in its place", "unreadable"];

/** Names of all damages; those that are no change of bytes last. */
export const kinds: readonly string[] = [
  ...Object.keys(changes),
  ...["gone", "swapped"],
  ...outOfReach,
];

/** All files below `home` that are memoir's own to read, relative to it. */
export async function filesOf(home: string): Promise<string[]> {
  const all = await entriesOf(home);
  return all.filter(({ isFile }) => isFile).map(({ name }) => name);
}

/** Everything below `home` but packages; a link is not followed, also not one to itself. */
export async function entriesOf(
  home: string,
  below = "",
): Promise<Array<{ name: string; isFile: boolean }>> {
  const entries = await readdir(join(home, below), { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => name !== "node_modules")
      .map(async (entry) => {
        const name = join(below, entry.name);
        const inside = entry.isDirectory() ? await entriesOf(home, name) : [];
        return [{ name, isFile: entry.isFile() }, ...inside];
      }),
  );
  return found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Damages `file` in the home; answers the files that are not what they were. */
export async function damage(
  home: string,
  file: string,
  kind: string,
  draw: Draw,
): Promise<string[]> {
  const path = join(home, file);
  const change = changes[kind];
  if (change) {
    await writeFile(path, change(await readFile(path), draw));
    return [file];
  }
  if (kind === "swapped") {
    const others = (await filesOf(home)).filter((name) => name !== file);
    const other = draw.pick(others);
    await rename(path, `${path}.swap`);
    await rename(join(home, other), path);
    await rename(`${path}.swap`, join(home, other));
    return [file, other];
  }
  await rm(path);
  if (kind === "a folder in its place") await mkdir(join(path, "inside"), { recursive: true });
  // Modes say nothing to root; a link to itself can be read by nobody.
  if (kind === "unreadable") await symlink(path, path);
  return [file];
}

/** All bytes of the regular files below a home, by their names. */
export async function bytesOf(home: string): Promise<Map<string, Buffer>> {
  const all = new Map<string, Buffer>();
  for (const name of await filesOf(home))
    if ((await lstat(join(home, name))).isFile()) all.set(name, await readFile(join(home, name)));
  return all;
}
