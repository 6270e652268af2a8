// Writes sessions and projects, and finds the rows that other records hang on.

import type { Database } from "../host/sqlite.ts";
import { isBareSession } from "../sdk/identity.ts";
import type { SessionUpdate } from "../sdk/model.ts";
import { baseName } from "../text/text.ts";
import { sessionDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** What other records need of their session. */
interface SessionLink {
  /** Row number. */
  session: number;
  /** The folder of its session, or empty. */
  root: string;
}

export interface SessionWriter {
  /**
   * Upserts by client and id: absent fields keep their value, times only widen, `prompts` only grows. Of a session that is known by its
   * records alone, the times are the update's. Gives its document's id.
   */
  update(session: SessionUpdate): string;
  /** The session a record belongs to; makes a bare one when it is not known yet, as old and as new as what is put of it. */
  link(record: { client: string; session: string; project: string; time: number }): SessionLink;
  /** Makes a project that has no session. */
  knowProject(id: string): void;
}

interface Stored {
  id: number;
  project: string;
  title: string;
  subtitle: string;
  started_at: number;
  last_active_at: number;
  root: string;
  branch: string | null;
  prompts: number;
  status: SessionUpdate["status"];
  transcript_path: string | null;
}

/** The writer for one open database. Long because its short writes share the statements that are prepared once. */
export function sessionWriter(db: Database, index: Findable): SessionWriter {
  const findProject = db.prepare<{ number: number }>("SELECT number FROM projects WHERE id = ?");
  const addProject = db.prepare("INSERT INTO projects (id, name) VALUES (?, ?)");
  const renameProject = db.prepare(
    "UPDATE projects SET name = $name WHERE id = $id AND name <> $name",
  );
  const find = db.prepare<Stored>(
    "SELECT * FROM sessions WHERE client = ? AND client_session_id = ?",
  );
  const upsert = db.prepare<Stored>(`
    INSERT INTO sessions (client, client_session_id, project, root, branch, title, subtitle, prompts, status,
      transcript_path, started_at, last_active_at, ended_at, end_reason)
    VALUES ($client, $id, $project, $root, $branch, coalesce($title, ''), coalesce($subtitle, ''),
      coalesce($prompts, 0), $status, $transcriptPath, $startedAt, $lastActiveAt, $endedAt, $endReason)
    ON CONFLICT (client, client_session_id) DO UPDATE SET
      project = excluded.project,
      root = excluded.root,
      branch = coalesce(excluded.branch, branch),
      title = coalesce($title, title),
      subtitle = coalesce($subtitle, subtitle),
      prompts = max(prompts, excluded.prompts),
      status = excluded.status,
      transcript_path = coalesce(excluded.transcript_path, transcript_path),
      started_at = CASE WHEN $isFirst THEN excluded.started_at ELSE min(started_at, excluded.started_at) END,
      last_active_at = CASE WHEN $isFirst THEN excluded.last_active_at ELSE max(last_active_at, excluded.last_active_at) END,
      ended_at = CASE WHEN $keepEnded THEN ended_at ELSE excluded.ended_at END,
      end_reason = CASE WHEN $keepEnded OR $endedAt = ended_at THEN coalesce(excluded.end_reason, end_reason)
        ELSE excluded.end_reason END
    RETURNING *`);
  const widen = db.prepare(
    "UPDATE sessions SET project = $project, started_at = $startedAt, last_active_at = $lastActiveAt WHERE id = $id",
  );

  function knowProject(id: string): void {
    if (findProject.get([id]) === undefined) addProject.run([id, baseName(id)]);
  }

  function update(session: SessionUpdate): string {
    const { project } = session;
    knowProject(project.id);
    renameProject.run({ id: project.id, name: project.name });
    return write(session, find.get([session.client, session.id]));
  }

  function write(session: SessionUpdate, before: Stored | undefined): string {
    const { project } = session;
    const after = upsert.get({
      client: session.client,
      id: session.id,
      project: project.id,
      root: project.root,
      branch: project.branch,
      title: session.title,
      subtitle: session.subtitle,
      prompts: session.prompts,
      status: session.status,
      transcriptPath: session.transcriptPath,
      startedAt: session.startedAt,
      lastActiveAt: session.lastActiveAt,
      endedAt: session.endedAt,
      endReason: session.endReason,
      keepEnded: session.endedAt === undefined,
      isFirst: before !== undefined && isBare(before) && !isBareSession(session),
    });
    if (after && (!before || isIndexedAnew(before, after)))
      index.put(
        sessionDocument(
          {
            id: session.id,
            client: session.client,
            project: { id: project.id, ...(after.branch === null ? {} : { branch: after.branch }) },
            title: after.title,
            subtitle: after.subtitle,
            startedAt: after.started_at,
          },
          after.id,
        ),
      );
    return `session ${after?.id ?? 0}`;
  }

  function link(record: Parameters<SessionWriter["link"]>[0]): SessionLink {
    const { client, session: id, project, time } = record;
    knowProject(project);
    const known = find.get([client, id]);
    if (known && isBare(known)) widenBare(known, record);
    if (known) return { session: known.id, root: known.root };
    const times = { startedAt: time, lastActiveAt: time };
    const bare = { id, client, project: { id: project, name: "", root: "" }, ...times };
    write({ ...bare, status: "active" }, undefined);
    return { session: find.get([client, id])?.id ?? 0, root: "" };
  }

  /** Its project is that of its oldest record, whatever came first. */
  function widenBare(known: Stored, { project, time }: Parameters<SessionWriter["link"]>[0]): void {
    const { id, started_at: startedAt, last_active_at: lastActiveAt } = known;
    const isOlder = time < startedAt || (time === startedAt && project < known.project);
    if (!isOlder && time <= lastActiveAt) return;
    widen.run({
      id,
      project: isOlder ? project : known.project,
      startedAt: Math.min(startedAt, time),
      lastActiveAt: Math.max(lastActiveAt, time),
    });
  }

  return { update, link, knowProject };
}

function isIndexedAnew(before: Stored, after: Stored): boolean {
  return (
    before.title !== after.title ||
    before.subtitle !== after.subtitle ||
    before.project !== after.project ||
    before.started_at !== after.started_at ||
    before.branch !== after.branch
  );
}

function isBare({ title, root, branch, prompts, status, transcript_path }: Stored): boolean {
  const project = { id: "", name: "", root, ...(branch === null ? {} : { branch }) };
  const times = { startedAt: 0, lastActiveAt: 0 };
  return isBareSession({
    ...{ id: "", client: "", project, title, prompts, status, ...times },
    ...(transcript_path === null ? {} : { transcriptPath: transcript_path }),
  });
}
