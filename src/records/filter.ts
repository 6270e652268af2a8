// A record filter, and what the user marked, as SQL conditions. Names are resolved first, so that the statements compare indexed columns only.
import { type Database, perState, type Row, type SqlInput } from "../host/sqlite.ts";
import type { Author } from "../sdk/change.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { RecordFilter, RecordKind } from "../sdk/storage.ts";
import type { Marks } from "../sdk/turn.ts";
import { calledSo, pathBelow } from "../text/paths.ts";
import { baseName, isAbsolutePath } from "../text/text.ts";
import { allKinds, type FileKind, kinds, slashed } from "./fields.ts";

/** Conditions for a WHERE and their named parameters. */
export interface Where {
  conditions: string[];
  params: Record<string, SqlInput>;
}

/** A filter after its names were looked up. */
export interface ResolvedFilter extends Omit<RecordFilter, "project" | "session" | "person"> {
  /** Captured ids of the projects meant; empty when there is none of that name. */
  projects?: string[];
  /** The client's full session id; empty when there is none. */
  session?: string;
  /** Whether a change, `c`, was made by the person meant. */
  madeBy?: Where;
  /** So many observations have the concept that it is better checked on each row than looked up. */
  isCommonConcept?: boolean;
}

const commonConcept = 2000;

/** Looks up the project by id or name, and the session by the beginning of its id (`session_ambiguous` when several fit). */
export function resolveFilter(db: Database, filter: RecordFilter): ResolvedFilter {
  const { project, session, person, ...rest } = filter;
  return {
    ...rest,
    ...(person === undefined ? {} : { madeBy: madeByWhere(db, person) }),
    ...(project === undefined ? {} : { projects: projectsIn(db).idsOf(project) }),
    ...(session === undefined ? {} : { session: sessionId(db, session) }),
    ...(filter.concept === undefined
      ? {}
      : { isCommonConcept: observationsWith(db, filter.concept) > commonConcept }),
  };
}

/** Counts no further than it takes to call a concept common. */
function observationsWith(db: Database, concept: string): number {
  const count = db.prepare<{ n: number }>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM observation_concepts WHERE concept = ? LIMIT ?)",
  );
  return count.get([concept, commonConcept + 1])?.n ?? 0;
}

function sessionId(db: Database, beginning: string): string {
  if (beginning === "") return "";
  const found = db
    .prepare<{ id: string }>(
      `SELECT DISTINCT client_session_id AS id FROM sessions
       WHERE client_session_id >= $from AND client_session_id < $to
       ORDER BY client_session_id LIMIT 2`,
    )
    .all({ from: beginning, to: `${beginning}\u{10ffff}` })
    .map((row) => row.id);
  // A full id sorts before the longer ones that begin with it.
  if (found.length > 1 && found[0] !== beginning)
    throw new MemoirError("session_ambiguous", `Several sessions begin with "${beginning}".`);
  return found[0] ?? "";
}

/** What filters of one value ask of a row `r` of a kind, or of its session's row `s`; a kind that has no such thing is not narrowed. */
const ofOneValue = {
  session: ({ session }) => `${session} = $session`,
  client: ({ client }) => client && `${client} = $client`,
  since: ({ time }) => `${time} >= $since`,
  until: ({ time }) => `${time} < $until`,
} as const satisfies {
  [Name in keyof ResolvedFilter]?: (of: (typeof kinds)[RecordKind]) => string | undefined;
};

/** Project, maker and what has one value, on rows `r` of a kind and `s` of their sessions. */
export function placeAndTime(filter: ResolvedFilter, kind: RecordKind): Where {
  const where: Where = { conditions: [], params: {} };
  if (filter.projects) {
    where.conditions.push(
      filter.projects.length === 1
        ? "r.project = $project"
        : "r.project IN (SELECT value FROM json_each($projects))",
    );
    where.params.project = filter.projects[0] ?? "";
    where.params.projects = JSON.stringify(filter.projects);
  }
  for (const name of Object.keys(ofOneValue) as Array<keyof typeof ofOneValue>) {
    const condition = filter[name] === undefined ? undefined : ofOneValue[name](kinds[kind]);
    if (condition === undefined) continue;
    where.conditions.push(condition);
    where.params[name] = filter[name];
  }
  if (filter.madeBy) {
    const { conditions, params } = filter.madeBy;
    const made = ["c.row = r.id", `c.kind = '${kind}'`, ...conditions].join(" AND ");
    where.conditions.push(`EXISTS (SELECT 1 FROM changes c WHERE ${made})`);
    Object.assign(where.params, params);
  }
  return where;
}

/** Concept, on rows of observations. */
export function conceptWhere(filter: ResolvedFilter, alias: string): Where {
  const { concept, isCommonConcept } = filter;
  if (concept === undefined) return nowhere;
  const condition = isCommonConcept
    ? `EXISTS (SELECT 1 FROM observation_concepts WHERE observation_id = ${alias}.id AND concept = $concept)`
    : `${alias}.id IN (SELECT observation_id FROM observation_concepts WHERE concept = $concept)`;
  return { conditions: [condition], params: { concept } };
}

/** File, on rows of a kind that has files. */
export function fileWhere(filter: ResolvedFilter, kind: FileKind, alias = "r"): Where {
  const { file, formerly = [] } = filter;
  if (file === undefined) return nowhere;
  const names = [file, ...formerly].map((name, i) => oneFile(name, i, kind, alias));
  const params = both(...names).params;
  return { conditions: [names.flatMap(({ conditions }) => conditions).join(" OR ")], params };
}

function oneFile(file: string, number: number, kind: FileKind, alias: string): Where {
  const path = slashed(file);
  const [whole, end, base] = [`file${number}`, `ending${number}`, `basename${number}`];
  // An absolute path also means the relative ones of its own checkout.
  const [from, absolute] = isAbsolutePath(path)
    ? [
        ` JOIN ${kinds[kind].table} fo ON fo.id = f.${kind}_id JOIN sessions fs ON fs.id = fo.session_id`,
        ` OR replace(fs.root, '\\', '/') || '/' || f.path = $${whole}`,
      ]
    : ["", ""];
  return {
    conditions: [
      `${alias}.id IN (SELECT f.${kind}_id FROM ${kind}_files f${from} WHERE f.basename = $${base} AND (f.path = $${whole} OR substr(f.path, -length($${end})) = $${end}${absolute}))`,
    ],
    params: {
      [whole]: path,
      [end]: path.startsWith("/") ? path : `/${path}`,
      [base]: baseName(path),
    },
  };
}

const nowhere: Where = { conditions: [], params: {} };

/** Several sets of conditions as one. */
export function both(...parts: Where[]): Where {
  return {
    conditions: parts.flatMap((part) => part.conditions),
    params: Object.assign({}, ...parts.map((part) => part.params)) as Where["params"],
  };
}

/** ` WHERE …`, or nothing. */
export function whereClause(where: Where): string {
  return where.conditions.length > 0
    ? ` WHERE ${where.conditions.map((c) => `(${c})`).join(" AND ")}`
    : "";
}

/** Whether a change, `c`, was made by a person, or on a machine, of this name in any case; `me`: by whoever this memory belongs to. */
function madeByWhere(db: Database, name: string): Where {
  const wanted = name.toLowerCase();
  const replicas = db.all<{ n: number; own: number; author: string | null }>(
    "SELECT n, own, author FROM replicas",
  );
  const read = (author: string | null | undefined) => JSON.parse(author ?? "{}") as Author;
  const me = read(replicas.find(({ own }) => own)?.author).person;
  const isMeant = (author: string | null) => {
    const { person, machine } = read(author);
    if (wanted === "me") return person !== undefined && person === me;
    return [person, machine].some((one) => one?.toLowerCase() === wanted);
  };
  const meant = replicas.filter(({ own, author }) => (own && wanted === "me") || isMeant(author));
  const authors = db
    .all<{ author: string }>("SELECT DISTINCT author FROM changes WHERE author IS NOT NULL")
    .flatMap(({ author }) => (isMeant(author) ? author : []));
  const among = (list: string) => `IN (SELECT value FROM json_each($${list}))`;
  return {
    conditions: [
      `CASE WHEN c.author IS NULL THEN c.replica ${among("byReplicas")} ELSE c.author ${among("byAuthors")} END`,
    ],
    params: {
      byReplicas: JSON.stringify(meant.map(({ n }) => n)),
      byAuthors: JSON.stringify(authors),
    },
  };
}

// Which records are marked by the user. Hidden is also what was made of what is hidden.

/** Hidden is also what is of a hidden session, and what was made of a hidden turn or quotes one. */
export function marksWhere(
  kind: RecordKind,
  { hidden, marked }: { hidden?: boolean; marked?: keyof Marks },
): string[] {
  const conditions: string[] = [];
  if (hidden === false) for (const { where } of hiddenBy(kind)) conditions.push(`NOT (${where})`);
  if (marked !== undefined) conditions.push(`r.id IN ${rowsWith(kind, marked)}`);
  return conditions;
}

const conditions: Readonly<Record<keyof Marks, string>> = {
  pinned: "pinned = 1",
  hidden: "hidden = 1",
  merged: "merged IS NOT NULL",
  edited: "edited_at IS NOT NULL",
};

function rowsWith(kind: RecordKind, mark: keyof Marks): string {
  const condition = conditions[mark];
  return `(SELECT record FROM marks WHERE kind = '${kind}' AND ${condition})`;
}

const sessions = rowsWith("session", "hidden");
/** Sessions as evidence names them. */
const named = `(SELECT client_session_id FROM sessions WHERE id IN ${sessions})`;
/** Numbers of sessions and of their prompts that are hidden, each with its turn or before there is one. */
export const hiddenPrompts = `SELECT session_id, prompt_number FROM turns WHERE id IN ${rowsWith("turn", "hidden")}
  UNION SELECT session_id, prompt_number FROM prompts WHERE id IN ${rowsWith("prompt", "hidden")}`;
const places = `(SELECT a.client_session_id, h.prompt_number FROM (${hiddenPrompts}) h JOIN sessions a ON a.id = h.session_id)`;
/** Sessions of which something is hidden. */
const partly = `(SELECT session_id FROM (${hiddenPrompts}))`;

/** One way in which a record is hidden, and the records among which it may be, where that is not what the condition itself looks up. */
interface HiddenBy {
  where: string;
  among?: string;
}

/** The ways in which a row `r` is hidden. A session's summary tells of all its turns, so that it is hidden with any of them. */
function hiddenBy(kind: RecordKind): HiddenBy[] {
  const own = { where: `r.id IN ${rowsWith(kind, "hidden")}` };
  if (kind === "session") return [own];
  if (kind === "memory")
    return [
      own,
      { where: `r.client_session_id IN ${named}` },
      {
        where: quotes("r.client_session_id"),
        among: `r.project IN (SELECT project FROM sessions WHERE id IN ${sessions} OR id IN ${partly})`,
      },
    ];
  const ofSession = { where: `r.session_id IN ${sessions}` };
  const ofPrompt = { where: `(r.session_id, r.prompt_number) IN (${hiddenPrompts})` };
  if (kind === "turn" || kind === "prompt") return [own, ofSession, ofPrompt];
  const session = "(SELECT client_session_id FROM sessions WHERE id = r.session_id)";
  const quoting = { where: quotes(session), among: `r.session_id IN ${partly}` };
  if (kind === "observation") return [own, ofSession, ofPrompt, quoting];
  const ofWhole = { where: `r.scope = 'session' AND r.session_id IN ${partly}` };
  return [own, ofSession, ofPrompt, ofWhole, quoting];
}

/** Whether its evidence names what is hidden; a place without a session is of the record's own. */
function quotes(own: string): string {
  const of = `coalesce(e.value ->> 'session', ${own})`;
  const evidence = "CASE WHEN json_valid(r.evidence) THEN r.evidence END";
  return `EXISTS (SELECT 1 FROM json_each(${evidence}) e WHERE ${of} IN ${named} OR (${of}, e.value ->> 'turn') IN ${places})`;
}

/** Documents of all that is hidden, by itself or with what it is of or was made of. */
export const hiddenDocuments = perState((db): ReadonlySet<string> => {
  if (!db.prepare("SELECT 1 FROM marks WHERE hidden = 1 LIMIT 1").get()) return new Set();
  const parts = allKinds.flatMap((kind) =>
    hiddenBy(kind).map(({ where, among }) => {
      const all = among === undefined ? where : `${among} AND ${where}`;
      return `SELECT '${kinds[kind].letter}' || r.id AS id FROM ${kinds[kind].table} r WHERE ${all}`;
    }),
  );
  const found = db.prepare<{ id: string }>(parts.join(" UNION ALL ")).all();
  return new Set(found.map(({ id }) => id));
});

// Which project records belong to: worked out from where sessions ran and what a person decided, in whatever order both came.

/** A project's id as it was captured, and a folder that it was captured in. */
export interface Checkout {
  id: string;
  /** Absolute; empty for a session that is known by its records alone. */
  root: string;
  /** Git was seen there. */
  isRepository: boolean;
  /** That was checked out there and has the folder's name. */
  branch?: string | null;
}

/** What a person decided about a captured id: which project it belongs to (itself: kept apart), and its name. */
export type Choice = Record<"into" | "name", string | null> & { id: string };

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
 * worktree to its main checkout, a folder named after its branch, as `git worktree add` makes them, to the one repository beside it,
 * and a folder in which git was never seen to the repository around it. Where two projects were captured in one folder nothing is
 * sure, and the folder stays by itself.
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

  const besides = new Map(
    places.flatMap(({ root, branch }) => {
      const isNamed = branch && slashed(root).endsWith(`/${branch}`);
      return isNamed ? [[root, root.slice(0, -branch.length - 1)]] : [];
    }),
  );

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

  /** The one repository in the folder that a folder named after its branch lies in. */
  function beside(id: string): string | undefined {
    const folder = besides.get(id);
    if (folder === undefined) return undefined;
    const roots = [...byRoot.keys()].filter(
      (root) => parentOf(root) === folder && !besides.has(root),
    );
    const projects = new Set(roots.map((root) => capturedIn(root) ?? root));
    return projects.size === 1 ? [...projects][0] : undefined;
  }

  function next(id: string): string {
    const into = chosen.get(id);
    if (into !== undefined || !isFolder(id)) return into ?? id;
    const main = mainCheckout(id);
    if (main !== id) return isFolder(main) ? main : id;
    return capturedIn(id) ?? around(id) ?? beside(id) ?? id;
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

const parentOf = (folder: string) => folder.replace(/[\\/][^\\/]*$/, "");

function idsOf(checkouts: readonly Checkout[]): string[] {
  return [...new Set(checkouts.map(({ id }) => id))];
}

// The same of an open database, for whoever filters, reads and counts.

/** A project: its id, what it is called beside the others, by itself, and the captured ids that belong to it. */
interface Known {
  id: string;
  name: string;
  plain: string;
  ids: string[];
}

/** Several of one name say which folder or owner they are of: as much of the end of their ids as tells them apart. */
function tellApart(all: Iterable<Known>): void {
  for (const alike of Map.groupBy(all, ({ plain }) => plain.toLowerCase()).values())
    for (const one of alike.length > 1 ? alike : []) {
      const parts = slashed(one.id).split("/");
      const ends = parts.map((_, at) => parts.slice(-2 - at).join("/"));
      const others = alike.filter((other) => other !== one).map(({ id }) => `/${slashed(id)}`);
      const end = ends.find((end) => !others.some((other) => other.endsWith(`/${end}`))) ?? one.id;
      one.name = end.endsWith(`/${one.plain}`) ? end : `${one.plain} (${end})`;
    }
}

/** What an open database says of projects, until something is written. */
export const projectsIn = perState((db: Database) => {
  const checkouts = db
    .prepare<Omit<Checkout, "isRepository"> & { seen: number }>(
      `SELECT project AS id, root, max(branch IS NOT NULL) AS seen,
         max(CASE WHEN substr(replace(root, '\\', '/'), -length(branch) - 1) = '/' || branch THEN branch END) AS branch
       FROM sessions GROUP BY project, root`,
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
      const name = chosen.get(id) ?? own;
      one = { id, name, plain: name, ids: [] };
      known.set(id, one);
    }
    return one;
  }

  for (const { id } of captured) of(id).ids.push(id);
  tellApart(known.values());
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
      return calledSo([...known.values()], project).flatMap(({ ids }) => ids);
    },
  };
});
