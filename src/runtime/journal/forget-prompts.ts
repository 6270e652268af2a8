// What the user had forgotten: its events lose their texts, and nothing is made of them again.
import type { Database } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";

/** Fields of an event that hold no text: who, when and where. */
const kept = [
  "id",
  "key",
  "client",
  "session",
  "time",
  "cwd",
  "name",
  "project",
  "agent",
  "transcriptPath",
  "transcriptBytes",
  "promptId",
  "toolUseId",
  "toolName",
  "isInterrupt",
  "recovered",
] as const;
/** Fields that an event of its kind has to have, emptied. */
const emptied: { readonly [Name in ClientEvent["name"]]?: Record<string, unknown> } = {
  UserPromptSubmit: { prompt: "" },
  PostToolUse: { toolInput: {}, toolResponse: null },
  PostToolUseFailure: { toolInput: {}, error: "" },
};

/** Marks prompts of a session, all up to now unless some are named, and empties their events; answers their tool uses. */
export function forgetPrompts(
  db: Database,
  session: number,
  numbers?: readonly number[],
): string[] {
  const prompts = numbers ?? numbersOf(db, session);
  const mark = db.prepare("INSERT OR IGNORE INTO forgotten VALUES (?, ?)");
  const events = db.prepare<{ seq: number; json: string }>(
    `SELECT seq, json FROM events JOIN payloads USING (seq) WHERE session = ? AND prompt_number = ?`,
  );
  const empty = db.prepare("UPDATE payloads SET json = ? WHERE seq = ?");
  const toolUses = db.prepare<{ tool_use: string }>(
    "SELECT tool_use FROM events WHERE session = ? AND prompt_number = ? AND tool_use IS NOT NULL",
  );
  for (const number of prompts) {
    mark.run([session, number]);
    for (const { seq, json } of events.all([session, number]))
      empty.run([JSON.stringify(emptiedEvent(JSON.parse(json))), seq]);
  }
  return prompts.flatMap((number) =>
    toolUses.all([session, number]).map(({ tool_use }) => tool_use),
  );
}

/** Whether nothing may be made of a prompt; without a number, of none of the session's. */
export function isForgotten(db: Database, session: number, promptNumber?: number): boolean {
  const marked = db.prepare("SELECT 1 FROM forgotten WHERE session = ? AND prompt_number = ?");
  const [before = 0, ...prompts] = numbersOf(db, session);
  const all = prompts.length > 0 ? prompts : [before];
  const numbers = promptNumber === undefined ? all : [promptNumber];
  return numbers.every((number) => marked.get([session, number]) !== undefined);
}

/** 0 is what was before any prompt. */
function numbersOf(db: Database, session: number): number[] {
  const found = db
    .prepare<{ prompts: number }>("SELECT prompts FROM sessions WHERE id = ?")
    .get([session]);
  return Array.from({ length: (found?.prompts ?? 0) + 1 }, (_, number) => number);
}

function emptiedEvent(event: ClientEvent): Record<string, unknown> {
  const fields = Object.entries(event).filter(([name]) =>
    (kept as readonly string[]).includes(name),
  );
  return { ...Object.fromEntries(fields), ...emptied[event.name] };
}
