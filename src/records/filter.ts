// A record filter as SQL conditions. Names are resolved first, so that the statements compare indexed columns only.
import type { Database, SqlInput } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { RecordFilter, RecordKind } from "../sdk/storage.ts";
import { baseName } from "../text/text.ts";
import { type FileKind, isAbsolutePath, kinds, slashed } from "./kinds.ts";

/** Conditions for a WHERE and their named parameters. */
export interface Where {
  conditions: string[];
  params: Record<string, SqlInput>;
}

/** A filter after its names were looked up. */
export interface ResolvedFilter extends Omit<RecordFilter, "project" | "session"> {
  /** Ids of the projects meant; empty when there is none of that name. */
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
    ...(project === undefined ? {} : { projects: projectIds(db, project) }),
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

function projectIds(db: Database, project: string): string[] {
  const byId = db.prepare<{ id: string }>("SELECT id FROM projects WHERE id = ?").all([project]);
  const found =
    byId.length > 0
      ? byId
      : db.prepare<{ id: string }>("SELECT id FROM projects WHERE name = ?").all([project]);
  return found.map((row) => row.id);
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

/** Where a kind's rows say of which session and client they are, and when; a memory item has no client. */
const columns: Readonly<Record<RecordKind, { session: string; client?: string; time: string }>> = {
  observation: { session: "s.client_session_id", client: "s.client", time: "r.created_at" },
  summary: { session: "s.client_session_id", client: "s.client", time: "r.created_at" },
  prompt: { session: "s.client_session_id", client: "s.client", time: "r.created_at" },
  turn: { session: "s.client_session_id", client: "s.client", time: "r.created_at" },
  session: { session: "r.client_session_id", client: "r.client", time: "r.last_active_at" },
  memory: { session: "r.client_session_id", time: "r.created_at" },
};

/** The column of a kind's rows that orders them. */
export function timeColumn(kind: RecordKind): string {
  return columns[kind].time;
}

/** Project, session, client, since and until, on rows `r` of a kind and `s` of their sessions. */
export function placeAndTime(filter: ResolvedFilter, kind: RecordKind): Where {
  const { session, client, time } = columns[kind];
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
        ` OR fs.root || '/' || f.path = $${whole}`,
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
