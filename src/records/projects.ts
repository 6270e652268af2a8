// Which project records belong to: worked out from where sessions ran and what a person decided, in whatever order both came.
import type { Database, Row } from "../host/sqlite.ts";
import { isAbsolutePath, pathBelow } from "../text/paths.ts";
import { baseName } from "../text/text.ts";
import { slashed } from "./fields.ts";

/** A project's id as it was captured, and a folder that it was captured in. */
export interface Checkout {
  id: string;
  /** Absolute; empty for a session that is known by its records alone. */
  root: string;
  /** Git was seen there. */
  isRepository: boolean;
}

/** What a person decided about a captured id: which project it belongs to (itself: kept apart), and its name. */
export interface Choice {
  id: string;
  into: string | null;
  name: string | null;
}

/** The checkout that a worktree was made from, where its path says so: `/x/shop/.worktrees/2` and `/x/shop/.claude/worktrees/a/src` are of `/x/shop`. */
export function mainCheckout(folder: string): string {
  return /^(.+?)[\\/](?:\.worktrees|\.[^\\/]+[\\/]worktrees)[\\/]/.exec(folder)?.[1] ?? folder;
}

/** Folders that hold anything: a root, what lies directly below it (`/tmp`, `/project`), somebody's home. Nothing belongs together because of them. */
export function isAnybodys(folder: string): boolean {
  const parts = slashed(folder).split("/").slice(1).filter(Boolean);
  const [first = "", second] = parts;
  if (parts.length < 2) return true;
  return parts.length === 2 && (/^(?:home|users)$/i.test(first) || second === "tmp");
}

const isFolder = (id: string) => isAbsolutePath(id) && !isAnybodys(id);

/**
 * The project of a captured id. A person's word comes first; then a folder belongs to the one project that was captured in it, a
 * worktree to its main checkout, and a folder in which git was never seen to the repository around it. Where two projects were
 * captured in one folder nothing is sure, and the folder stays by itself.
 */
export function belonging(
  checkouts: readonly Checkout[],
  choices: readonly Choice[],
): (id: string) => string {
  const chosen = new Map(choices.flatMap(({ id, into }) => (into === null ? [] : [[id, into]])));
  const places = checkouts
    .map(({ root, ...of }) => ({ ...of, root: mainCheckout(root) }))
    .filter(({ root }) => isFolder(root));
  const byRoot = Map.groupBy(places, ({ root }) => root);
  const byId = Map.groupBy(places, ({ id }) => id);
  const repositories = [
    ...new Set(places.flatMap(({ root, isRepository }) => (isRepository ? [root] : []))),
  ];

  /** The one other project that was captured in the folder, or in one that was captured as of it: a remote, else a common folder. */
  function capturedIn(id: string): string | undefined {
    const own = byRoot.get(id) ?? [];
    const others = (byId.get(id) ?? []).flatMap(({ root }) => byRoot.get(root) ?? []);
    const remotes = idsOf([...own, ...others]).filter((one) => !isAbsolutePath(one));
    const sure = remotes.length > 0 ? remotes : idsOf(own).filter((one) => one !== id);
    return sure.length === 1 ? sure[0] : undefined;
  }

  /** The innermost repository around a folder in which git was never seen. */
  function around(id: string): string | undefined {
    if (repositories.includes(id)) return undefined;
    const outer = repositories.filter((folder) => pathBelow(folder, id) !== undefined);
    return outer.sort((a, b) => b.length - a.length)[0];
  }

  function next(id: string): string {
    const into = chosen.get(id);
    if (into !== undefined || !isFolder(id)) return into ?? id;
    const main = mainCheckout(id);
    if (main !== id) return isFolder(main) ? main : id;
    return capturedIn(id) ?? around(id) ?? id;
  }

  const targets = new Set(chosen.values());
  return (id) => {
    const way = [id];
    for (let at = next(id); at !== way.at(-1); at = next(at)) {
      // A person joined a project into a folder that evidence leads back out of: their word counts.
      const start = way.indexOf(at);
      if (start >= 0) {
        const round = way.slice(start).sort();
        return round.find((one) => targets.has(one)) ?? round[0] ?? id;
      }
      way.push(at);
    }
    return way.at(-1) ?? id;
  };
}

function idsOf(checkouts: readonly Checkout[]): string[] {
  return [...new Set(checkouts.map(({ id }) => id))];
}

// The same of an open database, for whoever filters, reads and counts.

/** A project: its id, what it is called, and the captured ids that belong to it. */
interface Known {
  id: string;
  name: string;
  ids: string[];
}

/** What an open database says of projects, until something is written. */
export const projectsIn = perState((db: Database) => {
  const checkouts = db
    .prepare<Omit<Checkout, "isRepository"> & { seen: number }>(
      "SELECT project AS id, root, max(branch IS NOT NULL) AS seen FROM sessions GROUP BY project, root",
    )
    .all()
    .map(({ seen, ...of }) => ({ ...of, isRepository: seen > 0 || of.id !== of.root }));
  const choices = db
    .prepare<Choice & Row>('SELECT id, project AS "into", name FROM project_choices')
    .all();
  const captured = db.prepare<{ id: string; name: string }>("SELECT id, name FROM projects").all();
  const projectOf = belonging(checkouts, choices);
  const chosen = new Map(choices.map(({ id, name }) => [id, name]));
  const names = new Map(captured.map(({ id, name }) => [id, name]));
  const known = new Map<string, Known>();

  function of(captured: string): Known {
    const id = projectOf(captured);
    let one = known.get(id);
    if (!one) {
      const own = isAnybodys(id) && isAbsolutePath(id) ? id : (names.get(id) ?? baseName(id));
      one = { id, name: chosen.get(id) ?? own, ids: [] };
      known.set(id, one);
    }
    return one;
  }

  for (const { id } of captured) of(id).ids.push(id);
  return {
    checkouts,
    choices,
    /** The project of a captured id. */
    of,
    /** All of them. */
    all: () => [...known.values()],
    /** The captured ids of what is called by an id, of the project or of what belongs to it, or by a name. */
    idsOf(project: string): string[] {
      const byId = known.get(project) ?? (names.has(project) ? of(project) : undefined);
      if (byId) return byId.ids;
      const name = project.toLowerCase();
      return [...known.values()].flatMap((one) => (one.name.toLowerCase() === name ? one.ids : []));
    },
  };
});

// What is asked of the database once for each state of it.

/** The same answer until something was written, through this connection or another. */
export function perState<Value>(ask: (db: Database) => Value): (db: Database) => Value {
  const known = new WeakMap<Database, { state: string; value: Value }>();
  return (db) => {
    const version = db.prepare<{ data_version: number }>("PRAGMA data_version").get();
    const changes = db.prepare<{ n: number }>("SELECT total_changes() AS n").get();
    const state = `${version?.data_version} ${changes?.n}`;
    const last = known.get(db);
    if (last?.state === state) return last.value;
    const value = ask(db);
    known.set(db, { state, value });
    return value;
  };
}
