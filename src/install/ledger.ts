// What install notes in memoir's home: which files memoir changed, what they were, and what it wrote. Uninstall gives them back by it.
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { atomicWrite, readFileText } from "../home/read-file.ts";
import { scopes } from "./settings-file.ts";

/** What a note says; undefined where there is none, or nobody can read it. */
export async function readNote<Output>(
  path: string,
  schema: v.GenericSchema<unknown, Output>,
): Promise<Output | undefined> {
  try {
    return v.parse(schema, JSON.parse(await readFileText(path)));
  } catch {
    return undefined;
  }
}

/** Replaces a note; without a value there is none. */
export async function writeNote(path: string, value: unknown): Promise<void> {
  if (value === undefined) await rm(path, { force: true });
  else await atomicWrite(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** What stood in a file before: nothing, a copy in memoir's home, or nobody knows any more. */
const BeforeSchema = v.variant("state", [
  // `folders`: those around it that install made, the innermost first; also where somebody changed the file since.
  v.object({ state: v.literal("absent"), folders: v.array(v.string()) }),
  v.object({ state: v.literal("copied"), backup: v.string() }),
  v.object({ state: v.literal("changed"), folders: v.optional(v.array(v.string()), []) }),
]);

/** A file that memoir stands in: what it was, and the hash of the text that install wrote. */
export interface FileNote {
  before: v.InferOutput<typeof BeforeSchema>;
  written: string;
}

const ClientEntrySchema = v.object({
  client: v.string(),
  /** Absolute. */
  path: v.string(),
  before: BeforeSchema,
  written: v.string(),
});

/** One file of a client's that memoir stands in. */
export type ClientEntry = v.InferOutput<typeof ClientEntrySchema>;

/** Path of the list of files of clients beside Claude Code. */
export function clientLedgerPath(home: string): string {
  return `${home}/install-clients.json`;
}

/** What the list says; an unreadable one says nothing, and uninstall then takes out memoir's own parts one by one. */
export async function readClientLedger(home: string): Promise<ClientEntry[]> {
  return (await readNote(clientLedgerPath(home), v.array(ClientEntrySchema))) ?? [];
}

/** Replaces the list; without entries there is none. */
export function writeClientLedger(home: string, entries: readonly ClientEntry[]): Promise<void> {
  return writeNote(clientLedgerPath(home), entries.length === 0 ? undefined : entries);
}

/** As versions before wrote it: of folders only whether there was one. */
const OlderAbsent = v.object({ state: v.literal("absent"), folder: v.boolean() });

const EntrySchema = v.pipe(
  v.object({
    scope: v.picklist(scopes),
    /** Absolute path of the settings. */
    settings: v.string(),
    before: v.union([BeforeSchema, OlderAbsent]),
    written: v.string(),
    /** Allow rules that install put in, and how many of the objects around them it made; absent: none. */
    allowed: v.optional(v.object({ rules: v.array(v.string()), made: v.number() })),
  }),
  v.transform(({ before, ...entry }) => {
    if (!("folder" in before)) return { ...entry, before };
    const folders = before.folder ? [dirname(entry.settings)] : [];
    return { ...entry, before: { state: before.state, folders } };
  }),
);

/** One settings file of Claude Code's that memoir is registered in. */
export type LedgerEntry = v.InferOutput<typeof EntrySchema>;

/** Path of the ledger of Claude Code's settings. */
export function ledgerPath(home: string): string {
  return `${home}/install.json`;
}

/** What the ledger says; an unreadable one says nothing, and uninstall then takes out entries one by one. */
export async function readLedger(home: string): Promise<LedgerEntry[]> {
  const noted = await readNote(ledgerPath(home), v.object({ settings: v.array(EntrySchema) }));
  return noted?.settings ?? [];
}

/** Replaces the ledger; without entries there is none. */
export function writeLedger(home: string, settings: readonly LedgerEntry[]): Promise<void> {
  return writeNote(ledgerPath(home), settings.length === 0 ? undefined : { settings });
}
