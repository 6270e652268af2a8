// Made-up users, played live by their hooks and read from their transcripts: what of them the next session is told, what must not be.
import { appendFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isAsidePerson, people } from "../people/index.ts";
import { type PlayedScript, play } from "../people/play.ts";
import type { Person } from "../people/script.ts";
import { type Memory, openMemory } from "./memory.ts";
import { fateOf, type NoteFate, noteFigures, noteMisses } from "./notes.ts";
import { type Figure, figure, share } from "./report.ts";
import { carries } from "./text.ts";

/** How a person's work reaches memory. */
export type Way = "live" | "transcripts";

/** What became of something that must not be told. */
export interface NeverFate {
  id: string;
  aside: boolean;
  what: string;
  /** The line of the next session's context that carries it; absent where none does. */
  told?: string;
  /** A standing item carries it. */
  standing: boolean;
}

/** What the next session of a person was told, and what became of the notes. */
export interface FollowedPerson {
  name: string;
  aside: boolean;
  context: string;
  notes: readonly NoteFate[];
  /** Notes that need not be told unasked. */
  untold: ReadonlySet<string>;
  never: readonly NeverFate[];
}

/** When the next session starts after the last one's end, in ms. */
const later = 16 * 3_600_000;

/** Plays everybody, each into a memory of its own. */
export async function followPeople(way: Way): Promise<FollowedPerson[]> {
  const followed: FollowedPerson[] = [];
  for (const person of people) followed.push(await followPerson(person, way));
  return followed;
}

async function followPerson(person: Person, way: Way): Promise<FollowedPerson> {
  const projects = await mkdtemp(join(tmpdir(), "memoir-people-"));
  const memory = await openMemory([projects]);
  try {
    const sessions = play(person, projects);
    if (way === "live") await live(memory, sessions);
    else await fromTranscripts(memory, sessions, projects);
    memory.setClock(Math.max(...sessions.map(({ over }) => over)) + later);
    return await look(memory, person);
  } finally {
    await memory.close();
    await rm(projects, { recursive: true, force: true });
  }
}

/** Lines are written and hooks told as it happens; work is over before the user types on. */
async function live(memory: Memory, sessions: readonly PlayedScript[]): Promise<void> {
  for (const { session, moments } of sessions)
    for (const [at, { time, lines, hooks }] of moments.entries()) {
      await write(lines);
      memory.setClock(time);
      for (const [place, payload] of hooks.entries()) {
        await memory.hook(payload, `${session}-${at}-${place}`);
        if (/^(?:Stop|SessionEnd)$/.test(String(payload.hook_event_name)))
          await memory.settle(session);
      }
    }
}

/** Writes the transcripts of sessions and takes them in. */
export async function fromTranscripts(
  memory: Memory,
  sessions: readonly PlayedScript[],
  projects: string,
): Promise<void> {
  for (const { moments } of sessions) for (const { lines } of moments) await write(lines);
  await memory.backfill(projects);
}

async function write(lines: ReadonlyArray<{ path: string; line: unknown }>): Promise<void> {
  for (const { path, line } of lines) {
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, `${JSON.stringify(line)}\n`);
  }
}

async function look(memory: Memory, person: Person): Promise<FollowedPerson> {
  const aside = isAsidePerson(person);
  const { context } = await memory.atStart(person.cwd);
  const kept = await memory.everything();
  const [project = ""] = [...(await memory.sessions()).values()].map((one) => one.project);
  const notes: NoteFate[] = [];
  for (const note of person.notes) {
    const sought = { ...note, id: `${person.name}/${note.id}`, aside };
    notes.push(await fateOf(memory, sought, { context, project, kept }));
  }
  const standing = kept.filter(({ kind }) => kind === "memory");
  const never = person.never.map(({ id, what, tokens, unless = [] }) => {
    const isWrong = (text: string) =>
      carries(text, tokens) && !(unless.length > 0 && carries(text, [[...unless]]));
    const told = context.split("\n").find(isWrong);
    return {
      id: `${person.name}/${id}`,
      aside,
      what,
      ...(told !== undefined && { told }),
      standing: standing.some(({ text }) => isWrong(text)),
    };
  });
  const untold = new Set(
    person.notes.filter(({ tell }) => tell === false).map(({ id }) => `${person.name}/${id}`),
  );
  return { name: person.name, aside, context, notes, untold, never };
}

/** Shares of notes and of what must not be told. */
export function peopleFigures(way: Way, followed: readonly FollowedPerson[]): Figure[] {
  const part = `people, ${way === "live" ? "live" : "from transcripts"}`;
  const never = followed.flatMap((person) => person.never);
  const worthTelling = followed.flatMap(({ notes, untold }) =>
    notes.filter(({ id }) => !untold.has(id)),
  );
  const [, ...others] = noteFigures(
    part,
    followed.flatMap(({ notes }) => notes),
  );
  const isAside = ({ aside }: { aside: boolean }) => aside;
  return [
    figure(
      part,
      "told to the next session",
      worthTelling,
      isAside,
      share(({ told }) => told),
    ),
    ...others,
    figure(
      part,
      "told though it must not be",
      never,
      isAside,
      share(({ told }) => told !== undefined),
    ),
    figure(
      part,
      "standing though it must not be",
      never,
      isAside,
      share(({ standing }) => standing),
    ),
  ];
}

/** What to look at, never of those set aside. */
export function peopleMisses(way: Way, followed: readonly FollowedPerson[]): string[] {
  const missed = noteMisses(followed.flatMap(({ notes }) => notes));
  const wrong = followed
    .flatMap(({ never }) => never)
    .filter(({ aside, told, standing }) => !aside && (told !== undefined || standing))
    .map(({ id, what, told }) => `${id}: must not be told: ${what} <= ${told ?? "standing item"}`);
  return [...missed, ...wrong].map((line) => `${way}: ${line}`);
}
