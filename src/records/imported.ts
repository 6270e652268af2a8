// What came from another memory, and what took its place there: named by hashes, so that either of two records may come first. To be called inside a transaction.
import type { Database } from "../host/sqlite.ts";
import { type AnyRecord, identityOf, identityOfParts, type RecordLinks } from "../sdk/identity.ts";
import { idOf, parseId } from "./fields.ts";
import { readRow } from "./list.ts";

type Kind = "observation" | "memory";
interface Imported {
  kind: Kind;
  record: number;
  superseder: string | null;
  merged: string | null;
}

/** A record that was just put, with its project and its hash. */
interface Noted {
  one: Imported;
  project: string;
  identity: string;
}

/** Notes that these records, just put, were imported, and what they name. */
export function noteImported(
  db: Database,
  ids: readonly string[],
  links: Readonly<Record<string, RecordLinks>>,
): Noted[] {
  const keep = db.prepare<Imported>(`
    INSERT INTO imported (kind, record, identity, superseder, merged)
    VALUES ($kind, $record, $identity, $superseder, $merged)
    ON CONFLICT (kind, record) DO UPDATE SET
      superseder = CASE WHEN $keepsSuperseder THEN superseder ELSE excluded.superseder END,
      merged = CASE WHEN $keepsMerged THEN merged ELSE excluded.merged END
    RETURNING kind, record, superseder, merged`);
  return ids.flatMap((id): Noted[] => {
    const of = parseId(id);
    if (of?.kind !== "observation" && of?.kind !== "memory") return [];
    const { kind, row } = of;
    const stored = readRow(db, kind, row);
    if (!stored) return [];
    const identity = identityOf({ kind, record: stored.record } as AnyRecord);
    const { supersededBy, merged } = links[identity] ?? {};
    const one = keep.get({
      kind,
      record: row,
      identity,
      superseder: supersededBy,
      merged,
      keepsSuperseder: supersededBy === undefined,
      keepsMerged: merged === undefined,
    });
    return one ? [{ one, project: stored.record.project, identity }] : [];
  });
}

/** Links them to what is there, and to them what waited for them. */
export function linkImported(db: Database, noted: readonly Noted[]): void {
  const find = db.prepare<{ record: number }>(
    "SELECT record FROM imported WHERE kind = ? AND identity = ?",
  );
  const waiting = db.prepare<Imported>(`
    SELECT kind, record, superseder, merged FROM imported WHERE superseder = $identity
    UNION SELECT kind, record, superseder, merged FROM imported WHERE merged = $identity`);
  const others = new Map<string, Map<string, number>>();
  for (const { one, project } of noted)
    settle(db, one, (identity) => {
      const known = find.get([one.kind, identity]);
      if (known) return known.record;
      const place = `${one.kind} ${project}`;
      const here = others.get(place) ?? ownOf(db, one.kind, project);
      others.set(place, here);
      return here.get(identity);
    });
  const rows = new Map(noted.map(({ one, identity }) => [identity, one.record]));
  for (const identity of rows.keys())
    for (const one of waiting.all({ identity })) settle(db, one, (of) => rows.get(of));
}

function settle(
  db: Database,
  { kind, record: id, superseder, merged }: Imported,
  target: (identity: string) => number | undefined,
): void {
  const newer = superseder === null ? undefined : target(superseder);
  if (kind === "observation" && newer !== undefined && newer !== id)
    db.prepare("UPDATE observations SET superseded_by = $by WHERE id = $id").run({ id, by: newer });
  const into = merged === null ? undefined : target(merged);
  if (into !== undefined && into !== id)
    db.prepare(
      "UPDATE marks SET merged = $by WHERE kind = $kind AND record = $id AND hidden = 1",
    ).run({ kind, id, by: idOf(kind, into) });
}

const own = {
  observation: `
    SELECT o.id, s.client, s.client_session_id, o.content_hash FROM observations o JOIN sessions s ON s.id = o.session_id
    WHERE o.project = ? AND NOT EXISTS (SELECT 1 FROM imported i WHERE i.kind = 'observation' AND i.record = o.id)`,
  memory: `
    SELECT m.id, m.project, m.kind, coalesce(k.was ->> '$.content', m.content) AS content
    FROM memory m LEFT JOIN marks k ON k.kind = 'memory' AND k.record = m.id
    WHERE m.project = ? AND NOT EXISTS (SELECT 1 FROM imported i WHERE i.kind = 'memory' AND i.record = m.id)`,
};

/** Of records that were here before any import, by their hashes. */
function ownOf(db: Database, kind: Kind, project: string): Map<string, number> {
  return new Map(
    db
      .prepare<{ id: number }>(own[kind])
      .all([project])
      .map(({ id, ...parts }) => [identityOfParts(kind, Object.values(parts)), id]),
  );
}
