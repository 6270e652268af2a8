// <home>/install.json: which settings memoir changed, what they were, and what it wrote: uninstall gives them back by it.
import { rm } from "node:fs/promises";
import * as v from "valibot";
import { atomicWrite } from "../home/atomic-write.ts";
import { readFileText } from "../home/read-file.ts";
import { scopes } from "./settings-file.ts";

const EntrySchema = v.object({
  scope: v.picklist(scopes),
  /** Absolute path of the settings. */
  settings: v.string(),
  /** What stood there before: nothing, a copy in memoir's home, or nobody knows any more. */
  before: v.variant("state", [
    v.object({ state: v.literal("absent"), folder: v.boolean() }),
    v.object({ state: v.literal("copied"), backup: v.string() }),
    v.object({ state: v.literal("changed") }),
  ]),
  /** Hash of the text that install wrote. */
  written: v.string(),
  /** Allow rules that install put in; absent: none. */
  allowed: v.optional(v.object({ rules: v.array(v.string()), made: v.number() })),
});
const LedgerSchema = v.object({ settings: v.array(EntrySchema) });

/** One settings file that memoir is registered in. */
export type LedgerEntry = v.InferOutput<typeof EntrySchema>;

/** Path of the ledger. */
export function ledgerPath(home: string): string {
  return `${home}/install.json`;
}

/** What the ledger says; an unreadable one says nothing, and uninstall then takes out entries one by one. */
export async function readLedger(home: string): Promise<LedgerEntry[]> {
  try {
    const parsed = v.safeParse(LedgerSchema, JSON.parse(await readFileText(ledgerPath(home))));
    return parsed.success ? parsed.output.settings : [];
  } catch {
    return [];
  }
}

/** Replaces the ledger; without entries there is none. */
export async function writeLedger(home: string, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return rm(ledgerPath(home), { force: true });
  await atomicWrite(ledgerPath(home), `${JSON.stringify({ settings: entries }, null, 2)}\n`);
}
