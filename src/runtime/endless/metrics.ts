// What Endless Mode brought and what it cost: the books and the sessions' usage as one report. Pure.
import * as v from "valibot";
import type { ToolFigures } from "../../sdk/endless.ts";
import { plural } from "../../text/text.ts";
import { addUsage, noUsage } from "../../transcript/usage.ts";
import {
  type BookDay,
  BookDaySchema,
  type BookKind,
  type BookLine,
  type MissCase,
  MissCaseSchema,
  type SessionUsage,
  type TurnUsage,
  TurnUsageSchema,
} from "./books.ts";
import { addGains } from "./gain.ts";

const tool = v.object({
  strategy: v.string(),
  tool: v.string(),
  kind: v.string(),
  reduced: v.number(),
  /** Characters there were before. */
  characters: v.number(),
  charactersOut: v.number(),
  /** Tokens are estimates. */
  tokensOut: v.number(),
  fetchedBack: v.number(),
  charactersBack: v.number(),
  tokensBack: v.number(),
  judged: v.boolean(),
  profits: v.boolean(),
  why: v.string(),
});

/** What a strategy noted, by kind and reason. */
const note = v.object({
  strategy: v.string(),
  kind: v.picklist([
    "kept",
    "recalled",
    "missed",
    "injected",
    "waited",
    "timed-out",
    "rewrote",
    "retired",
    "reread",
    "declined",
    "ran",
    "unshared",
  ] satisfies BookKind[]),
  reason: v.string(),
  count: v.number(),
  characters: v.number(),
  tokens: v.number(),
  ms: v.number(),
  longestMs: v.number(),
  /** Of the newest: epoch ms, and its session. */
  at: v.number(),
  session: v.string(),
});
export type NoteMetrics = v.InferOutput<typeof note>;

/** Sessions and what their requests took, before and after something was first left out; in held-out sessions nothing is. */
const usage = v.object({ sessions: v.number(), before: TurnUsageSchema, after: TurnUsageSchema });
export type UsageMetrics = v.InferOutput<typeof usage>;

/** What was gained, all sessions that were treated together; estimated. `gain.ts` says what each figure is. */
const gained = v.object({
  sessions: v.number(),
  requests: v.number(),
  tokens: v.number(),
  more: v.number(),
  cost: v.nullable(v.number()),
  saved: v.nullable(v.number()),
  words: v.string(),
});

const compared = v.object({ treated: v.nullable(v.number()), heldOut: v.nullable(v.number()) });

/** The report. */
export const EndlessMetricsSchema = v.object({
  since: v.number(),
  /** Newest first. */
  byDay: v.array(BookDaySchema),
  tools: v.array(tool),
  /** What agents turned out to need of what was left out, newest first; at most 100. */
  misses: v.array(MissCaseSchema),
  notes: v.array(note),
  treated: usage,
  heldOut: usage,
  gained,
  /** Sessions with Endless Mode against those that were held out. */
  comparison: v.object({
    /** False where there are too few sessions on one side to say anything. */
    enough: v.boolean(),
    /** In words, what may be concluded. */
    words: v.string(),
    /** Tokens that a turn's request carried (input, cache reads and writes), on average; null without turns. */
    contextOfTurn: compared,
    /** Tokens written to the cache in a turn, on average. */
    cacheWriteOfTurn: compared,
  }),
});
export type EndlessMetrics = v.InferOutput<typeof EndlessMetricsSchema>;

/** Fewer sessions on a side say nothing: they differ more among each other than Endless Mode changes them. */
export const fewestSessions = 10;

/** The report over lines and sessions of one scope. */
export function endlessMetrics(
  since: number,
  lines: readonly BookLine[],
  sessions: readonly SessionUsage[],
  byDay: BookDay[] = [],
  misses: MissCase[] = [],
): EndlessMetrics {
  const treated = usageOf(sessions.filter(({ heldOut }) => !heldOut));
  const heldOut = usageOf(sessions.filter((session) => session.heldOut));
  return {
    since,
    byDay,
    tools: toolMetrics(lines),
    misses,
    notes: noteMetrics(lines),
    treated,
    heldOut,
    gained: addGains(sessions.flatMap(({ heldOut, gain }) => (gain && !heldOut ? [gain] : []))),
    comparison: compare(treated, heldOut),
  };
}

function toolMetrics(lines: readonly BookLine[]): EndlessMetrics["tools"] {
  const strategies = [...new Set(lines.map(({ strategy }) => strategy))];
  return strategies
    .flatMap((strategy) => {
      const own = lines.filter((line) => line.strategy === strategy);
      return toolFigures(own).map((figures) => {
        const ofTool = own.filter(
          ({ tool, reason }) => tool === figures.tool && reason === figures.kind,
        );
        const kept = ofTool.filter(({ kind }) => kind === "kept");
        const back = ofTool.filter(({ kind }) => isMiss(kind));
        return {
          strategy,
          ...figures,
          characters: total(kept, "whole"),
          tokensOut: total(kept, "tokens"),
          tokensBack: total(back, "tokens"),
        };
      });
    })
    .sort((a, b) => b.charactersOut - a.charactersOut);
}

function noteMetrics(lines: readonly BookLine[]): NoteMetrics[] {
  const notes = new Map<string, NoteMetrics>();
  for (const line of lines) {
    const { strategy, kind, reason, count, characters, tokens, ms, longestMs } = line;
    if (kind === "kept" || isMiss(kind)) continue;
    const key = JSON.stringify([strategy, kind, reason]);
    const sums = notes.get(key);
    const { at, session } = sums && sums.at > line.at ? sums : line;
    notes.set(key, {
      ...{ strategy, kind, reason },
      count: count + (sums?.count ?? 0),
      characters: characters + (sums?.characters ?? 0),
      tokens: tokens + (sums?.tokens ?? 0),
      ms: ms + (sums?.ms ?? 0),
      longestMs: Math.max(longestMs, sums?.longestMs ?? 0),
      at,
      session,
    });
  }
  return [...notes.values()].sort((a, b) => b.count - a.count);
}

function total(lines: readonly BookLine[], field: "whole" | "tokens"): number {
  return lines.reduce((sum, line) => sum + line[field], 0);
}

const noTurns: TurnUsage = { turns: 0, ...noUsage };

function addTurns(a: TurnUsage, b: TurnUsage): TurnUsage {
  return { turns: a.turns + b.turns, ...addUsage(a, b) };
}

function usageOf(sessions: readonly SessionUsage[]): UsageMetrics {
  return {
    sessions: sessions.length,
    before: sessions.map(({ before }) => before).reduce(addTurns, noTurns),
    after: sessions.map(({ after }) => after).reduce(addTurns, noTurns),
  };
}

function compare(treated: UsageMetrics, heldOut: UsageMetrics): EndlessMetrics["comparison"] {
  const all = ({ before, after }: UsageMetrics) => addTurns(before, after);
  const context = ({ input, cacheRead, cacheWrite }: TurnUsage) => input + cacheRead + cacheWrite;
  const ofTurn = (usage: UsageMetrics, tokens: (turns: TurnUsage) => number) => {
    const turns = all(usage);
    return turns.turns > 0 ? Math.round(tokens(turns) / turns.turns) : null;
  };
  const sides = (tokens: (turns: TurnUsage) => number) => ({
    treated: ofTurn(treated, tokens),
    heldOut: ofTurn(heldOut, tokens),
  });
  const enough = treated.sessions >= fewestSessions && heldOut.sessions >= fewestSessions;
  const contextOfTurn = sides(context);
  return {
    enough,
    words: enough ? verdict(contextOfTurn) : tooFew(treated, heldOut),
    contextOfTurn,
    cacheWriteOfTurn: sides(({ cacheWrite }) => cacheWrite),
  };
}

function tooFew(treated: UsageMetrics, heldOut: UsageMetrics): string {
  if (heldOut.sessions === 0)
    return "No session was held out, so there is nothing to compare with; `endless.holdOut` sets the share.";
  return `Too few sessions to compare: ${treated.sessions} with Endless Mode, ${heldOut.sessions} held out, and at least ${fewestSessions} of each are wanted.`;
}

function verdict({ treated, heldOut }: EndlessMetrics["comparison"]["contextOfTurn"]): string {
  if (treated === null || heldOut === null || heldOut === 0)
    return "The sessions report no usage to compare.";
  const change = Math.round(((treated - heldOut) / heldOut) * 100);
  if (change === 0) return "A request carried as much with Endless Mode as without.";
  const less = change < 0 ? "less" : "more";
  return `A request carried ${Math.abs(change)} % ${less} with Endless Mode than without. Sessions differ in length and task: take it as a hint.`;
}

// Does reducing a tool pay? Pure: what was kept out against what had to be fetched back.

/** Before so many reductions, or so many second looks, nothing is said. */
const fewestReductions = 20;
const fewestLooks = 8;
/** Fetching back a larger share of what was kept out, or of the times, means that reducing does not pay. */
const mostFetchedBack = 0.25;

/** Reading again alone is a habit, and asks nothing of a strategy. */
const isMiss = (kind: BookKind): boolean => kind === "recalled" || kind === "missed";

type Verdict = Pick<ToolFigures, "judged" | "profits" | "why">;
type Sums = Omit<ToolFigures, keyof Verdict>;

/** By tool and kind, the most kept out first. What nothing was kept out of is left out. */
export function toolFigures(lines: readonly BookLine[]): ToolFigures[] {
  const tools = new Map<string, Sums>();
  for (const { kind, tool, reason, count, characters } of lines) {
    const key = JSON.stringify([tool, reason]);
    const sums = tools.get(key) ?? {
      tool,
      kind: reason,
      reduced: 0,
      charactersOut: 0,
      fetchedBack: 0,
      charactersBack: 0,
    };
    if (kind === "kept") {
      sums.reduced += count;
      sums.charactersOut += characters;
    } else if (isMiss(kind)) {
      sums.fetchedBack += count;
      sums.charactersBack += characters;
    } else continue;
    tools.set(key, sums);
  }
  return [...tools.values()]
    .filter(({ reduced }) => reduced > 0)
    .map((sums) => ({ ...sums, ...judge(sums) }))
    .sort(
      (a, b) =>
        b.charactersOut - a.charactersOut ||
        a.tool.localeCompare(b.tool) ||
        a.kind.localeCompare(b.kind),
    );
}

/** The project's own figures where they say enough, else those of all projects together. */
export function figuresFor(
  own: readonly ToolFigures[],
  all: readonly ToolFigures[],
): ToolFigures[] {
  const enough = own.filter(({ judged }) => judged);
  return all.map(
    (one) => enough.find((own) => own.tool === one.tool && own.kind === one.kind) ?? one,
  );
}

function judge(sums: Sums): Verdict {
  const { reduced, charactersOut, fetchedBack, charactersBack } = sums;
  const out = `${plural(reduced, "reduction")} kept out ${number(charactersOut)} characters`;
  if (charactersOut > 0 && reduced < fewestReductions && fetchedBack < fewestLooks)
    return {
      judged: false,
      profits: true,
      why: `${out}; too few to judge (${fewestReductions} are wanted)`,
    };
  if (charactersOut <= 0)
    return { judged: true, profits: false, why: `${out}: nothing was gained` };
  const share = Math.max(charactersBack / charactersOut, fetchedBack / reduced);
  const profits = share <= mostFetchedBack;
  const back = `${plural(fetchedBack, "second look", "second looks")} brought ${number(charactersBack)} back`;
  const limit = `${Math.round(share * 100)} %, ${profits ? "at most" : "over"} ${mostFetchedBack * 100} %`;
  return { judged: true, profits, why: `${out}; ${back} (${limit})` };
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
