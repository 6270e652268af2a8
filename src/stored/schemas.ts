// The schema of each database of a home: what this memoir knows, and what is there.
import { stat } from "node:fs/promises";
import { schemaVersion } from "../home/database/open-file.ts";
import { openDatabase } from "../host/sqlite.ts";
import { migrations } from "../records/migrations.ts";
import { ledgerForm } from "../runtime/budget/ledger.ts";
import { endlessForm } from "../runtime/endless/open-store.ts";
import { journalForm } from "../runtime/journal/schema.ts";

/** Databases by file name, each with a schema's number. */
export type Schemas = Readonly<Record<string, number>>;

/** The newest schema of each database that this memoir reads. */
export const knownSchemas = {
  "memory.db": migrations.length,
  "journal.db": journalForm.migrations.length,
  "endless.db": endlessForm.migrations.length,
  "usage.db": ledgerForm.migrations.length,
} as const satisfies Schemas;

/** What the home's databases have; those that are not there, or cannot be read, are left out. */
export async function schemasOf(home: string): Promise<Schemas> {
  const found = Object.keys(knownSchemas).map(async (name) => {
    const path = `${home}/${name}`;
    if (!(await stat(path).catch(() => undefined))) return [];
    const db = await openDatabase(path, { readonly: true }).catch(() => undefined);
    try {
      return db ? [[name, schemaVersion(db)] as const] : [];
    } catch {
      return [];
    } finally {
      db?.close();
    }
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}
