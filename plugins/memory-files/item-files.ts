// The files, one a kind: new items are added at the end, what a person changed in them stays.
import { type MemoryItem, memoryKinds } from "../../src/sdk/index.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { noteWritten } from "./written.ts";

/** The kinds of memory item, each with a file of its name. */
export const kinds = memoryKinds satisfies ReadonlyArray<MemoryItem["kind"]>;

/** The name of a kind's file. */
export function fileOf(kind: MemoryItem["kind"]): string {
  return `${kind}.json`;
}

/** Adds the items that their file has not yet; answers the files that could not be read and were left as they are. */
export async function addToFiles(
  folder: MemoryFolder,
  items: readonly MemoryItem[],
): Promise<string[]> {
  const broken: string[] = [];
  const written = new Map<MemoryItem["kind"], unknown[]>();
  for (const kind of kinds) {
    const name = fileOf(kind);
    const file = await folder.read(name);
    const listed: unknown = file.state === "read" ? file.value : [];
    if (file.state === "broken" || !Array.isArray(listed)) {
      broken.push(name);
      continue;
    }
    const known = new Set(listed.map(idOf));
    const added = items
      .filter((item) => item.kind === kind && !known.has(item.id))
      .map(({ kind: _, pinned: _p, hidden: _h, merged: _m, edited: _e, ...item }) => item);
    if (added.length > 0 || file.state === "missing") {
      await folder.write(name, [...listed, ...added]);
      written.set(kind, [...listed, ...added]);
    }
  }
  if (written.size > 0) await noteWritten(folder, written);
  return broken;
}

/** Writes into its file what an item says now; answers the file where it could not be read and was left as it is. */
export async function renewInFiles(
  folder: MemoryFolder,
  { kind, ...item }: MemoryItem,
): Promise<string[]> {
  const name = fileOf(kind);
  const file = await folder.read(name);
  if (file.state === "missing" || file.state === "empty") return [];
  const listed: unknown = file.state === "read" ? file.value : undefined;
  if (!Array.isArray(listed)) return [name];
  const { content, context } = item;
  const now = listed.map((entry) =>
    idOf(entry) === item.id ? { ...entry, content, context } : entry,
  );
  if (JSON.stringify(now) === JSON.stringify(listed)) return [];
  await folder.write(name, now);
  await noteWritten(folder, new Map([[kind, now]]));
  return [];
}

/** Takes items out of the files; answers what they said, and the files that could not be read and were left as they are. */
export async function removeFromFiles(
  folder: MemoryFolder,
  ids: ReadonlySet<string>,
): Promise<{ contents: string[]; broken: string[] }> {
  const contents: string[] = [];
  const broken: string[] = [];
  const written = new Map<MemoryItem["kind"], unknown[]>();
  for (const kind of kinds) {
    const name = fileOf(kind);
    const file = await folder.read(name);
    if (file.state === "missing" || file.state === "empty") continue;
    const listed: unknown = file.state === "read" ? file.value : undefined;
    if (!Array.isArray(listed)) {
      broken.push(name);
      continue;
    }
    const [kept, gone] = [false, true].map((goes) =>
      listed.filter((item) => ids.has(String(idOf(item))) === goes),
    );
    if (!kept || !gone || gone.length === 0) continue;
    contents.push(...gone.map((item) => String(Reflect.get(item, "content"))));
    await folder.write(name, kept);
    written.set(kind, kept);
  }
  if (written.size > 0) await noteWritten(folder, written);
  return { contents, broken };
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null ? Reflect.get(item, "id") : undefined;
}
