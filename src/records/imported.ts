// What came from another memory, and what took its place there: named by hashes, so that either of two records may come first.
import type { Database } from "../host/sqlite.ts";
import { type AnyRecord, identityOf, identityOfParts, type RecordLinks } from "../sdk/identity.ts";
import { idOf, parseId } from "./kinds.ts";
import { readRow } from "./rows.ts";

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

/** Keeps the links of one open database; to be called inside a transaction. Long because its steps share the statements. */
export function createLinker(db: Database) {
  const keep = db.prepare<Imported>(`
    INSERT INTO imported (kind, record, identity, superseder, merged)
    VALUES ($kind, $record, $identity, $superseder, $merged)
    ON CONFLICT (kind, record) DO UPDATE SET
      superseder = CASE WHEN $keepsSuperseder THEN superseder ELSE excluded.superseder END,
      merged = CASE WHEN $keepsMerged THEN merged ELSE excluded.merged END
    RETURNING kind, record, superseder, merged`);
  const waiting = db.prepare<Imported>(`
    SELECT kind, record, superseder, merged FROM imported WHERE superseder = $identity
    UNION SELECT kind, record, superseder, merged FROM imported WHERE merged = $identity`);
  const find = db.prepare<{ record: number }>(
    "SELECT record FROM imported WHERE kind = ? AND identity = ?",
  );
  const own = {
    observation: db.prepare<{ id: number }>(`
      SELECT o.id, s.client, s.client_session_id, o.content_hash FROM observations o JOIN sessions s ON s.id = o.session_id
      WHERE o.project = ? AND NOT EXISTS (SELECT 1 FROM imported i WHERE i.kind = 'observation' AND i.record = o.id)`),
    memory: db.prepare<{ id: number }>(`
      SELECT m.id, m.project, m.kind, coalesce(k.was ->> '$.content', m.content) AS content
      FROM memory m LEFT JOIN marks k ON k.kind = 'memory' AND k.record = m.id
      WHERE m.project = ? AND NOT EXISTS (SELECT 1 FROM imported i WHERE i.kind = 'memory' AND i.record = m.id)`),
  };
  const supersede = db.prepare("UPDATE observations SET superseded_by = $by WHERE id = $id");
  const merge = db.prepare(
    "UPDATE marks SET merged = $by WHERE kind = $kind AND record = $id AND hidden = 1",
  );

  /** Of records that were here before any import, by their hashes. */
  function ownOf(kind: Kind, project: string): Map<string, number> {
    return new Map(
      own[kind]
        .all([project])
        .map(({ id, ...parts }) => [identityOfParts(kind, Object.values(parts)), id]),
    );
  }

  function settle(one: Imported, target: (identity: string) => number | undefined): void {
    const { kind, record: id, superseder, merged } = one;
    const newer = superseder === null ? undefined : target(superseder);
    if (kind === "observation" && newer !== undefined && newer !== id)
      supersede.run({ id, by: newer });
    const into = merged === null ? undefined : target(merged);
    if (into !== undefined && into !== id) merge.run({ kind, id, by: idOf(kind, into) });
  }

  return {
    /** Notes that these records, just put, were imported, and what they name. */
    note(ids: readonly string[], links: Readonly<Record<string, RecordLinks>>): Noted[] {
      return ids.flatMap((id): Noted[] => {
        const of = parseId(id);
        if (of?.kind !== "observation" && of?.kind !== "memory") return [];
        const { kind, row } = of;
        const stored = readRow(db, kind, row);
        if (!stored) return [];
        const identity = identityOf({ kind, record: stored.record } as AnyRecord);
        const { supersededBy, merged } = links[identity] ?? {};
        const one = keep.get({
          ...{ kind, record: row, identity, superseder: supersededBy, merged },
          keepsSuperseder: supersededBy === undefined,
          keepsMerged: merged === undefined,
        });
        return one ? [{ one, project: stored.record.project, identity }] : [];
      });
    },
    /** Links them to what is there, and to them what waited for them. */
    link(noted: readonly Noted[]): void {
      const others = new Map<string, Map<string, number>>();
      for (const { one, project } of noted)
        settle(one, (identity) => {
          const known = find.get([one.kind, identity]);
          if (known) return known.record;
          const place = `${one.kind} ${project}`;
          const here = others.get(place) ?? ownOf(one.kind, project);
          others.set(place, here);
          return here.get(identity);
        });
      const rows = new Map(noted.map(({ one, identity }) => [identity, one.record]));
      for (const identity of rows.keys())
        for (const one of waiting.all({ identity })) settle(one, (of) => rows.get(of));
    },
  };
}
