// Rows of records as every way of writing them makes them: their columns and look-ups, the session they hang on, and which of them holds.
import type { Database, Row, SqlInput } from "../host/sqlite.ts";
import { isBareSession } from "../sdk/identity.ts";
import type { NewObservation, Session, SessionUpdate } from "../sdk/model.ts";
import type { RecordKind } from "../sdk/storage.ts";
import { baseName } from "../text/text.ts";
import {
  type Field,
  type FileKind,
  filesOf,
  kinds,
  readFields,
  slashed,
  writeFields,
} from "./fields.ts";
import { placing, settleChoices } from "./project-choices.ts";
import { type Findable, searchDocument } from "./search-index.ts";

/** How a record is written: into a row that is known, and as it is, whatever stands there. */
export interface WriteHow {
  known?: number | undefined;
  isExact?: boolean;
}

/** Columns of a session that are this machine's: another's says nothing of them. */
const heres: ReadonlySet<string> = new Set(["root", "transcript_path"]);

/**
 * Writes rows of one kind in an open database, and those by which a file or a concept leads to them. `beside` are columns beside the
 * record's fields. Gives the row's number; of `known`, the row that it replaces, the same.
 */
export function rowWriter(db: Database, kind: RecordKind) {
  const { table, fields, key, beside: others, files } = kinds[kind];
  const columns = [...Object.values(fields).flatMap((field: Field) => field.columns), ...others];
  const set = columns
    .filter(({ name, repeat }) => repeat !== name)
    .map(({ name, repeat }) => `${name} = ${repeat}`)
    .join(", ");
  const exactly = columns
    .map(
      ({ name, first }) =>
        `${name} = ${heres.has(name) ? `coalesce(nullif(${first}, ''), ${name})` : first}`,
    )
    .join(", ");
  const insert = `INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")})
    VALUES (${columns.map(({ first }) => first).join(", ")})`;
  const onConflict = (repeat: string) =>
    key.length === 0 ? "" : `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${repeat}`;
  const made = [set, exactly].map((repeat) => ({
    upsert: db.prepare<{ id: number }>(`${insert} ${onConflict(repeat)} RETURNING id`),
    update: db.prepare(`UPDATE ${table} SET ${repeat} WHERE id = $id`),
  }));
  const lookUps = files && lookUpWriter(db, kind as FileKind);
  return (
    record: object,
    beside: Record<string, SqlInput>,
    { known, isExact = false }: WriteHow = {},
  ): number => {
    const values = { ...writeFields(fields, record), ...beside };
    const { upsert, update } = made[isExact ? 1 : 0] as (typeof made)[number];
    if (known !== undefined) update.run({ ...values, id: known });
    const row = known ?? upsert.get(values)?.id ?? 0;
    lookUps?.(row, record);
    return row;
  };
}

/** Writes the rows by which a file or a concept leads to the kind's records, in place of those that are there. */
export function lookUpWriter(db: Database, kind: FileKind) {
  const removeFiles = db.prepare(`DELETE FROM ${kind}_files WHERE ${kind}_id = ?`);
  const addFile = db.prepare(
    `INSERT OR IGNORE INTO ${kind}_files (${kind}_id, path, basename, mode) VALUES (?, ?, ?, ?)`,
  );
  const addConcept = db.prepare(
    "INSERT OR IGNORE INTO observation_concepts (observation_id, concept) VALUES (?, ?)",
  );
  return (row: number, record: object): void => {
    removeFiles.run([row]);
    for (const [mode, paths] of Object.entries(filesOf(kind, record)))
      for (const path of paths) addFile.run([row, slashed(path), baseName(path), mode]);
    const { concepts = [] } = record as Partial<NewObservation>;
    for (const concept of concepts) addConcept.run([row, concept]);
  };
}

// Writes sessions and projects, and finds the rows that other records hang on.

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
  /** Its project's id, or the folder that a person decided about. */
  project: string;
  /** Known by its records alone. */
  isBare: boolean;
}

/** A record in its row, by its document's id. */
export interface Written {
  id: string;
  row: number;
}

export type SessionWriter = ReturnType<typeof sessionWriter>;

/** The writer for one open database. */
// Long because finding, making and settling a session share its statements.
export function sessionWriter(db: Database, index: Findable) {
  const findProject = db.prepare<{ number: number }>("SELECT number FROM projects WHERE id = ?");
  const addProject = db.prepare("INSERT INTO projects (id, name) VALUES (?, ?)");
  const renameProject = db.prepare(
    "UPDATE projects SET name = $name WHERE id = $id AND name <> $name",
  );
  const placed = placing(db);
  const find = db.prepare("SELECT * FROM sessions WHERE client = ? AND client_session_id = ?");
  const writeRow = rowWriter(db, "session");
  const widen = db.prepare(
    "UPDATE sessions SET project = $project, started_at = $time, last_active_at = $last WHERE id = $row",
  );

  function stored(client: string, id: string): { row: number; session: Session } | undefined {
    const row = find.get([client, id]);
    return row && { row: Number(row.id), session: sessionIn(row) };
  }

  /** Makes a project that has no session. */
  function knowProject(id: string): void {
    if (findProject.get([id]) !== undefined) return;
    addProject.run([id, baseName(id)]);
    settleChoices(db);
  }

  /** Gives its row. */
  function write(session: SessionUpdate, how?: WriteHow): number {
    const before = stored(session.client, session.id);
    const beside = {
      keepEnded: session.endedAt === undefined,
      isFirst: before !== undefined && isBareSession(before.session) && !isBareSession(session),
    };
    const row = writeRow(session, beside, how);
    const after = stored(session.client, session.id);
    const documents = [before, after].map(
      (one) => one && searchDocument("session", one.session, { row }),
    );
    const [old, now] = documents;
    if (now && JSON.stringify(now) !== JSON.stringify(old)) index.put(now.id, () => now);
    return row;
  }

  const children = ["observations", "prompts", "session_summaries", "turns"]
    .map((table) => {
      const time = table === "turns" ? "last_at" : "created_at";
      return `SELECT project, ${time} AS time FROM ${table} WHERE session_id = $row`;
    })
    .join(" UNION ALL ");
  const oldest = db.prepare<{ project: string; time: number; last: number }>(
    `SELECT project, time, max(time) OVER () AS last FROM (${children}) ORDER BY time, project LIMIT 1`,
  );
  const remove = db.prepare("DELETE FROM sessions WHERE id = ?");

  return {
    /**
     * Upserts by client and id: absent fields keep their value, times only widen, `prompts` only grows. Of a session that is known by its
     * records alone, the times are the update's. Gives its document's id.
     */
    update(session: SessionUpdate, how: WriteHow = {}): Written {
      const { name, root } = session.project;
      const id = how.isExact ? session.project.id : placed(session.project.id, root);
      knowProject(id);
      // What tells it from others of its name is not kept: `acme/cli` of `github.com/acme/cli`.
      const plain = slashed(id).endsWith(`/${name}`) ? baseName(name) : name;
      if (id === session.project.id && name !== "") renameProject.run({ id, name: plain });
      const row = write({ ...session, project: { ...session.project, id } }, how);
      return { id: `session ${row}`, row };
    },
    /** The session a record belongs to; makes a bare one when it is not known yet, as old and as new as what is put of it. */
    link(record: OfSession, { isExact }: WriteHow = {}): SessionLink {
      const { client, session: id, time } = record;
      const known = stored(client, id);
      const root = known?.session.project.root ?? "";
      const project = isExact ? record.project : placed(record.project, root);
      knowProject(project);
      if (known) return { session: known.row, root, project, isBare: isBareSession(known.session) };
      const of = { id, client, project: { id: project, name: "", root: "" } };
      const bare = { ...of, status: "active", startedAt: time, lastActiveAt: time } as const;
      return { session: write(bare), root: "", project, isBare: true };
    },
    /** Of a bare one the project is that of its oldest record, its times theirs; without any it is none. */
    settleBare(row: number): void {
      const own = db.get<Row>("SELECT * FROM sessions WHERE id = ?", [row]);
      if (!own || !isBareSession(sessionIn(own))) return;
      const first = oldest.get({ row });
      if (first) {
        knowProject(first.project);
        widen.run({ row, ...first });
      } else remove.run([row]);
    },
    knowProject,
  };
}

/** No column of a session is JSON. */
function sessionIn(row: Row): Session {
  return readFields(kinds.session.fields, row, () => undefined) as unknown as Session;
}

// Which observation a newer one supersedes: worked out from what is there, so that the order in which it came says nothing.

/** `n` says what `o` says, otherwise: same project, same words in the title, a file in common (or none in both), another prompt. */
const isSameThing = `n.project = o.project AND n.title_key = o.title_key AND n.title_key <> ''
  AND NOT (o.session_id = n.session_id AND o.prompt_number = n.prompt_number)
  AND (EXISTS (SELECT 1 FROM observation_files a JOIN observation_files b ON a.path = b.path
               WHERE a.observation_id = n.id AND b.observation_id = o.id)
    OR NOT EXISTS (SELECT 1 FROM observation_files a WHERE a.observation_id IN (n.id, o.id)))`;

/** Of one moment any way that is always the same decides. */
const isNewer = `n.created_at >= o.created_at AND (n.created_at > o.created_at OR n.id <> o.id AND (n.prompt_number, n.content_hash, (SELECT client_session_id FROM sessions WHERE id = n.session_id))
    > (o.prompt_number, o.content_hash, (SELECT client_session_id FROM sessions WHERE id = o.session_id)))`;

/** What the user pinned or edited holds. */
const isHeld = `EXISTS (SELECT 1 FROM marks k WHERE k.kind = 'observation' AND k.record = o.id
  AND (k.pinned = 1 OR k.edited_at IS NOT NULL))`;

/** After these observations came or were changed: each is superseded by the next newer one of the same thing. */
export function supersede(db: Database, ids: Iterable<number>): void {
  const touched = new Set(ids);
  // Those that one of them supersedes, or may supersede from now on.
  const older = db.prepare<{ id: number }>(`
    SELECT o.id FROM observations o WHERE o.superseded_by = $id
    UNION ALL SELECT o.id FROM observations n JOIN observations o INDEXED BY observations_by_title
      ON o.project = n.project AND o.title_key = n.title_key
    WHERE n.id = $id AND o.id <> n.id AND ${isNewer} AND coalesce(
      (SELECT s.created_at >= n.created_at FROM observations s WHERE s.id = o.superseded_by), 1) AND ${isSameThing}`);
  for (const id of [...touched]) for (const one of older.all({ id })) touched.add(one.id);
  const next = db.prepare<{ id: number; was: number | null; next: number | null }>(`
    SELECT o.id, o.superseded_by AS was, (
      SELECT n.id FROM observations n INDEXED BY observations_by_title
      WHERE n.project = o.project AND n.title_key = o.title_key AND ${isNewer} AND ${isSameThing} AND NOT ${isHeld}
      ORDER BY n.created_at, n.prompt_number, n.content_hash, (SELECT client_session_id FROM sessions WHERE id = n.session_id) LIMIT 1) AS next
    FROM observations o WHERE o.id = $id`);
  const settle = db.prepare("UPDATE observations SET superseded_by = $next WHERE id = $id");
  for (const id of touched) {
    const found = next.get({ id });
    // Most are as they were, and a row that is written costs its checksum too.
    if (found && found.next !== found.was) settle.run({ id, next: found.next });
  }
}

/** Those that are superseded by what is about to go, with all that is of the sessions or by itself. */
export function supersededBy(db: Database, ids: readonly number[]): number[] {
  return db
    .all<{ id: number }>(
      "SELECT id FROM observations WHERE superseded_by IN (SELECT value FROM json_each(?))",
      [JSON.stringify(ids)],
    )
    .map(({ id }) => id)
    .filter((id) => !ids.includes(id));
}
