// `withheld.json`: items whose file cannot be read and does not hold their words any more: kept from agents until it is mended.
import * as v from "valibot";
import { MemoirError, type MemoryItem, type StorageClient } from "../../src/sdk/index.ts";
import type { MemoryFolder } from "./memory-folder.ts";

/** The name of the file. */
export const withheldFile = "withheld.json";
const WithheldSchema = v.record(v.string(), v.array(v.string()));

/**
 * Hides these items of a kind and lets go of those that were withheld before. What the user hid stays hidden. False where the
 * storage cannot hide.
 */
export async function withhold(
  folder: MemoryFolder,
  storage: Pick<StorageClient, "amend">,
  kind: MemoryItem["kind"],
  items: readonly MemoryItem[],
): Promise<boolean> {
  const file = await folder.read(withheldFile);
  const parsed = file.state === "read" ? v.safeParse(WithheldSchema, file.value) : undefined;
  const known = parsed?.success ? parsed.output : {};
  const before = known[kind] ?? [];
  const wanted = new Set(items.map(({ id }) => id));
  const added = items.filter(({ id, hidden }) => !hidden && !before.includes(id));
  const back = before.filter((id) => !wanted.has(id));
  if (added.length === 0 && back.length === 0) return true;
  const now = [...before.filter((id) => wanted.has(id)), ...added.map(({ id }) => id)];
  try {
    // Noted first: a crash in between must not leave them hidden for ever.
    await folder.write(withheldFile, { ...known, [kind]: [...new Set([...before, ...now])] });
    for (const { id } of added) await storage.amend({ id, hidden: true });
    for (const id of back) await shown(storage, id);
    await folder.write(withheldFile, { ...known, [kind]: now });
    return true;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "storage_unanswered") return false;
    throw error;
  }
}

/** One that was forgotten meanwhile is none. */
async function shown(storage: Pick<StorageClient, "amend">, id: string): Promise<void> {
  try {
    await storage.amend({ id, hidden: false });
  } catch (error) {
    if (!(error instanceof MemoirError && error.code === "record_not_found")) throw error;
  }
}
