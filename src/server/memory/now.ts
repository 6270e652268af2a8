// What goes on now, with the names that records have.
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { cut } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";

/** More are not named. */
const mostRecords = 150;
const longestTitle = 160;

/** With `titles` of the sessions and `records` that are named here, by id; those that are gone are not among them. Storage that does not answer costs the names. */
export async function now(runtime: ServerRuntime, spool: number) {
  const lately = runtime.lately();
  const records = [
    ...lately.happened.flatMap(({ observations }) => observations),
    ...lately.told.flatMap((told) => told.records),
  ];
  const sessions = [...lately.sessions, ...lately.happened, ...lately.told].map(
    ({ session }) => session,
  );
  const ids = [...new Set([...sessions, ...records.slice(0, mostRecords)])];
  const stored =
    ids.length === 0
      ? []
      : await askStorage(runtime.hooks, "storage.get", { ids }).catch((): StoredRecord[] => []);
  return withoutPasswordsDeep({
    ...lately,
    titles: Object.fromEntries(
      stored.flatMap(({ kind, record }) =>
        kind === "session" && record.title !== ""
          ? [[record.id, cut(record.title, longestTitle)]]
          : [],
      ),
    ),
    records: Object.fromEntries(
      stored.flatMap((one) => (one.kind === "session" ? [] : [[one.record.id, named(one)]])),
    ),
    spool,
  });
}

function named(stored: StoredRecord) {
  return { id: stored.record.id, kind: stored.kind, title: cut(titleOf(stored), longestTitle) };
}

function titleOf({ kind, record }: StoredRecord): string {
  if (kind === "observation" || kind === "session") return record.title;
  if (kind === "memory") return record.content;
  if (kind === "summary") return record.completed || record.request || record.learned;
  if (kind === "prompt") return record.text;
  return record.pieces.find((piece) => piece.kind === "prompt")?.text ?? "";
}
