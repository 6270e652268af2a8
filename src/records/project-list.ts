// Projects as they are listed: what each is made of, and which of them look like one repository.
import type { Database } from "../host/sqlite.ts";
import type { ProjectCount } from "../sdk/storage.ts";
import { isAbsolutePath } from "../text/text.ts";
import { isAnybodys, mainCheckout, projectsIn } from "./filter.ts";

type Counted = Required<Omit<ProjectCount, "folders" | "like">>;
/** What looks like a project. */
type Like = NonNullable<ProjectCount["like"]>;

/** The last active first. */
export function projectCounts(db: Database): Counted[] {
  const rows = db
    .prepare<Record<keyof Omit<Counted, "ids" | "name" | "plain">, string | number>>(`
      SELECT j.id, count(s.id) AS sessions, coalesce(max(s.last_active_at), 0) AS lastActiveAt,
        (SELECT count(*) FROM observations o WHERE o.project = j.id) AS observations
      FROM projects j LEFT JOIN sessions s ON s.project = j.id GROUP BY j.id`)
    .all();
  const counts = new Map(rows.map((row) => [row.id, row]));
  const sum = (ids: readonly string[], of: "sessions" | "observations") =>
    ids.reduce((all, id) => all + Number(counts.get(id)?.[of] ?? 0), 0);
  return projectsIn(db)
    .all()
    .map(({ id, name, plain, ids }) => ({
      id,
      name,
      plain,
      sessions: sum(ids, "sessions"),
      observations: sum(ids, "observations"),
      lastActiveAt: Math.max(...ids.map((one) => Number(counts.get(one)?.lastActiveAt ?? 0))),
      ids: ids.toSorted(),
    }))
    .sort((a, b) => b.lastActiveAt - a.lastActiveAt || (a.id < b.id ? -1 : 1));
}

/** The same, with the folders of each, and what looks like it. */
export function listProjects(db: Database): Array<Required<ProjectCount>> {
  const { checkouts, of } = projectsIn(db);
  const folders = Map.groupBy(checkouts, ({ id }) => of(id).id);
  const counts = projectCounts(db);
  const alike = likenesses(db, counts);
  return counts.map((one) => {
    const roots = (folders.get(one.id) ?? []).map(({ root }) => root).filter((root) => root !== "");
    return { ...one, folders: [...new Set(roots)].sort(), like: alike.get(one.id) ?? [] };
  });
}

/** Files so deep in a tree have names of their own: `src/index.ts` is in every second repository. */
const deep = 2;
/** So many in common, and such a share of the smaller project's, look like one repository. */
const fewest = 2;
const share = 0.4;

/** Of each folder that belongs to nothing and was not kept apart, the project that has most of its files, or that was captured in it. */
function likenesses(db: Database, projects: readonly Counted[]): Map<string, Like> {
  const { checkouts, choices, of } = projectsIn(db);
  const apart = new Set(choices.flatMap(({ id, into }) => (id === into ? [id] : [])));
  const alone = projects.filter(
    ({ id }) => isAbsolutePath(id) && !isAnybodys(id) && !apart.has(id),
  );
  if (alone.length === 0) return new Map();
  const files = filesByProject(db);
  const like = new Map<string, Like>();
  for (const { id } of alone) {
    const inFolder = checkouts.filter(({ root }) => mainCheckout(root) === id);
    const captured = [...new Set(inFolder.map((one) => of(one.id).id))].filter((one) => one !== id);
    const found = captured.map((one) => ({ id: one, why: `it was in ${id}, too` }));
    const best = captured.length > 0 ? undefined : mostAlike(id, files);
    if (best) found.push(best);
    if (found.length > 0) like.set(id, found);
  }
  return like;
}

function mostAlike(id: string, files: ReadonlyMap<string, ReadonlySet<string>>) {
  const own = files.get(id) ?? new Set();
  const [best] = [...files]
    .filter(([other]) => other !== id)
    .map(([other, theirs]) => {
      const smaller = Math.min(own.size, theirs.size);
      return { other, size: theirs.size, shared: own.intersection(theirs), smaller };
    })
    .filter(({ shared, smaller }) => shared.size >= fewest && shared.size >= smaller * share)
    .sort(
      (a, b) => b.shared.size - a.shared.size || b.size - a.size || (a.other < b.other ? -1 : 1),
    );
  if (!best) return undefined;
  const { other, shared, smaller } = best;
  const [example = ""] = [...shared].sort((a, b) => b.length - a.length);
  return { id: other, why: `${shared.size} of ${smaller} files are the same, such as ${example}` };
}

/** The deep files that the turns of each project named, relative to their checkouts. */
function filesByProject(db: Database): Map<string, Set<string>> {
  const { of } = projectsIn(db);
  const rows = db
    .prepare<{ project: string; path: string }>(
      `SELECT DISTINCT t.project, f.path FROM turn_files f JOIN turns t ON t.id = f.turn_id
       WHERE f.path LIKE '%${"/%".repeat(deep)}' AND f.path NOT LIKE '/%' AND f.path NOT LIKE '.%' AND f.path NOT LIKE '_:%'`,
    )
    .all();
  const files = new Map<string, Set<string>>();
  for (const { project, path } of rows) {
    const { id } = of(project);
    files.set(id, (files.get(id) ?? new Set()).add(path));
  }
  return files;
}
