// The books, as rows: what each strategy kept out, put in, waited for and had to give back, by day, session, tool and reason; and what sessions took.
import * as v from "valibot";
import type { Database, Row } from "../../host/sqlite.ts";
import type { EndlessNote, ToolPart } from "../../sdk/endless.ts";
import { localClock } from "../../text/text.ts";
import type { Gain, Moved } from "./gain.ts";

/**
 * `kept`: something was taken out. `recalled`: it was asked for again. `missed`: it was looked at again, and then used. The others
 * are what strategies note.
 */
export type BookKind = "kept" | "recalled" | "missed" | EndlessNote["kind"];

/** One happening. */
export interface Booking {
  /** Epoch ms. */
  at: number;
  strategy: string;
  kind: BookKind;
  session: string;
  /** The subagent's id inside a subagent. */
  agent?: string | undefined;
  project?: string | undefined;
  tool?: string | undefined;
  part?: ToolPart | undefined;
  reason?: string | undefined;
  /** Characters that were there before, for `kept`. */
  whole?: number | undefined;
  /** Kept out for `kept`, else put in or given back. */
  characters?: number | undefined;
  tokens?: number | undefined;
  ms?: number | undefined;
}

/** Happenings of one kind together. */
export interface BookLine {
  strategy: string;
  kind: BookKind;
  tool: string;
  part: ToolPart | "";
  reason: string;
  count: number;
  whole: number;
  characters: number;
  tokens: number;
  ms: number;
  longestMs: number;
  /** Of the newest: epoch ms, and its session. */
  at: number;
  session: string;
}

export interface BookQuery {
  /** Epoch ms; whole days count. */
  since: number;
  project?: string | undefined;
  session?: string | undefined;
  strategy?: string | undefined;
}

const longestReason = 120;

/** Writes happenings down. */
export function book(db: Database, bookings: readonly Booking[]): void {
  const statement = db.prepare(
    `INSERT INTO books VALUES
       ($at, $day, $strategy, $kind, $tool, $part, $session, $agent, $reason, $project, 1, $whole, $characters, $tokens, $ms, $ms)`,
  );
  for (const one of bookings)
    statement.run({
      at: one.at,
      day: localClock.day(one.at),
      strategy: one.strategy,
      kind: one.kind,
      tool: one.tool ?? "",
      part: one.part ?? "",
      session: one.session,
      agent: one.agent ?? "",
      reason: (one.reason ?? "").slice(0, longestReason),
      project: one.project ?? "",
      whole: whole(one.whole),
      characters: whole(one.characters),
      tokens: whole(one.tokens),
      ms: whole(one.ms),
    });
}

/** A time at which an agent turned out to need what was taken out. */
export const MissCaseSchema = v.object({
  /** Epoch ms. */
  at: v.number(),
  strategy: v.string(),
  tool: v.string(),
  /** The strategy's word for what was done to it. */
  kind: v.string(),
  session: v.string(),
  toolUseId: v.string(),
  /** The line or word that the agent used; null where it recalled the original. */
  used: v.nullable(v.string()),
});
export type MissCase = v.InferOutput<typeof MissCaseSchema>;

/** Goes with what was kept: a line of it must not outlive it. */
export function writeMiss(db: Database, miss: Omit<MissCase, "tool" | "kind">): void {
  db.prepare(
    `INSERT INTO misses SELECT id, $at, $used FROM refs
     WHERE tool_use = $toolUseId AND session = $session AND strategy = $strategy ORDER BY id DESC LIMIT 1`,
  ).run({ ...miss, used: miss.used?.slice(0, longestReason) ?? null });
}

const mostCases = 100;

/** The newest first. */
export function missCases(db: Database, query: BookQuery): MissCase[] {
  const { since, project, session, strategy } = query;
  return db
    .prepare<MissCase & Row>(
      `SELECT at, strategy, tool, kind, session, tool_use AS toolUseId, used FROM misses JOIN refs ON refs.id = ref
       WHERE at >= $since AND ($project IS NULL OR project = $project)
         AND ($session IS NULL OR session = $session) AND ($strategy IS NULL OR strategy = $strategy)
       ORDER BY at DESC, ref DESC LIMIT ${mostCases}`,
    )
    .all({ since, project, session, strategy });
}

/** A plugin's word: anything but a number counts as none. */
function whole(value: number | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value) : 0;
}

/** What was kept out and fetched back on one day. Tokens are estimates. */
export const BookDaySchema = v.object({
  /** `2026-11-21`, local time. */
  key: v.string(),
  reduced: v.number(),
  tokensOut: v.number(),
  fetchedBack: v.number(),
  tokensBack: v.number(),
});
export type BookDay = v.InferOutput<typeof BookDaySchema>;

type LineRow = Omit<BookLine, "at" | "session"> & Row & { newest: string };

// Who notes something need not know the project that its session has.
const asked = `day >= $day
         AND ($project IS NULL OR project = $project
              OR (project = '' AND session IN (SELECT session FROM books WHERE project = $project)))
         AND ($session IS NULL OR session = $session) AND ($strategy IS NULL OR strategy = $strategy)`;

function paramsOf({ since, project, session, strategy }: BookQuery) {
  return { day: localClock.day(since), project, session, strategy };
}

/** Sums by strategy, kind, tool, part and reason, the largest first. */
export function bookLines(db: Database, query: BookQuery): BookLine[] {
  return db
    .prepare<LineRow>(
      `SELECT strategy, kind, tool, part, reason, sum(count) AS count, sum(whole) AS whole, sum(characters) AS characters,
         sum(tokens) AS tokens, sum(ms) AS ms,
         max(longest_ms) AS longestMs,
         max(printf('%015d %s', at, session)) AS newest
       FROM books WHERE ${asked}
       GROUP BY strategy, kind, tool, part, reason ORDER BY sum(characters) DESC, sum(count) DESC`,
    )
    .all(paramsOf(query))
    .map(({ newest, ...line }) => {
      const [at = "", session = ""] = newest.split(/ (.*)/s);
      return { ...line, at: Number(at), session };
    });
}

/** Days on which something was kept out or fetched back, newest first. */
export function bookDays(db: Database, query: BookQuery): BookDay[] {
  const sum = (column: string, kinds: string) =>
    `coalesce(sum(${column}) FILTER (WHERE kind IN (${kinds})), 0)`;
  const back = "'recalled', 'missed'";
  return db
    .prepare<BookDay & Row>(
      `SELECT day AS key, ${sum("count", "'kept'")} AS reduced, ${sum("tokens", "'kept'")} AS tokensOut,
         ${sum("count", back)} AS fetchedBack, ${sum("tokens", back)} AS tokensBack
       FROM books WHERE ${asked} AND kind IN ('kept', ${back}) GROUP BY day ORDER BY day DESC`,
    )
    .all(paramsOf(query));
}

/**
 * Tokens that left the context of each agent of a session because of Endless Mode, or (negative) came into it; "" is the
 * session's own. What `live` leaves out was never sent. `first`: when something was first left out (epoch ms).
 */
export function movedIn(
  db: Database,
  session: string,
): { moved: Map<string, Moved[]>; first: number | undefined } {
  const rows = db
    .prepare<{ at: number; agent: string; tokens: number; strategy: string; kind: BookKind }>(
      `SELECT at, agent, tokens, strategy, kind FROM books WHERE session = ?
       AND kind IN ('kept', 'recalled', 'reread', 'injected') ORDER BY at`,
    )
    .all([session]);
  const moved = new Map<string, Moved[]>();
  for (const { at, agent, tokens, strategy, kind } of rows) {
    const isOut = kind === "kept";
    const one = { at, tokens: isOut ? tokens : -tokens, wasSent: isOut && strategy !== "live" };
    moved.set(agent, [...(moved.get(agent) ?? []), one]);
  }
  return { moved, first: rows.find(({ kind }) => kind === "kept")?.at };
}

/** What a strategy took out of a session and put in is there no more. */
export function unbookSession(db: Database, session: string, strategy: string): void {
  db.prepare(
    "DELETE FROM books WHERE session = ? AND strategy = ? AND kind IN ('kept', 'recalled', 'reread', 'missed', 'rewrote', 'injected')",
  ).run([session, strategy]);
}

/** Lines of days before `before` (epoch ms) go, and the usage of sessions not heard of since; gives how many lines. */
export function pruneBooks(db: Database, before: number): number {
  db.prepare("DELETE FROM sessions WHERE updated_at < ?").run([before]);
  const { changes } = db.prepare("DELETE FROM books WHERE day < ?").run([localClock.day(before)]);
  return changes;
}

// What sessions' requests took, before and after something was first left out.

/** Usage of some of a session's turns. */
export const TurnUsageSchema = v.object({
  /** Answers of the model that reported their usage. */
  turns: v.number(),
  input: v.number(),
  output: v.number(),
  cacheRead: v.number(),
  cacheWrite: v.number(),
});
export type TurnUsage = v.InferOutput<typeof TurnUsageSchema>;
/** A session with Endless Mode, or one that was held out. */
export interface SessionUsage {
  session: string;
  project: string;
  /** Those switched on there; for a held-out session those that would have been. */
  strategies: readonly string[];
  heldOut: boolean;
  /** Epoch ms; null while nothing was left out. */
  firstReducedAt: number | null;
  /** Epoch ms. */
  updatedAt: number;
  before: TurnUsage;
  after: TurnUsage;
  /** Absent where an earlier version counted the session. */
  gain?: Gain | undefined;
}

type UsageRow = Row &
  Pick<SessionUsage, "session" | "project" | "firstReducedAt" | "updatedAt"> & {
    strategies: string;
    heldOut: number;
    usage: string;
  };

/** In place of what was known of the session. */
export function writeSessionUsage(db: Database, usage: SessionUsage): void {
  const { session, project, strategies, heldOut, firstReducedAt, updatedAt, before, after, gain } =
    usage;
  db.prepare(
    `INSERT OR REPLACE INTO sessions (session, project, strategies, held_out, first_reduced_at, updated_at, usage)
     VALUES ($session, $project, $strategies, $heldOut, $firstReducedAt, $updatedAt, $usage)`,
  ).run({
    session,
    project,
    strategies: strategies.join(" "),
    heldOut,
    firstReducedAt,
    updatedAt,
    usage: JSON.stringify({ before, after, gain }),
  });
}

/** Sessions heard of since `since` (epoch ms), oldest first. */
export function sessionUsages(
  db: Database,
  { since, project, session }: BookQuery,
): SessionUsage[] {
  return db
    .prepare<UsageRow>(
      `SELECT session, project, strategies, usage, held_out AS heldOut, first_reduced_at AS firstReducedAt,
         updated_at AS updatedAt
       FROM sessions WHERE updated_at >= $since AND ($project IS NULL OR project = $project)
         AND ($session IS NULL OR session = $session) ORDER BY updated_at`,
    )
    .all({ since, project, session })
    .map(({ usage, strategies, heldOut, ...row }) => ({
      ...row,
      strategies: strategies.split(" ").filter(Boolean),
      heldOut: heldOut !== 0,
      ...(JSON.parse(usage) as Pick<SessionUsage, "before" | "after" | "gain">),
    }));
}
