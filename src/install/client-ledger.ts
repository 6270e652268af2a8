// <home>/install-clients.json: which files of which clients memoir changed, what they were, and what it wrote.
import { rm } from "node:fs/promises";
import * as v from "valibot";
import { atomicWrite } from "../home/atomic-write.ts";
import { readFileText } from "../home/read-file.ts";

const EntrySchema = v.object({
  client: v.string(),
  /** Absolute. */
  path: v.string(),
  /** What stood there before: nothing, a copy in memoir's home, or nobody knows any more. */
  before: v.variant("state", [
    // `folders`: those around it that install made, the innermost first; also where somebody changed the file since.
    v.object({ state: v.literal("absent"), folders: v.array(v.string()) }),
    v.object({ state: v.literal("copied"), backup: v.string() }),
    v.object({ state: v.literal("changed"), folders: v.optional(v.array(v.string()), []) }),
  ]),
  /** Hash of the text that install wrote. */
  written: v.string(),
});

/** One file of a client's that memoir stands in. */
export type ClientEntry = v.InferOutput<typeof EntrySchema>;

/** Path of the list. */
export function clientLedgerPath(home: string): string {
  return `${home}/install-clients.json`;
}

/** What the list says; an unreadable one says nothing, and uninstall then takes out memoir's own parts one by one. */
export async function readClientLedger(home: string): Promise<ClientEntry[]> {
  try {
    const json: unknown = JSON.parse(await readFileText(clientLedgerPath(home)));
    return v.parse(v.array(EntrySchema), json);
  } catch {
    return [];
  }
}

/** Replaces the list; without entries there is none. */
export async function writeClientLedger(
  home: string,
  entries: readonly ClientEntry[],
): Promise<void> {
  if (entries.length === 0) return rm(clientLedgerPath(home), { force: true });
  await atomicWrite(clientLedgerPath(home), `${JSON.stringify(entries, null, 2)}\n`);
}
