// Writes sessions and projects, and finds the rows that other records hang on.
import type { Database, Row } from "../host/sqlite.ts";
import { isBareSession } from "../sdk/identity.ts";
import type { Session, SessionUpdate } from "../sdk/model.ts";
import { baseName } from "../text/text.ts";
import { readFields, rows } from "./fields.ts";
import { rowWriter } from "./rows.ts";
import { sessionDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** A record of a session, as far as its session is concerned. */
interface OfSession {
  client: string;
  session: string;
  project: string;
  time: number;
}

/** What other records need of their session. */
interface SessionLink {
  /** Row number. */
  session: number;
  /** The folder of its session, or empty. */
  root: string;
}

export type SessionWriter = ReturnType<typeof sessionWriter>;

/** The writer for one open database. */
export function sessionWriter(db: Database, index: Findable) {
  const findProject = db.prepare<{ number: number }>("SELECT number FROM projects WHERE id = ?");
  const addProject = db.prepare("INSERT INTO projects (id, name) VALUES (?, ?)");
  const renameProject = db.prepare(
    "UPDATE projects SET name = $name WHERE id = $id AND name <> $name",
  );
  const find = db.prepare("SELECT * FROM sessions WHERE client = ? AND client_session_id = ?");
  const sessions = rowWriter(db, "session");
  const widen = db.prepare(
    "UPDATE sessions SET project = $project, started_at = $startedAt, last_active_at = $lastActiveAt WHERE id = $row",
  );

  function stored(client: string, id: string): { row: number; session: Session } | undefined {
    const row = find.get([client, id]);
    return row && { row: Number(row.id), session: sessionIn(row) };
  }

  /** Makes a project that has no session. */
  function knowProject(id: string): void {
    if (findProject.get([id]) === undefined) addProject.run([id, baseName(id)]);
  }

  /** Gives its row. */
  function write(session: SessionUpdate): number {
    const before = stored(session.client, session.id);
    const row = sessions.write(session, {
      keepEnded: session.endedAt === undefined,
      isFirst: before !== undefined && isBareSession(before.session) && !isBareSession(session),
    });
    const after = stored(session.client, session.id);
    const documents = [before, after].map((one) => one && sessionDocument(one.session, row));
    const [old, now] = documents;
    if (now && JSON.stringify(now) !== JSON.stringify(old)) index.put(now);
    return row;
  }

  /** Of a bare one the project is that of its oldest record, whatever came first. */
  function widenBare(row: number, known: Session, { project, time }: OfSession): void {
    const { startedAt, lastActiveAt } = known;
    const isOlder = time < startedAt || (time === startedAt && project < known.project.id);
    if (!isOlder && time <= lastActiveAt) return;
    widen.run({
      row,
      project: isOlder ? project : known.project.id,
      startedAt: Math.min(startedAt, time),
      lastActiveAt: Math.max(lastActiveAt, time),
    });
  }

  return {
    /**
     * Upserts by client and id: absent fields keep their value, times only widen, `prompts` only grows. Of a session that is known by its
     * records alone, the times are the update's. Gives its document's id.
     */
    update(session: SessionUpdate): string {
      const { id, name } = session.project;
      knowProject(id);
      renameProject.run({ id, name });
      return `session ${write(session)}`;
    },
    /** The session a record belongs to; makes a bare one when it is not known yet, as old and as new as what is put of it. */
    link(record: OfSession): SessionLink {
      const { client, session: id, project, time } = record;
      knowProject(project);
      const known = stored(client, id);
      if (known) {
        if (isBareSession(known.session)) widenBare(known.row, known.session, record);
        return { session: known.row, root: known.session.project.root };
      }
      const bare = { id, client, project: { id: project, name: "", root: "" } };
      const times = { startedAt: time, lastActiveAt: time };
      return { session: write({ ...bare, ...times, status: "active" }), root: "" };
    },
    knowProject,
  };
}

/** No column of a session is JSON. */
function sessionIn(row: Row): Session {
  return readFields(rows.session.fields, row, () => undefined) as unknown as Session;
}
