// What a person decides about projects: joins, splits and names, which hold for everything that comes.
import type { Database, SqlInput } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ProjectChange, RecordKind } from "../sdk/storage.ts";
import { calledSo } from "../text/paths.ts";
import { baseName } from "../text/text.ts";
import { allKinds, documentOf, kinds } from "./fields.ts";
import { isAnybodys, mainCheckout, projectsIn } from "./filter.ts";
import { readKind } from "./list.ts";
import { noteOwnWord, projectIdentity, renote, wordsAbout } from "./log.ts";
import { type Findable, searchDocument } from "./search-index.ts";

type Choice = { id: string; project?: string; name?: string | null };
type Write = (db: Database, choice: Choice) => void;

/** Writes what a person decided; to be called inside a transaction. Throws `record_not_found` and `usage`. */
export function chooseProjects(
  db: Database,
  index: Findable,
  change: ProjectChange,
  time: number,
): void {
  const { ids, into, apart, name } = change;
  const write = (_: Database, { id, project, name: called }: Choice) => {
    const body = {
      id,
      ...(project && { into: project }),
      ...(called !== undefined && { name: called }),
    };
    noteOwnWord(db, projectIdentity(id), id, "project", body, time);
    settleChoice(db, id);
  };
  const chosen = [into, apart, name].filter((one) => one !== undefined);
  if (chosen.length !== 1 || ids.length === 0)
    throw new MemoirError("usage", "Join, split or rename projects, one of the three.");
  if (name !== undefined) {
    const [one = ""] = ids;
    if (ids.length > 1) throw new MemoirError("usage", "Rename one project at a time.");
    write(db, { id: projectsIn(db).of(captured(db, one)).id, name: name.trim() || null });
  } else if (apart)
    for (const id of ids.map((one) => folderOf(db, one))) write(db, { id, project: id });
  else join(db, ids, into ?? "", write);
  settleFolders(db, index);
}

function join(db: Database, ids: readonly string[], into: string, write: Write): void {
  const target = projectsIn(db).of(captured(db, into)).id;
  const others = ids.map((one) => captured(db, one)).filter((id) => id !== target);
  for (const id of others) write(db, { id, project: target });
}

/** The captured id that somebody means: a project's own by its id or name, else one that belongs to a project. */
function captured(db: Database, named: string): string {
  const all = projectsIn(db).all();
  const byId = all.filter(({ id }) => id === named);
  const found = byId.length > 0 ? byId : calledSo(all, named);
  if (found.length > 1)
    throw new MemoirError("usage", `Several projects are called ${named}.`, {
      fix: `Name one by its id: ${found.map(({ id }) => id).join(", ")}.`,
    });
  const [one] = found;
  if (one) return one.id;
  if (all.some(({ ids }) => ids.includes(named))) return named;
  throw new MemoirError("record_not_found", `There is no project ${named}.`, {
    fix: "`memoir memory projects list` names those that there are.",
  });
}

/** What can be kept apart: a captured id, or a folder in which one was captured. */
function folderOf(db: Database, named: string): string {
  const isFolder = projectsIn(db).checkouts.some(({ root }) => mainCheckout(root) === named);
  return isFolder && !isAnybodys(named) ? named : captured(db, named);
}

/** What a person decided about projects, by all that was said of them: of those that there are. */
export function settleChoices(db: Database): void {
  const words = db.all<{ id: string }>(
    "SELECT DISTINCT body ->> '$.id' AS id FROM changes WHERE kind = 'project'",
  );
  for (const { id } of words) settleChoice(db, id);
  tidyProjects(db);
}

/** A project of which nothing is left is not named either. */
export function tidyProjects(db: Database): void {
  db.exec(`DELETE FROM project_choices WHERE id NOT IN (SELECT id FROM projects)
    AND coalesce(project, id) NOT IN (SELECT id FROM projects)`);
}

function settleChoice(db: Database, id: string): void {
  const choice: { project: SqlInput; name: SqlInput } = { project: null, name: null };
  for (const { body } of wordsAbout(db, projectIdentity(id), "('project')")) {
    if (typeof body.into === "string") choice.project = body.into;
    if (body.name !== undefined) choice.name = body.name === null ? null : String(body.name);
  }
  db.prepare(
    "INSERT OR REPLACE INTO project_choices (id, project, name) VALUES ($id, $project, $name)",
  ).run({ id, ...choice });
}

/** Of an open database: what is captured in a folder that a person decided about is that folder's own, not its remote's. */
export function placing(db: Database): (captured: string, root: string) => string {
  const find = db.prepare("SELECT 1 FROM project_choices WHERE id = ? AND project IS NOT NULL");
  return (captured, root) => {
    const folder = mainCheckout(root);
    return mainCheckout(captured) !== folder && find.get([folder]) ? folder : captured;
  };
}

/** The same of what names its session, not its client. */
export function placingBySession(db: Database): (captured: string, session: string) => string {
  const placed = placing(db);
  const find = db.prepare<{ root: string }>(
    "SELECT root FROM sessions WHERE client_session_id = ? ORDER BY root DESC LIMIT 1",
  );
  return (captured, session) => placed(captured, find.get([session])?.root ?? "");
}

/** What was captured there before is moved into its place; nothing else ever is. */
export function settleFolders(db: Database, index: Findable): void {
  const chosen = db
    .prepare<{ id: string }>("SELECT id FROM project_choices WHERE project IS NOT NULL")
    .all();
  if (chosen.length === 0) return;
  const folders = new Set(chosen.map(({ id }) => id));
  for (const { root } of projectsIn(db).checkouts) {
    const to = mainCheckout(root);
    if (!folders.has(to)) continue;
    db.prepare("INSERT OR IGNORE INTO projects (id, name) VALUES (?, ?)").run([to, baseName(to)]);
    for (const kind of allKinds) move(db, index, kind, { root, to });
  }
}

const sessions = "SELECT id FROM sessions WHERE root = $root";
/** Of each kind, which rows are of the sessions of a folder; where they are not found by their session. */
const ofFolder: Partial<Record<RecordKind, string>> = {
  memory: "client_session_id IN (SELECT client_session_id FROM sessions WHERE root = $root)",
  session: "root = $root",
};

function move(
  db: Database,
  index: Findable,
  kind: RecordKind,
  where: { root: string; to: string },
): void {
  const isElsewhere = "project <> $to AND substr(project, 1, length($to) + 1) <> $to || '/'";
  const condition = `${ofFolder[kind] ?? `session_id IN (${sessions})`} AND ${isElsewhere}`;
  const rows = db
    .prepare<{ id: number }>(
      `UPDATE OR IGNORE ${kinds[kind].table} SET project = $to WHERE ${condition} RETURNING id`,
    )
    .all(where)
    .map(({ id }) => id);
  const moved = readKind(db, kind, "WHERE r.id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(rows),
  ]);
  for (const { row } of moved) renote(db, kind, row);
  for (const read of moved)
    index.put(documentOf({ kind, row: read.row }), () => searchDocument(kind, read.record, read));
}
