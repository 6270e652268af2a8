// What stands in each project's lane: bars that do not cover each other, with their dots, or counts of days. Pure.
import type { Answer } from "../../../server/route-types.ts";
import { dayOf, type Step, stepKey } from "../worth/days.ts";
import type { Span } from "./span.ts";

type Overview = Answer<"/api/overview">;
export type Bar = Overview["sessions"][number];
export type Dot = Overview["observations"][number];

/** A session where it is drawn. */
export interface PlacedBar extends Bar {
  /** Sessions at the same time stand below each other. */
  row: number;
  /** By time. */
  dots: Dot[];
}

/** What happened in a day, week or month. */
export interface Block {
  /** Its first day. */
  key: string;
  sessions: number;
  observations: number;
}

export interface Lane {
  project: string;
  name: string;
  rows: number;
  bars: PlacedBar[];
  blocks: Block[];
}

/** Of a longer time days are counted: its bars would be but lines. */
const longestWithBars = 62 * 24 * 60 * 60_000;

/** Whether days are counted instead of drawing sessions. */
export const isCounted = ({ days }: Overview, { from, to }: Span) =>
  days.length > 0 || to - from > longestWithBars;

/** One lane a project, by name; `gap` is the time that a bar takes at least, in ms. */
export function lanesOf(overview: Overview, span: Span, gap: number, step: Step): Lane[] {
  const { from, to } = span;
  const { sessions, observations, days } = isCounted(overview, span) ? counted(overview) : overview;
  const dots = Map.groupBy(observations, ({ session }) => session);
  const shown = sessions.filter(
    ({ startedAt, lastActiveAt }) => startedAt < to && Math.max(lastActiveAt, startedAt) >= from,
  );
  const lanes = new Map<string, Lane>();
  const laneOf = ({ project, projectName }: { project: string; projectName: string }) => {
    const lane = lanes.get(project);
    if (lane) return lane;
    const made: Lane = { project, name: projectName, rows: 1, bars: [], blocks: [] };
    lanes.set(project, made);
    return made;
  };
  const ends = new Map<string, number[]>();
  for (const bar of shown.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const lane = laneOf(bar);
    const rows = ends.get(bar.project) ?? [];
    ends.set(bar.project, rows);
    const free = rows.findIndex((end) => end <= bar.startedAt);
    const row = free === -1 ? rows.length : free;
    rows[row] = Math.max(bar.lastActiveAt, bar.startedAt) + gap;
    lane.rows = rows.length;
    const own = (dots.get(bar.id) ?? []).toSorted((a, b) => a.time - b.time);
    lane.bars.push({ ...bar, row, dots: own });
  }
  for (const day of days) addTo(laneOf(day).blocks, stepKey(day.key, step), day);
  return [...lanes.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Every session a day of its own. */
function counted(overview: Overview): Overview {
  const days = overview.sessions.map(({ project, projectName, startedAt, observations }) => ({
    ...{ key: dayOf(startedAt), project, projectName, sessions: 1, observations },
  }));
  return { ...overview, sessions: [], observations: [], days: [...overview.days, ...days] };
}

function addTo(blocks: Block[], key: string, day: Overview["days"][number]): void {
  const block = blocks.find((one) => one.key === key) ?? { key, sessions: 0, observations: 0 };
  if (block.sessions === 0) blocks.push(block);
  block.sessions += day.sessions;
  block.observations += day.observations;
}
