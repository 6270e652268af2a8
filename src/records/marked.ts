// Which records are marked by the user, as SQL conditions and as ids of documents.
import type { Database } from "../host/sqlite.ts";
import type { RecordKind } from "../sdk/storage.ts";
import type { Marks } from "../sdk/turn.ts";

/** Hidden is also what is of a hidden session. */
export function marksWhere(
  kind: RecordKind,
  letter: string,
  { hidden, marked }: { hidden?: boolean; marked?: keyof Marks },
): string[] {
  const conditions: string[] = [];
  if (hidden === false) {
    conditions.push(`${letter}.id NOT IN ${rows(kind, "hidden")}`);
    const sessions = rows("session", "hidden");
    if (kind === "memory")
      conditions.push(
        `${letter}.client_session_id NOT IN (SELECT client_session_id FROM sessions WHERE id IN ${sessions})`,
      );
    else if (kind !== "session") conditions.push(`${letter}.session_id NOT IN ${sessions}`);
  }
  if (marked !== undefined) conditions.push(`${letter}.id IN ${rows(kind, marked)}`);
  return conditions;
}

const conditions: Readonly<Record<keyof Marks, string>> = {
  pinned: "pinned = 1",
  hidden: "hidden = 1",
  merged: "merged IS NOT NULL",
  edited: "edited_at IS NOT NULL",
};

function rows(kind: RecordKind, mark: keyof Marks): string {
  const condition = conditions[mark];
  return `(SELECT record FROM marks WHERE kind = '${kind}' AND ${condition})`;
}

/** Documents of all that is hidden, by itself or with its session. */
export function hiddenDocuments(db: Database): ReadonlySet<string> {
  if (!db.prepare("SELECT 1 FROM marks WHERE hidden = 1 LIMIT 1").get()) return new Set();
  const sessions = rows("session", "hidden");
  const parts = Object.entries(tables).map(([kind, { name, letter }]) => {
    const of =
      kind === "memory"
        ? `client_session_id IN (SELECT client_session_id FROM sessions WHERE id IN ${sessions})`
        : `session_id IN ${sessions}`;
    return `SELECT '${letter}' || id AS id FROM ${name} WHERE ${of} OR id IN ${rows(kind as RecordKind, "hidden")}`;
  });
  const found = db
    .prepare<{ id: string }>(
      [
        ...parts,
        `SELECT 'session ' || record AS id FROM marks WHERE kind = 'session' AND hidden = 1`,
      ].join(" UNION ALL "),
    )
    .all();
  return new Set(found.map(({ id }) => id));
}

/** Tables of the kinds with the first letter of their ids. */
const tables = {
  observation: { name: "observations", letter: "o" },
  summary: { name: "session_summaries", letter: "s" },
  prompt: { name: "prompts", letter: "p" },
  memory: { name: "memory", letter: "m" },
  turn: { name: "turns", letter: "t" },
};
