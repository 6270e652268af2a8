// What the agent would not see by itself about a file: what a person decided about it, and what is changed with it nearly always. Pure.
import type { MemoryItem, Turn } from "../../src/sdk/index.ts";
import { baseName, oneLine } from "../../src/text/index.ts";

/** One thing to know about a file. */
export interface FileNote {
  kind: "decision" | "companion";
  /** Of the record that says it. */
  id: string;
  session: string;
  /** Epoch ms. */
  time: number;
  text: string;
  /** The file that comes with it. */
  file?: string;
}

/** By path, relative to the project: decisions first, of one kind the newest. */
export type FileIndex = ReadonlyMap<string, readonly FileNote[]>;

/** A session that changed more files says little about which belong together. */
const mostFiles = 25;
/** Changed together in so many sessions, which are so many of all that changed the file. */
const together = { sessions: 6, share: 0.85 };
/** A file that so many of the sessions change comes with everything. */
const everywhere = 0.4;
const notesKept = 2;

/** Where a path was changed. */
interface Changes {
  sessions: Set<string>;
  last: Turn;
}

/** Takes turns one by one, oldest first, so that others can work in between. */
export function followFiles(): {
  add(turn: Turn): void;
  index(decisions: readonly MemoryItem[]): FileIndex;
} {
  const changes = new Map<string, Changes>();
  const bySession = new Map<string, Set<string>>();
  const known = new Set<string>();

  function companionsOf(path: string, { sessions, last }: Changes): FileNote[] {
    const small = [...sessions].filter((id) => (bySession.get(id)?.size ?? 0) <= mostFiles);
    if (small.length < together.sessions) return [];
    const counts = new Map<string, number>();
    for (const id of small)
      for (const other of bySession.get(id) ?? []) counts.set(other, (counts.get(other) ?? 0) + 1);
    return [...counts].flatMap(([file, count]): FileNote[] => {
      const isAnywhere = (changes.get(file)?.sessions.size ?? 0) > everywhere * bySession.size;
      if (file === path || isAnywhere || stemOf(file) === stemOf(path)) return [];
      if (count < together.sessions || count < together.share * small.length) return [];
      const text = `${file}, in ${count} of ${small.length} sessions`;
      const { id, session, time } = last;
      return [{ kind: "companion", id, session, time, text, file }];
    });
  }

  return {
    add(turn) {
      for (const { path, changed } of turn.files) {
        known.add(path);
        if (!changed) continue;
        const one = changes.get(path) ?? { sessions: new Set(), last: turn };
        one.sessions.add(turn.session);
        one.last = turn;
        changes.set(path, one);
        const own = bySession.get(turn.session) ?? new Set();
        bySession.set(turn.session, own.add(path));
      }
    },
    index(decisions) {
      const notes = new Map<string, FileNote[]>();
      const note = (path: string, one: FileNote) => {
        const list = notes.get(path) ?? [];
        notes.set(path, [...list, one].slice(-notesKept));
      };
      for (const [path, one] of changes)
        for (const companion of companionsOf(path, one)) note(path, companion);
      const byName = Map.groupBy(known, baseName);
      for (const { id, session, date, content, state } of decisions)
        if (state === "standing")
          for (const path of namedIn(content, byName))
            note(path, {
              ...{ kind: "decision", id, session, time: Date.parse(date) || 0 },
              text: line(content, 160),
            });
      for (const list of notes.values())
        list.sort((one, other) => rank[one.kind] - rank[other.kind] || other.time - one.time);
      return notes;
    },
  };
}

const rank = { decision: 0, companion: 1 };

/** `setup` of `src/setup.go` and of `src/setup_test.go`: a file's test comes with it without saying. */
function stemOf(path: string): string {
  return (baseName(path).split(".")[0] ?? "").replace(/[_-]?(?:test|spec)s?$/i, "").toLowerCase();
}

/** Paths that a text names: whole, or by a name that only one file has. */
function namedIn(text: string, byName: ReadonlyMap<string, readonly string[]>): string[] {
  const words = new Set(text.split(/[\s"'`“”()[\]<>,;:]+/).map((word) => word.replace(/\.$/, "")));
  return [...words].flatMap((word) => {
    if (!word.includes(".")) return [];
    const paths = byName.get(baseName(word)) ?? [];
    if (!word.includes("/")) return paths.length === 1 ? paths : [];
    return paths.filter((path) => path === word || path.endsWith(`/${word}`));
  });
}

function line(text: string, most: number): string {
  const one = oneLine(text);
  return one.length <= most ? one : `${one.slice(0, most - 1).trimEnd()}…`;
}
