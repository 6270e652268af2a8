// What is kept of a project beside its turns, as lines: what the user pinned or laid down, and notes without turns. Pure.
import type { MemoryItem, Observation, Summary, Turn } from "../../src/sdk/index.ts";
import type { Outcome } from "../../src/strategy/index.ts";
import { type Clock, meaningOf, saysOtherwise } from "../../src/text/index.ts";
import { type Labels, type Line, whoSaid } from "./line.ts";

/** What the note is made from. Lists are newest first. */
export interface Material {
  /** Name and id of the project, for the reader. */
  project: { id: string; name: string };
  /** The branch that is checked out, where it is known. */
  branch?: string;
  /** Turns of other sessions. */
  turns: Turn[];
  /** This session's own turns from before a compaction; empty otherwise. */
  own: Turn[];
  pinned: Pinned[];
  /** Decisions and preferences from other sessions, with their state. */
  standingItems: MemoryItem[];
  /** Workflows and gotchas of the project. */
  practice: MemoryItem[];
  /** Those that the user edited. */
  observations: Observation[];
  /** Of sessions; shown where their turns are not known. */
  summaries: Summary[];
}

/** A pinned record. */
export type Pinned =
  | { kind: "memory"; record: MemoryItem }
  | { kind: "observation"; record: Observation }
  | { kind: "summary"; record: Summary }
  | { kind: "turn"; record: Turn };

/** What lines are written with. */
export interface Writing {
  clock: Clock;
  labels: Labels;
  /** What came of a turn; worked out once. */
  outcomeOf(turn: Turn): Outcome;
}

/** A session of the past: its turns oldest first. */
export interface PastSession {
  turns: Turn[];
  /** What is left of its worth after the sessions that came later, and on another branch. */
  fresh: number;
}

// What people laid down.

/** A decision of an older session is worth less, one that the last work is about more; a rule stays what it is. */
const itemWorth = {
  decision: 0.36,
  recent: 0.26,
  rule: 0.6,
  about: 0.04,
  edited: 0.2,
  order: 0.02,
};
/** So many words of the last work are enough to be about it. */
const mostAbout = 4;

/** What a person laid down or wrote: what was only concluded or may be meant so waits until they confirm it. */
export function decided(
  items: readonly MemoryItem[],
  sessions: readonly PastSession[],
  last: PastSession | undefined,
  note: Writing,
): Line[] {
  const work = meaningOf((last?.turns ?? []).map(workOf).join("\n"));
  const stands = items.filter(({ state, edited }) => state === "standing" || edited !== undefined);
  return stands
    .filter((item, at) => !stands.slice(0, at).some((newer) => overtakes(newer, item)))
    .map((item, at): Line => {
      const shared = [...meaningOf(item.content)].filter((word) => work.has(word)).length;
      const session = sessions.find(({ turns }) => turns[0]?.session === item.session);
      const base =
        item.kind === "decisions"
          ? itemWorth.decision + itemWorth.recent * (session?.fresh ?? 0)
          : itemWorth.rule;
      const more =
        Math.min(shared, mostAbout) * itemWorth.about + (item.edited ? itemWorth.edited : 0);
      return {
        section: "decided",
        worth: base + more - at * itemWorth.order,
        ids: [item.id],
        head: `${item.id} · ${item.date} · ${whoSaid(item, note.labels)}:`,
        said: item.content,
      };
    });
}

/** What the user asks for again and again, with the sessions in which they did: observed, and nobody judged it. */
export function habits(items: readonly MemoryItem[]): Line[] {
  return items
    .filter(({ state, evidence }) => state === undefined && evidence !== undefined)
    .map(({ id, content, evidence = [] }, at) => ({
      section: "habits",
      worth: 0.5 - at * 0.05,
      ids: [id],
      head: `${id} · ×${evidence.length}`,
      said: content,
    }));
}

/** The words that say what a turn worked on. */
function workOf({ pieces, files }: Turn): string {
  const asked = pieces.flatMap(({ kind, text }) => (kind === "prompt" ? text.slice(0, 1_000) : []));
  return [...asked, ...files.map(({ path }) => path)].join("\n");
}

/** True for a newer word about the same: another answer to one question, another name or number in one statement. */
function overtakes(newer: MemoryItem, older: MemoryItem): boolean {
  if (saysOtherwise(newer.content, older.content)) return true;
  const question = questionOf(newer);
  return question !== "" && question === questionOf(older) && newer.content !== older.content;
}

function questionOf({ content, quote = "" }: MemoryItem): string {
  const [answer = ""] = quote.split("\n");
  return answer !== "" && content.endsWith(answer) ? content.slice(0, -answer.length).trim() : "";
}

// What the user pinned or wrote, and sessions of which only a summary is left.

export function pinned(all: readonly Pinned[], note: Writing): Line[] {
  return all.map((one, at) => ({
    ...{ section: "pinned", worth: 2 - at * 0.01, ids: [one.record.id] },
    ...pinnedText(one, note),
  }));
}

function pinnedText(one: Pinned, note: Writing): Pick<Line, "head" | "said" | "plain"> {
  const { clock, labels } = note;
  const day = (time: number) => `${one.record.id} · ${clock.day(time)} ·`;
  if (one.kind === "memory")
    return {
      head: `${one.record.id} · ${one.record.date} · ${whoSaid(one.record, labels)}:`,
      said: one.record.content,
    };
  if (one.kind === "turn") {
    const closing = one.record.pieces.findLast(({ kind }) => kind === "closing")?.text ?? "";
    const { title, said } = note.outcomeOf(one.record);
    return { head: `${day(one.record.startedAt)} ${title}`, said: said || closing };
  }
  if (one.kind === "summary") {
    const { time, completed, learned, request, nextSteps } = one.record;
    const said = joined([completed, learned, request, nextSteps]);
    return { head: `${day(time)} ${labels.summary}:`, said, plain: true };
  }
  const { time, type, title, facts, narrative } = one.record;
  const said = joined([title, ...(facts.length > 0 ? facts : [narrative])]);
  return { head: `${day(time)} ${type}:`, said, plain: true };
}

/** How much less the next older summary is worth. */
const older = 0.8;

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(" — ");
}

export function notes({ observations, summaries, turns }: Material, note: Writing): Line[] {
  const { clock, labels } = note;
  const edited = observations.map(
    ({ id, time, type, title, facts }, at): Line => ({
      section: "notes",
      worth: 0.66 - at * 0.02,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${type} · ${labels.typed}:`,
      said: joined([title, ...facts.slice(0, 1)]),
      plain: true,
    }),
  );
  if (turns.length > 0) return edited;
  const told = summaries.map(
    ({ id, time, request, completed, learned, nextSteps }, at): Line => ({
      section: "notes",
      worth: 0.9 * older ** at,
      ids: [id],
      head: `${id} · ${clock.day(time)} · ${labels.summary}:`,
      said: joined([completed, nextSteps, learned, request]),
      plain: true,
      wanted: 400,
    }),
  );
  return [...told, ...edited];
}
