// Writes prompts: one row a session and prompt number; a later text replaces the earlier.
import type { Database } from "../host/sqlite.ts";
import type { NewPrompt } from "../sdk/model.ts";
import { idOf } from "./ids.ts";
import type { SessionWriter } from "./put-session.ts";
import { promptDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** The writer for one open database; `write` gives the prompt's id. */
export function promptWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO prompts (session_id, project, prompt_number, user_prompt, created_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (session_id, prompt_number) DO UPDATE SET
      project = excluded.project, user_prompt = excluded.user_prompt, created_at = excluded.created_at
    RETURNING id`);

  function write(prompt: NewPrompt): string {
    const link = sessions.link(prompt);
    const { project, promptNumber, text, time } = prompt;
    const row = upsert.get([link.session, project, promptNumber, text, time]);
    const id = idOf("prompt", row?.id ?? 0);
    index.put(promptDocument({ ...prompt, id }));
    return id;
  }

  return { write };
}
