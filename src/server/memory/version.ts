// What tells whether a record is as somebody read it. Pure.
import { createHash } from "node:crypto";
import { editable } from "../../sdk/editable.ts";
import type { StoredRecord } from "../../sdk/storage.ts";

/** Of its texts, its state, and what the user made of it. */
export function versionOf({ kind, record }: StoredRecord): string {
  const { pinned, hidden, merged, edited } = record;
  const texts = [...editable[kind], "state"].map((name) => Reflect.get(record, name) ?? null);
  const said = JSON.stringify([texts, pinned, hidden, merged, edited?.time]);
  return createHash("sha256").update(said).digest("base64url").slice(0, 16);
}
