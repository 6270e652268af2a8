// Writes observations: a repeat in its session is merged, and an older one of the same thing is marked superseded.
import type { Database } from "../host/sqlite.ts";
import { contentHash } from "../sdk/identity.ts";
import type { NewObservation } from "../sdk/model.ts";
import { tokensOf } from "../search/text/tokens.ts";
import { filesWriter } from "./files.ts";
import { idOf, parseId } from "./ids.ts";
import type { SessionWriter } from "./put-session.ts";
import { placesJson, strings } from "./rows.ts";
import { observationDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

interface Known {
  id: number;
  tool_use_ids: string;
  concepts: string;
  files_read: string;
  files_modified: string;
}

/**
 * The writer for one open database; `write` gives the observation's id, the first one's for a repeat. What is imported is superseded by
 * nothing else that is. Long because a row has so many columns.
 */
export function observationWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const find = db.prepare<Known>(
    "SELECT id, tool_use_ids, concepts, files_read, files_modified FROM observations WHERE session_id = ? AND content_hash = ?",
  );
  const insert = db.prepare(`
    INSERT INTO observations (session_id, project, branch, prompt_number, type, title, subtitle, facts, narrative,
      concepts, files_read, files_modified, tool_use_ids, agent_id, agent_type, discovery_tokens, observer_tokens,
      strategy, model, content_hash, title_key, evidence, created_at)
    VALUES ($session, $project, $branch, $promptNumber, $type, $title, $subtitle, $facts, $narrative,
      $concepts, $filesRead, $filesModified, $toolUseIds, $agentId, $agentType, $discoveryTokens, $observerTokens,
      $strategy, $model, $hash, $titleKey, $evidence, $time)`);
  const merge = db.prepare<{ created_at: number }>(`
    UPDATE observations SET subtitle = $subtitle, narrative = $narrative, tool_use_ids = $toolUseIds,
      concepts = $concepts, files_read = $filesRead, files_modified = $filesModified,
      evidence = coalesce($evidence, evidence),
      created_at = max(created_at, $time), superseded_by = NULL
    WHERE id = $id RETURNING created_at`);
  const files = filesWriter(db, "observation");
  const addConcept = db.prepare(
    "INSERT OR IGNORE INTO observation_concepts (observation_id, concept) VALUES (?, ?)",
  );
  const supersede = superseder(db);

  function write(observation: NewObservation, isImported: boolean): string {
    const link = sessions.link(observation);
    const hash = contentHash(observation);
    const known = find.get([link.session, hash]);
    const merged = known ? union(known, observation) : observation;
    const lists = {
      concepts: JSON.stringify(merged.concepts),
      filesRead: JSON.stringify(merged.filesRead),
      filesModified: JSON.stringify(merged.filesModified),
      toolUseIds: JSON.stringify(merged.toolUseIds),
      evidence: placesJson(observation.evidence),
    };
    const { subtitle, narrative, time } = observation;
    let id: number;
    let createdAt = time;
    if (known) {
      id = known.id;
      createdAt = merge.get({ id, subtitle, narrative, time, ...lists })?.created_at ?? time;
    } else {
      id = insert.run({
        session: link.session,
        project: observation.project,
        branch: observation.branch,
        promptNumber: observation.promptNumber,
        type: observation.type,
        title: observation.title,
        subtitle,
        facts: JSON.stringify(observation.facts),
        narrative,
        ...lists,
        agentId: observation.agent?.id,
        agentType: observation.agent?.type,
        discoveryTokens: observation.discoveryTokens,
        observerTokens: observation.observerTokens,
        strategy: observation.provenance.strategy,
        model: observation.provenance.model,
        hash,
        titleKey: titleKey(observation.title),
        time,
      }).lastInsertRowid;
    }
    files.add(id, { read: merged.filesRead, modified: merged.filesModified });
    for (const concept of merged.concepts) addConcept.run([id, concept]);
    if (!isImported) supersede(id, false);
    index.put(
      observationDocument({ ...merged, id: idOf("observation", id), time: createdAt }, link.root),
    );
    return idOf("observation", id);
  }

  return {
    write,
    /** For what was imported, once all that came with it is known to be. */
    supersede(id: string) {
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

function union(known: Known, observation: NewObservation): NewObservation {
  const both = (json: string, list: readonly string[]) => {
    const before = readable(json);
    return [...before, ...list.filter((one) => !before.includes(one))];
  };
  return {
    ...observation,
    concepts: both(known.concepts, observation.concepts),
    filesRead: both(known.files_read, observation.filesRead),
    filesModified: both(known.files_modified, observation.filesModified),
    toolUseIds: both(known.tool_use_ids, observation.toolUseIds),
  };
}

/** A column that does not parse is written anew by the repeat. */
function readable(json: string): string[] {
  try {
    return strings(json);
  } catch {
    return [];
  }
}
