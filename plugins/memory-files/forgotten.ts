// `forgotten.json`: hashes of items that the user had forgotten, so that their session says them no second time. No text of theirs.
import { createHash } from "node:crypto";
import * as v from "valibot";
import type { NewMemoryItem } from "../../src/sdk/index.ts";
import { oneLine } from "../../src/text/index.ts";
import type { MemoryFolder } from "./memory-folder.ts";

const fileName = "forgotten.json";
const HashesSchema = v.array(v.string());

/** Notes what is not to be found again. Does nothing when the file cannot be understood. */
export async function noteForgotten(
  folder: MemoryFolder,
  contents: readonly string[],
): Promise<void> {
  if (contents.length === 0) return;
  const known = await hashes(folder);
  if (known) await folder.write(fileName, [...new Set([...known, ...contents.map(hashOf)])]);
}

/** What of the items was not forgotten. */
export async function withoutForgotten<Item extends NewMemoryItem>(
  folder: MemoryFolder,
  items: readonly Item[],
): Promise<Item[]> {
  const known = new Set(await hashes(folder));
  return items.filter(({ content }) => !known.has(hashOf(content)));
}

async function hashes(folder: MemoryFolder): Promise<string[] | undefined> {
  const file = await folder.read(fileName);
  if (file.state === "missing") return [];
  const parsed = file.state === "read" ? v.safeParse(HashesSchema, file.value) : undefined;
  return parsed?.success ? parsed.output : undefined;
}

function hashOf(content: string): string {
  return createHash("sha256").update(oneLine(content).toLowerCase()).digest("hex").slice(0, 32);
}
