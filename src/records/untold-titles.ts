// Titles of sessions that say what only a hidden turn said: agents are not told them, and the session is not found by them.
import type { Database } from "../host/sqlite.ts";
import type { Session } from "../sdk/model.ts";
import { onlyIn, textOf } from "../text/words-of.ts";
import { hiddenPrompts } from "./marked.ts";
import { perState } from "./per-state.ts";
import { readKind } from "./rows.ts";

/** A session of which something is hidden: its row, and its texts that are not told. */
interface Untold {
  row: number;
  texts: Partial<Record<"title" | "subtitle", "">>;
}

/** By client and id; what the user wrote is told. */
const untoldTitles = perState((db): ReadonlyMap<string, Untold> => {
  const asked = db
    .prepare<{ id: number }>(`SELECT DISTINCT session_id AS id FROM (${hiddenPrompts})`)
    .all();
  return new Map(asked.map(({ id }) => untoldOf(db, id)));
});

function untoldOf(db: Database, id: number): [string, Untold] {
  const [session] = readKind(db, "session", () => "WHERE s.id = ?", [id]);
  if (!session) return ["", { row: id, texts: {} }];
  const said = (condition: string) => {
    const where = (letter: string) =>
      `WHERE ${letter}.session_id = ? AND (${letter}.session_id, ${letter}.prompt_number) ${condition} (${hiddenPrompts})`;
    const prompts = readKind(db, "prompt", where, [id]).map(({ record }) => record.text);
    const turns = readKind(db, "turn", where, [id]).map(({ record }) => record);
    return [...prompts, textOf(turns)].join("\n");
  };
  const says = onlyIn(said("IN"), said("NOT IN"));
  const { client, id: name, edited, title, subtitle } = session.record;
  const isUntold = (field: "title" | "subtitle", text: string) =>
    edited?.was[field] === undefined && says(text);
  const texts = {
    ...(isUntold("title", title) && { title: "" as const }),
    ...(isUntold("subtitle", subtitle) && { subtitle: "" as const }),
  };
  return [keyOf(client, name), { row: id, texts }];
}

function keyOf(client: string, id: string): string {
  return `${client} ${id}`;
}

/** The session as agents are told of it. */
export function toldSession(db: Database, session: Session): Session {
  return { ...session, ...untoldTitles(db).get(keyOf(session.client, session.id))?.texts };
}

/** Documents of sessions that would be found by what is not told. */
export function untoldDocuments(db: Database): ReadonlySet<string> {
  const untold = [...untoldTitles(db).values()];
  return new Set(
    untold.flatMap(({ row, texts }) => (Object.keys(texts).length > 0 ? `session ${row}` : [])),
  );
}
