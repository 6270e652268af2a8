// Writes observations: a repeat in its session is merged, and an older one of the same thing is marked superseded.
import type { Database, Row } from "../host/sqlite.ts";
import { parsedObject } from "../host/unreadable-rows.ts";
import { contentHash } from "../sdk/identity.ts";
import type { NewObservation } from "../sdk/model.ts";
import { tokensOf } from "../search/text/tokens.ts";
import { idOf, parseId } from "./kinds.ts";
import type { SessionWriter } from "./put-session.ts";
import { lookUpWriter, rowWriter } from "./rows.ts";
import { observationDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** Its lists, which a repeat adds to, and their columns. */
const lists = {
  concepts: "concepts",
  filesRead: "files_read",
  filesModified: "files_modified",
  toolUseIds: "tool_use_ids",
} as const;

/**
 * The writer for one open database; `write` gives the observation's id, the first one's for a repeat. What is imported is superseded by
 * nothing else that is.
 */
export function observationWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const find = db.prepare<Row & { id: number; created_at: number }>(
    `SELECT id, created_at, ${Object.values(lists).join(", ")} FROM observations WHERE session_id = ? AND content_hash = ?`,
  );
  const rows = rowWriter(db, "observation");
  const lookUps = lookUpWriter(db, "observation");
  const supersede = superseder(db);

  function write(observation: NewObservation, isImported: boolean): string {
    const link = sessions.link(observation);
    const hash = contentHash(observation);
    const known = find.get([link.session, hash]);
    const merged = known ? union(known, observation) : observation;
    const row = rows.write(
      merged,
      { session_id: link.session, content_hash: hash, title_key: titleKey(observation.title) },
      known?.id,
    );
    const time = Math.max(observation.time, known?.created_at ?? observation.time);
    lookUps(row, merged);
    if (!isImported) supersede(row, false);
    const id = idOf("observation", row);
    index.put(observationDocument({ ...merged, id, time }, link.root));
    return id;
  }

  return {
    write,
    /** What was imported, once what it names there is known. */
    supersede(id: string): void {
      supersede(parseId(id)?.row ?? 0, true);
    },
  };
}
/**
 * Marks what a new observation makes stale: same project, same words in the title, a file in common (or none in both),
 * another prompt. What the user pinned or edited holds. The newer by time wins, so that a late import of old history supersedes nothing.
 * Of two that were imported, their own memory says which holds.
 */
function superseder(db: Database): (id: number, isImported: boolean) => void {
  const rivals = db.prepare<{ id: number; newer: number }>(`
    SELECT o.id, o.created_at > n.created_at AS newer
    FROM observations n JOIN observations o INDEXED BY observations_by_title ON o.project = n.project AND o.title_key = n.title_key
    WHERE n.id = $id AND o.id <> n.id AND o.superseded_by IS NULL AND n.title_key <> ''
      AND NOT (o.session_id = n.session_id AND o.prompt_number = n.prompt_number)
      AND NOT ($isImported AND EXISTS (SELECT 1 FROM imported i WHERE i.kind = 'observation' AND i.record = o.id))
      AND NOT EXISTS (SELECT 1 FROM marks k WHERE k.kind = 'observation' AND k.record = o.id
        AND (k.pinned = 1 OR k.edited_at IS NOT NULL) AND o.created_at <= n.created_at)
      AND (EXISTS (SELECT 1 FROM observation_files a JOIN observation_files b ON a.path = b.path
                   WHERE a.observation_id = n.id AND b.observation_id = o.id)
        OR NOT EXISTS (SELECT 1 FROM observation_files a WHERE a.observation_id IN (n.id, o.id)))
    ORDER BY o.created_at DESC, o.id DESC LIMIT 50`);
  const mark = db.prepare("UPDATE observations SET superseded_by = ? WHERE id = ?");
  return (id, isImported) => {
    const found = rivals.all({ id, isImported });
    const newer = found.find((rival) => rival.newer);
    if (newer) mark.run([newer.id, id]);
    else for (const rival of found) mark.run([id, rival.id]);
  };
}

/** A title's words without order, inflection and stop words. */
export function titleKey(title: string): string {
  const terms = tokensOf(title).flatMap(({ term, stop }) => (stop ? [] : term));
  return [...new Set(terms)].sort().join(" ");
}

function union(known: Row, observation: NewObservation): NewObservation {
  const both = (name: keyof typeof lists) => {
    // A column that does not parse is written anew by the repeat.
    const before = Object.values(parsedObject(String(known[lists[name]])) ?? {}).filter(
      (one) => typeof one === "string",
    );
    return [...before, ...observation[name].filter((one) => !before.includes(one))];
  };
  return {
    ...observation,
    concepts: both("concepts"),
    filesRead: both("filesRead"),
    filesModified: both("filesModified"),
    toolUseIds: both("toolUseIds"),
  };
}
