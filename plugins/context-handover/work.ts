// How the project is built and tested, what fails again and again, and which files were worked on. Pure.
import { recurring, workflows } from "./commands.ts";
import type { Line } from "./line.ts";
import { code, fresh, type Note, placeOf } from "./note.ts";

const filesNamed = 12;
const gotchasTold = 4;

/** Commands that pass, one line each, in the order they are run in. */
export function build(note: Note): Line[] {
  return workflows(note.turns).map(({ line, passed, last }) => ({
    section: "build",
    rank: 0.75 * Math.max(0.8, fresh(last)),
    ids: [],
    head: `${code(line)} ${note.labels.times.replace("{n}", String(passed))} (${note.clock.day(last.turn.time)})`,
    sayings: () => [],
    wanted: 240,
    least: 20,
  }));
}

/** Failures that came again and again: the telling line, and what was changed until it passed. */
export function gotchas(note: Note): Line[] {
  return recurring(note.turns)
    .slice(0, gotchasTold)
    .map(({ command, line, turns, files, past }, at) => ({
      section: "repairs",
      rank: (0.72 - at * 0.01) * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${code(command)} ${note.labels.times.replace("{n}", String(turns))}`,
      sayings: () => [
        { text: line, as: "user" },
        { text: files, label: `${note.labels.mended}`, as: "plain" },
      ],
      wanted: 400,
      least: 60,
    }));
}

/** Files changed in the newest sessions, those that changed last first. */
export function files(note: Note): Line[] {
  const counts = new Map<string, number>();
  for (const { turn, sessionsAgo } of note.turns.toReversed())
    for (const { path, changed } of turn.files)
      if (changed && sessionsAgo < 3) counts.set(path, (counts.get(path) ?? 0) + 1);
  const named = [...counts].slice(0, filesNamed);
  if (named.length === 0) return [];
  const text = named.map(([path, count]) =>
    count > 1 ? `${path} ${note.labels.times.replace("{n}", String(count))}` : path,
  );
  return [
    {
      section: "files",
      rank: 0.68,
      ids: [],
      head: text.join(", "),
      sayings: () => [],
      wanted: 700,
      least: 20,
    },
  ];
}
