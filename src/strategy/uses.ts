// What sessions were shown and what became of it, one note for start, prompt and hint alike: looked up, quoted, acted on, or nothing. What nobody uses rests.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { moveFile } from "../sdk/within.ts";
import { commandKey } from "../text/prose/plain.ts";
import { dropOldest } from "../text/text.ts";

const NoteSchema = v.object({
  /** When it was shown. */
  kind: v.picklist(["start", "prompt", "failure", "file"]),
  project: v.string(),
  session: v.string(),
  /** Epoch ms. */
  time: v.number(),
  /** Ids of the records that were named. */
  ids: v.array(v.string()),
  /** Commands and files of the repair that it names: whoever runs or changes them does what it said. */
  commands: v.optional(v.array(v.string()), []),
  files: v.optional(v.array(v.string()), []),
  lookedUp: v.optional(v.boolean(), false),
  actedOn: v.optional(v.boolean(), false),
  /** Of the ids, those that the agent asked for, quoted or acted on. */
  used: v.optional(v.array(v.string()), []),
});
/** Something that a session was shown, and what became of it. */
export type UseNote = v.InferOutput<typeof NoteSchema>;
/** Something that a session is shown now. */
type NewlyShown = Omit<v.InferInput<typeof NoteSchema>, "lookedUp" | "actedOn" | "used">;

/** What a session did. */
interface Deed {
  session: string;
  /** It passed: a command line as it was written; or a file that was changed. */
  command?: string;
  file?: string;
  /** What memoir was asked for, or what the agent said. */
  named?: string;
}

/** A sign that something was of use. */
interface Sign {
  kind: UseNote["kind"];
  how: "looked-up" | "acted-on";
}

/** What was shown and used in a home. */
export interface Uses {
  add(shown: NewlyShown): void;
  wasShown(session: string, id: string): boolean;
  /** The first signs of use among what the session was shown. */
  note(deed: Deed): Sign[];
  /** What its use in a project makes of a record's worth there: more for each session that used it; 0 when it rests. */
  worth(project: string, id: string): number;
  /** Shown in many sessions of the project and used in none: it is shown no more. */
  rests(project: string, id: string): boolean;
  /** In how many sessions a record was shown, and in how many of them it was used. */
  of(id: string): { shown: number; used: number; rests: boolean };
  /** Records that were deleted, or that a person pinned or edited: what is known of their use goes. */
  forget(ids: readonly string[]): void;
  all(): readonly UseNote[];
}

/** Shown in so many sessions and used in none, a record rests. */
export const restsAfter = 9;
/** What each session that used it adds to its worth, and how many count. */
const more = { each: 0.1, most: 3 };
const kept = 2_000;

/** Goes on from what was kept; what it says is a function of the notes alone. */
export function createUses(before: readonly UseNote[] = [], changed: () => void = () => {}): Uses {
  let notes: UseNote[] = before.map((one) => ({ ...one }));

  function sessionsOf(id: string, is: (note: UseNote) => boolean = () => true): Set<string> {
    return new Set(
      notes.flatMap((note) => (note.ids.includes(id) && is(note) ? note.session : [])),
    );
  }
  const isUsed = (id: string) => (note: UseNote) => note.used.includes(id);

  function worth(project: string, id: string): number {
    const shown = sessionsOf(id, (note) => note.project === project);
    // What sessions of another project used is of use here, too, but lifts nothing.
    if (shown.size >= restsAfter && sessionsOf(id, isUsed(id)).size === 0) return 0;
    const used = sessionsOf(id, (note) => note.project === project && isUsed(id)(note));
    return 1 + more.each * Math.min(used.size, more.most);
  }

  return {
    add(shown) {
      notes = [...notes, v.parse(NoteSchema, shown)].slice(-kept);
      changed();
    },
    wasShown: (session, id) => notes.some((one) => one.session === session && one.ids.includes(id)),
    note({ session, command, file, named }) {
      const signs: Sign[] = [];
      for (const one of notes) {
        if (one.session !== session) continue;
        const asked = named === undefined ? [] : one.ids.filter((id) => names(named, id));
        const acts =
          (command !== undefined && one.commands.some((other) => runs(command, other))) ||
          (file !== undefined && one.files.includes(file));
        if (asked.length === 0 && !acts) continue;
        if (asked.length > 0 && !one.lookedUp) signs.push({ kind: one.kind, how: "looked-up" });
        if (acts && !one.actedOn) signs.push({ kind: one.kind, how: "acted-on" });
        one.lookedUp ||= asked.length > 0;
        one.actedOn ||= acts;
        one.used = [...new Set([...one.used, ...asked, ...(acts ? one.ids : [])])];
        changed();
      }
      return signs;
    },
    worth,
    rests: (project, id) => worth(project, id) === 0,
    of(id) {
      const shown = sessionsOf(id).size;
      const used = sessionsOf(id, isUsed(id)).size;
      return { shown, used, rests: shown >= restsAfter && used === 0 };
    },
    forget(ids) {
      const gone = new Set(ids);
      if (!notes.some((one) => one.ids.some((id) => gone.has(id)))) return;
      notes = notes
        .map((one) => ({ ...one, ids: one.ids.filter((id) => !gone.has(id)) }))
        .filter((one) => one.ids.length > 0);
      changed();
    },
    all: () => notes,
  };
}

/** Its program and all its options: a branch's name is another each time. */
function runs(line: string, other: string): boolean {
  const words = new Set(commandKey(line).split(/\s+/));
  const said = commandKey(other).split(/\s+/);
  return said.every((word, at) => (at > 1 && !word.startsWith("-")) || words.has(word));
}

function names(text: string, id: string): boolean {
  return text.split(/[^\p{L}\p{N}]+/u).includes(id);
}

/** The notes of a home on its disk. */
interface KeptUses extends Uses {
  /** Writes what changed since the last time. */
  keep(): Promise<void>;
}

const fileName = "moments.json";
const homes = new Map<string, Promise<KeptUses>>();

/** One for each home: whoever shows something sees what others showed. A file that is missing or torn counts as none. */
export function usesOf(home: string): Promise<KeptUses> {
  const known = homes.get(home) ?? open(join(home, fileName));
  homes.set(home, known);
  return known;
}

async function open(path: string): Promise<KeptUses> {
  let isChanged = false;
  const uses = createUses(await readNotes(path), () => {
    isChanged = true;
  });
  return {
    ...uses,
    async keep() {
      if (!isChanged) return;
      isChanged = false;
      const draft = `${path}.tmp`;
      await writeFile(draft, JSON.stringify(uses.all()), { mode: 0o600 });
      await moveFile(draft, path);
    },
  };
}

async function readNotes(path: string): Promise<UseNote[]> {
  try {
    const parsed = v.safeParse(v.array(NoteSchema), JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? parsed.output : [];
  } catch {
    return [];
  }
}

// Remembers what each session got, so that nothing is said twice. Bounded; lost on restart without harm.

/** What was said (ids, or keys of a plugin's own), by session. */
export interface Said {
  has(session: string, what: string): boolean;
  add(session: string, whats: readonly string[]): void;
  /** True the first time; from then on it counts as said. */
  isNew(session: string, what: string): boolean;
  /** The session's context was cleared: all may be said again. */
  forget(session: string): void;
}

/** Of at most `mostSessions` sessions, `most` things each; the oldest go first. */
export function createSaid(mostSessions = 300, most = 500): Said {
  const sessions = new Map<string, Set<string>>();

  const has = (session: string, what: string) => sessions.get(session)?.has(what) ?? false;

  function add(session: string, whats: readonly string[]): void {
    const said = sessions.get(session) ?? new Set<string>();
    for (const what of whats) said.add(what);
    dropOldest(said, most);
    sessions.delete(session);
    sessions.set(session, said);
    dropOldest(sessions, mostSessions);
  }

  return {
    has,
    add,
    isNew(session, what) {
      if (has(session, what)) return false;
      add(session, [what]);
      return true;
    },
    forget: (session) => void sessions.delete(session),
  };
}
