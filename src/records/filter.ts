// A record filter, and what the user marked, as SQL conditions. Names are resolved first, so that the statements compare indexed columns only.
import type { Database, SqlInput } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { RecordFilter, RecordKind } from "../sdk/storage.ts";
import type { Marks } from "../sdk/turn.ts";
import { isAbsolutePath } from "../text/paths.ts";
import { baseName } from "../text/text.ts";
import { type FileKind, kinds, recordKinds, slashed } from "./fields.ts";
import { perState, projectsIn } from "./projects.ts";

/** Conditions for a WHERE and their named parameters. */
export interface Where {
  conditions: string[];
  params: Record<string, SqlInput>;
}

/** A filter after its names were looked up. */
export interface ResolvedFilter extends Omit<RecordFilter, "project" | "session"> {
  /** Captured ids of the projects meant; empty when there is none of that name. */
  projects?: string[];
  /** The client's full session id; empty when there is none. */
  session?: string;
  /** So many observations have the concept that it is better checked on each row than looked up. */
  isCommonConcept?: boolean;
}

const commonConcept = 2000;

/** Looks up the project by id or name, and the session by the beginning of its id (`session_ambiguous` when several fit). */
export function resolveFilter(db: Database, filter: RecordFilter): ResolvedFilter {
  const { project, session, ...rest } = filter;
  return {
    ...rest,
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

/** Project, session, client, since and until, on rows `r` of a kind and `s` of their sessions. */
export function placeAndTime(filter: ResolvedFilter, kind: RecordKind): Where {
  const { session, client, time } = kinds[kind];
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
  if (filter.session !== undefined) {
    where.conditions.push(`${session} = $session`);
    where.params.session = filter.session;
  }
  if (filter.client !== undefined && client !== undefined) {
    where.conditions.push(`${client} = $client`);
    where.params.client = filter.client;
  }
  if (filter.since !== undefined) {
    where.conditions.push(`${time} >= $since`);
    where.params.since = filter.since;
  }
  if (filter.until !== undefined) {
    where.conditions.push(`${time} < $until`);
    where.params.until = filter.until;
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
  const parts = recordKinds.flatMap((kind) =>
    hiddenBy(kind).map(({ where, among }) => {
      const all = among === undefined ? where : `${among} AND ${where}`;
      return `SELECT '${kinds[kind].letter}' || r.id AS id FROM ${kinds[kind].table} r WHERE ${all}`;
    }),
  );
  const found = db.prepare<{ id: string }>(parts.join(" UNION ALL ")).all();
  return new Set(found.map(({ id }) => id));
});
