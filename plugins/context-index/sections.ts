// The sections of the index, most useful first: what is left to do, what fails, what was decided, what was done. Pure.

import type { Observation, Summary } from "../../src/sdk/index.ts";
import { cut, oneLine, overlap, toBmp } from "../../src/text/index.ts";
import type { Clock } from "./clock.ts";
import type { Memory } from "./memory.ts";

/** One line of the index; lines of one group stand under one heading. */
export interface Line {
  text: string;
  group?: string;
  /** The observation that the line lists. */
  observation?: Observation;
}

/** A heading and its lines, the most useful ones first. */
export interface Section {
  heading: string;
  lines: Line[];
}

const plain = (text: string): string => toBmp(oneLine(text));

/** All sections that have something to say, in the order of their use. */
export function sectionsOf(memory: Memory, clock: Clock): Section[] {
  const recent = memory.observations;
  const all = [...memory.own.observations, ...recent].sort((a, b) => b.time - a.time);
  return [
    ownSection(memory, clock),
    ownObservations(memory, clock),
    lastSession(memory, clock),
    stillFailing(all),
    standingSection(memory),
    decisions(recent, memory, clock),
    earlierSessions(memory, clock),
    recentWork(recent, memory, clock),
    busyFiles(all),
  ].filter((section) => section.lines.length > 0);
}

/** What a compacted session was asked and did, newest first; a prompt under way has no summary yet. */
function ownSection({ own }: Memory, clock: Clock): Section {
  const summarised = new Set(own.summaries.map(({ promptNumber }) => promptNumber));
  const asked = [
    ...own.summaries.map(({ promptNumber, time, request, completed, nextSteps }) => ({
      promptNumber,
      time,
      parts: [
        field("asked", request, 160),
        field("done", completed, 260),
        field("next", nextSteps, 200),
      ],
    })),
    ...own.prompts
      .filter(({ promptNumber }) => !summarised.has(promptNumber))
      .map(({ promptNumber, time, text }) => ({
        promptNumber,
        time,
        parts: [field("asked", text, 400)],
      })),
  ].sort((a, b) => b.promptNumber - a.promptNumber);
  const lines = asked.slice(0, 8).flatMap(({ promptNumber, time, parts }): Line[] => {
    const said = parts.filter((part) => part !== "");
    if (said.length === 0) return [];
    return [{ text: `prompt ${promptNumber}, ${clock.time(time)} · ${said.join(" · ")}` }];
  });
  return { heading: "This session before it was compacted, newest first", lines };
}

function ownObservations({ own }: Memory, clock: Clock): Section {
  return {
    heading: "Observed in this session",
    lines: own.observations.map((observation, i) => observationLine(observation, clock, i < 10)),
  };
}

/** What the newest other session was about, and what it left to do. */
function lastSession(memory: Memory, clock: Clock): Section {
  const summary = newestSession(memory.summaries);
  if (!summary) return { heading: "", lines: [] };
  const title = plain(memory.titles.get(summary.session) ?? "");
  const named = title === "" ? "Last session" : `Last session: ${title}`;
  const files = summary.filesEdited.map(plain);
  const more = files.length > 8 ? ` and ${files.length - 8} more` : "";
  const texts = [
    field("Asked", summary.request, 300),
    field("Done", summary.completed, 500),
    field("Next", summary.nextSteps, 500),
    field("Learned", summary.learned, 400),
    field("Notes", summary.notes, 300),
    field("Edited", files.slice(0, 8).join(", ") + more, 400),
  ];
  return {
    heading: `${cut(named, 120)} (${clock.day(summary.time)} ${clock.time(summary.time)}, ${summary.id})`,
    lines: texts.filter((text) => text !== "").map((text) => ({ text })),
  };
}

/** The newest session's own summary; while it has none, that of its last prompt. */
function newestSession(summaries: readonly Summary[]): Summary | undefined {
  const newest = summaries.reduce<Summary | undefined>(
    (best, summary) => (best === undefined || summary.time > best.time ? summary : best),
    undefined,
  );
  if (!newest) return undefined;
  return (
    summaries.find(({ session, scope }) => session === newest.session && scope === "session") ??
    newest
  );
}

const failing = /\bstill (?:fail(?:s|ed|ing)?|broken)\b/i;
const fixing = new Set(["bugfix", "feature", "refactor"]);

/** Facts about something that failed to the end, unless later work changed one of the same files. */
function stillFailing(newestFirst: readonly Observation[]): Section {
  const lines: Line[] = [];
  const changedLater = new Set<string>();
  for (const observation of newestFirst) {
    const fact = [...observation.facts, observation.subtitle].find((text) => failing.test(text));
    const touched = [...observation.filesModified, ...observation.filesRead];
    if (fact !== undefined) {
      if (!touched.some((file) => changedLater.has(file))) {
        lines.push({ text: `${observation.id} · ${cut(plain(fact), 200)}`, observation });
      }
    } else if (fixing.has(observation.type)) {
      for (const file of observation.filesModified) changedLater.add(file);
    }
  }
  return { heading: "Still failing when last seen", lines: lines.slice(0, 4) };
}

/** The newest decisions; they have a section of their own. */
function decided(observations: readonly Observation[]): Observation[] {
  return observations.filter(({ type }) => type === "decision").slice(0, 8);
}

/** What holds in this project whatever the task, newest first. */
function standingSection({ standing }: Memory): Section {
  const lines = standing.slice(0, 10).map(({ id, kind, date, content }) => {
    const label = kind === "preferences" ? "preference" : "decision";
    return { text: `${id} · ${date} · ${label} · ${cut(plain(content), 200)}` };
  });
  return { heading: "Standing decisions and preferences", lines };
}

function decisions(
  observations: readonly Observation[],
  { standing }: Memory,
  clock: Clock,
): Section {
  const told = standing.slice(0, 10).map(({ content }) => content);
  const isNew = ({ facts, subtitle }: Observation) =>
    !told.some((content) => overlap(content, facts[0] ?? subtitle) > 0.75);
  return {
    heading: "Decisions and preferences",
    lines: decided(observations)
      .filter(isNew)
      .map((observation) => {
        const { id, title, subtitle, facts } = observation;
        const said = plain(facts[0] ?? subtitle);
        const text = said === "" ? plain(title) : `${plain(title)} — ${cut(said, 180)}`;
        return { text: `${id} · ${clock.day(observation.time)} · ${text}`, observation };
      }),
  };
}

/** One line for each of the sessions before the last. */
function earlierSessions(memory: Memory, clock: Clock): Section {
  const last = newestSession(memory.summaries)?.session;
  const earlier = memory.summaries
    .filter(({ session, scope }) => scope === "session" && session !== last)
    .slice(0, 4);
  const lines = earlier.flatMap((summary): Line[] => {
    const title = plain(memory.titles.get(summary.session) ?? "");
    const done = cut(plain(summary.completed || summary.learned || summary.request), 160);
    const text = [title, done].filter((part) => part !== "").join(" — ");
    return text === "" ? [] : [{ text: `${summary.id} · ${clock.day(summary.time)} · ${text}` }];
  });
  return { heading: "Sessions before that", lines };
}

/** Observations in lines, under the day and session they come from. */
function recentWork(
  observations: readonly Observation[],
  { titles }: Memory,
  clock: Clock,
): Section {
  const groups = new Map<string, Line[]>();
  const elsewhere = new Set(decided(observations));
  for (const [i, observation] of observations.filter((one) => !elsewhere.has(one)).entries()) {
    const title = plain(titles.get(observation.session) ?? "");
    const branch = observation.branch === undefined ? "" : ` (${plain(observation.branch)})`;
    const group = `${clock.day(observation.time)}${title === "" ? "" : ` · ${cut(title, 80)}`}${cut(branch, 60)}`;
    const key = `${observation.session} ${group}`;
    const lines = groups.get(key) ?? [];
    lines.push({ ...observationLine(observation, clock, i < 8), group });
    groups.set(key, lines);
  }
  return { heading: "Recent observations", lines: [...groups.values()].flat() };
}

/** `o12 · 14:05 · bugfix · Title`, with the subtitle where there is room for it. */
function observationLine(observation: Observation, clock: Clock, withSubtitle: boolean): Line {
  const { id, type, title, subtitle, agent } = observation;
  const by = agent?.type ? ` (${plain(agent.type)})` : "";
  const parts = [id, clock.time(observation.time), plain(type), cut(plain(title), 120) + by];
  const meaning = withSubtitle && subtitle !== "" ? ` — ${cut(plain(subtitle), 180)}` : "";
  return { text: parts.join(" · ") + meaning, observation };
}

/** Files that several observations changed, on one line. */
function busyFiles(observations: readonly Observation[]): Section {
  const counts = new Map<string, number>();
  for (const { filesModified } of observations) {
    for (const file of new Set(filesModified)) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  const busy = [...counts]
    .filter(([, count]) => count > 1)
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
    .slice(0, 8)
    .map(([file, count]) => `${cut(plain(file), 80)} (${count})`);
  const lines = busy.length === 0 ? [] : [{ text: busy.join(", ") }];
  return { heading: "Files changed most often", lines };
}

/** `Label: text` on one line; nothing for an empty text. */
function field(label: string, text: string, max: number): string {
  const value = plain(text);
  return value === "" ? "" : `${label}: ${cut(value, max)}`;
}
