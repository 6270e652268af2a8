// How the project is built and tested, what fails again and again, and which files were worked on. Pure.
import type { MemoryItem } from "../../src/sdk/index.ts";
import { checkKey, openFailures, recurring, workflows } from "./commands.ts";
import type { Line } from "./line.ts";
import { code, fresh, isOnce, type Note, placeOf } from "./note.ts";
import { tellingLine } from "./telling-line.ts";

const filesNamed = 12;
const gotchasTold = 4;
const commandsTold = 6;

/** Commands that pass here: those stored as workflows, what stands first; or, as long as none is stored, those that passed again and again. One line each, in the order they are run in. */
export function build(note: Note, practice: readonly MemoryItem[]): Line[] {
  const seen = workflows(note.turns);
  const newest = note.turns.at(-1)?.turn.session;
  const failing = new Set(openFailures(note.turns).map(({ piece }) => checkKey(piece.about ?? "")));
  const stored = practice
    .filter(({ kind, content }) => kind === "workflows" && !failing.has(checkKey(content)))
    .filter((item, _, all) => !isOnce(item) || item.session === newest || all.every(isOnce))
    .toSorted((one, other) => Number(isOnce(one)) - Number(isOnce(other)))
    .slice(0, commandsTold)
    .map((item) => {
      const known = seen.find(({ line }) => line === checkKey(item.content));
      const place = known?.place ?? item.evidence?.at(-1)?.piece ?? 0;
      return { item, known, place };
    })
    .sort((one, other) => one.place - other.place);
  const line = (id: string[], command: string, times: number | undefined, when: string): Line => ({
    section: "build",
    rank: 0.75,
    ids: id,
    head: `${code(command)}${times === undefined ? "" : ` ×${times}`} (${when})`,
    sayings: () => [],
    wanted: 240,
    least: 20,
  });
  if (stored.length > 0)
    return stored.map(({ item, known }) => ({
      ...line([item.id], item.content, known?.passed, item.date),
      rank: isOnce(item) ? 0.68 : 0.75,
    }));
  return seen.map(({ line: command, passed, last }) => ({
    ...line([], command, passed, note.clock.day(last.turn.time)),
    from: [last.turn.id],
    rank: 0.75 * Math.max(0.8, fresh(last)),
  }));
}

/** Failures whose cause is stored, and those that came again and again: the telling line, and what was changed until it passed. */
export function gotchas(note: Note, practice: readonly MemoryItem[]): Line[] {
  const stored = practice
    .filter(({ kind }) => kind === "gotchas")
    .map(
      ({ id, date, content, quote = "" }, at): Line => ({
        section: "repairs",
        rank: 0.7 - at * 0.01,
        ids: [id],
        head: `${id} · ${date}`,
        sayings: () => [
          { text: tellingLine(quote), as: "user" },
          { text: content, label: "→", as: "user" },
        ],
        wanted: 400,
        least: 60,
      }),
    );
  const again = recurring(note.turns).map(
    ({ command, line, turns, files, past }, at): Line => ({
      section: "repairs",
      rank: (0.72 - at * 0.01) * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${code(command)} ×${turns}`,
      sayings: () => [
        { text: line, as: "user" },
        { text: files, label: note.labels.mended, as: "plain" },
      ],
      wanted: 400,
      least: 60,
    }),
  );
  return [...stored, ...again].slice(0, gotchasTold);
}

/** Files changed in the newest sessions, those that changed last first. */
export function files(note: Note): Line[] {
  const counts = new Map<string, number>();
  const from = new Set<string>();
  for (const { turn, sessionsAgo } of note.turns.toReversed())
    for (const { path, changed } of turn.files)
      if (changed && sessionsAgo < 3) {
        counts.set(path, (counts.get(path) ?? 0) + 1);
        from.add(turn.id);
      }
  const named = [...counts].slice(0, filesNamed);
  if (named.length === 0) return [];
  const text = named.map(([path, count]) => (count > 1 ? `${path} ×${count}` : path));
  return [
    {
      section: "files",
      rank: 0.68,
      ids: [],
      from: [...from],
      head: text.join(", "),
      sayings: () => [],
      wanted: 700,
      least: 20,
    },
  ];
}
