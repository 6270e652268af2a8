// Writes summaries: one row a session, scope and prompt; a later one replaces the earlier and keeps its id.
import type { Database } from "../host/sqlite.ts";
import type { NewSummary } from "../sdk/model.ts";
import { baseName } from "../text/base-name.ts";
import { idOf } from "./ids.ts";
import { slashed } from "./paths.ts";
import type { SessionWriter } from "./put-session.ts";
import { placesJson } from "./rows.ts";
import { summaryDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** The writer for one open database; `write` gives the summary's id. */
export function summaryWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO session_summaries (session_id, project, scope, prompt_number, request, investigated, learned,
      completed, next_steps, files_read, files_edited, notes, observer_tokens, strategy, model, evidence, created_at)
    VALUES ($session, $project, $scope, $promptNumber, $request, $investigated, $learned, $completed, $nextSteps,
      $filesRead, $filesEdited, $notes, $observerTokens, $strategy, $model, $evidence, $time)
    ON CONFLICT (session_id, scope, prompt_number) DO UPDATE SET
      project = excluded.project, request = excluded.request, investigated = excluded.investigated,
      learned = excluded.learned, completed = excluded.completed, next_steps = excluded.next_steps,
      files_read = excluded.files_read, files_edited = excluded.files_edited, notes = excluded.notes,
      observer_tokens = excluded.observer_tokens, strategy = excluded.strategy, model = excluded.model,
      evidence = excluded.evidence, created_at = excluded.created_at
    RETURNING id`);
  const removeFiles = db.prepare("DELETE FROM summary_files WHERE summary_id = ?");
  const addFile = db.prepare(
    "INSERT OR IGNORE INTO summary_files (summary_id, path, basename, mode) VALUES (?, ?, ?, ?)",
  );

  function write(summary: NewSummary): string {
    const link = sessions.link(summary);
    const row = upsert.get({
      session: link.session,
      project: summary.project,
      scope: summary.scope,
      promptNumber: summary.promptNumber,
      request: summary.request,
      investigated: summary.investigated,
      learned: summary.learned,
      completed: summary.completed,
      nextSteps: summary.nextSteps,
      filesRead: JSON.stringify(summary.filesRead),
      filesEdited: JSON.stringify(summary.filesEdited),
      notes: summary.notes,
      observerTokens: summary.observerTokens,
      strategy: summary.provenance.strategy,
      model: summary.provenance.model,
      evidence: placesJson(summary.evidence),
      time: summary.time,
    });
    const id = row?.id ?? 0;
    removeFiles.run([id]);
    for (const path of summary.filesRead) addFile.run([id, slashed(path), baseName(path), "read"]);
    for (const path of summary.filesEdited)
      addFile.run([id, slashed(path), baseName(path), "modified"]);
    index.put(summaryDocument({ ...summary, id: idOf("summary", id) }, link.root));
    return idOf("summary", id);
  }

  return { write };
}
