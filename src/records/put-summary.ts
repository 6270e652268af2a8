// Writes summaries: one row a session, scope and prompt; a later one replaces the earlier and keeps its id.
import type { Database } from "../host/sqlite.ts";
import { type NewSummary, summaryTextNames } from "../sdk/model.ts";
import { filesWriter } from "./files.ts";
import { idOf } from "./ids.ts";
import type { SessionWriter } from "./put-session.ts";
import { placesJson } from "./rows.ts";
import { summaryDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";
import { columnOf } from "./to-record.ts";

/** The columns that name a summary, and those that a later one replaces. */
const key = ["session_id", "scope", "prompt_number"];
const replaced = [
  "project",
  ...summaryTextNames.map(columnOf),
  ...["files_read", "files_edited", "observer_tokens", "strategy", "model", "evidence"],
  "created_at",
];

/** The writer for one open database; `write` gives the summary's id. */
export function summaryWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO session_summaries (${[...key, ...replaced].join(", ")})
    VALUES (${[...key, ...replaced].map((column) => `$${column}`).join(", ")})
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET
      ${replaced.map((column) => `${column} = excluded.${column}`).join(", ")}
    RETURNING id`);
  const files = filesWriter(db, "summary");

  function write(summary: NewSummary): string {
    const link = sessions.link(summary);
    const row = upsert.get({
      session_id: link.session,
      scope: summary.scope,
      prompt_number: summary.promptNumber,
      project: summary.project,
      ...Object.fromEntries(summaryTextNames.map((text) => [columnOf(text), summary[text]])),
      files_read: JSON.stringify(summary.filesRead),
      files_edited: JSON.stringify(summary.filesEdited),
      observer_tokens: summary.observerTokens,
      strategy: summary.provenance.strategy,
      model: summary.provenance.model,
      evidence: placesJson(summary.evidence),
      created_at: summary.time,
    });
    const id = row?.id ?? 0;
    files.replace(id, { read: summary.filesRead, modified: summary.filesEdited });
    index.put(summaryDocument({ ...summary, id: idOf("summary", id) }, link.root));
    return idOf("summary", id);
  }

  return { write };
}
