// A home full of made-up work, of nobody's: some months of sessions in a few projects, what they were told, Endless Mode's books and model calls.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../src/home/log.ts";
import { memoirPaths, type Paths } from "../../src/home/paths.ts";
import { openDatabase } from "../../src/host/sqlite.ts";
import { openLedger } from "../../src/runtime/budget/ledger.ts";
import { type Booking, book } from "../../src/runtime/endless/books.ts";
import { createEndlessFile } from "../../src/runtime/endless/open-store.ts";
import { addInjections, type Injection } from "../../src/runtime/journal/counts.ts";
import { openJournalFile } from "../../src/runtime/journal/open-journal.ts";
import type { NewObservation, Project, Records } from "../../src/sdk/model.ts";
import type { NewTurn } from "../../src/sdk/turn.ts";
import { fillRecords } from "../bench/filled-records.ts";
import { numbers } from "./synthetic-turns.ts";

/** How much is made. */
export interface MadeOptions {
  /** Days back from `end`. */
  days: number;
  /** The newest moment, epoch ms. */
  end: number;
  /** Sessions on a working day, on average. */
  perDay?: number;
}

const hour = 60 * 60_000;
const day = 24 * hour;

const projects: readonly Project[] = ["tidepool", "lantern", "field-notes", "orchard-api"].map(
  (name) => ({ id: `github.com/example/${name}`, name, root: `/home/dev/${name}` }),
);

interface Story {
  /** Of which project it is. */
  of: string;
  title: string;
  prompt: string;
  closing: string;
  command?: string;
  failure?: string;
  found: ReadonlyArray<{
    type: NewObservation["type"];
    title: string;
    subtitle: string;
    facts: string[];
    files: string[];
  }>;
}

/** What a story may be about, so that no two say the same. */
const parts = [
  ...["harbour view", "print export", "widget", "share sheet", "night mode", "station list"],
  ...["reminder", "weekly mail", "import", "archive", "sign-in", "public API", "cache"],
  ...["search box", "settings", "sync", "map layer", "notebook", "gallery", "calendar"],
  ...["command line", "backup"],
];

const stories: readonly Story[] = readFileSync(
  join(import.meta.dirname, "made-stories.jsonl"),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Every session with its records, oldest first. */
export function* madeSessions({ days, end, perDay = 3 }: MadeOptions): Generator<Records> {
  const random = numbers(7);
  let serial = 0;
  for (let back = days - 1; back >= 0; back--) {
    const midnight = new Date(end - back * day).setHours(0, 0, 0, 0);
    const isFree = [0, 6].includes(new Date(midnight).getDay());
    const count = Math.round(perDay * (isFree ? 0.3 : 0.6 + random()));
    for (let at = 0; at < count; at++) {
      const startedAt = midnight + (8 + (at * 9) / count + random()) * hour;
      if (startedAt + hour < end) yield madeSession(`${back}-${at}`, serial++, startedAt, random);
    }
  }
}

/** What is asked after the first. */
const more = [
  "Good. Run the whole suite once more.",
  "Say it in the changelog, too.",
  "Now commit it.",
];
const next = (promptNumber: number) => more[promptNumber % more.length] ?? "Go on.";

function madeSession(
  number: string,
  serial: number,
  startedAt: number,
  random: () => number,
): Records {
  const story = stories[Math.floor(random() * stories.length)] ?? stories[0];
  if (!story) throw new Error("there are no stories");
  const project = projects.find(({ name }) => name === story.of);
  if (!project) throw new Error(`there is no project ${story.of}`);
  const id = `made-${number}`;
  const about = (words: string) => `${words} (${parts[serial % parts.length]})`;
  const prompts = 1 + Math.floor(random() * 5);
  const of = { session: id, client: "claude-code", project: project.id };
  const lastActiveAt = startedAt + prompts * (0.15 + random() * 0.25) * hour;
  const moment = (share: number) =>
    Math.round(startedAt + (lastActiveAt - startedAt) * Math.min(1, share));
  const turns: NewTurn[] = [];
  const observations: NewObservation[] = [];
  for (let promptNumber = 1; promptNumber <= prompts; promptNumber++) {
    const isFirst = promptNumber === 1;
    const time = moment((promptNumber - 0.1) / prompts);
    turns.push({
      ...{ ...of, promptNumber, time, end: "closed" },
      startedAt: moment((promptNumber - 1) / prompts),
      pieces: [
        { kind: "prompt", text: isFirst ? story.prompt : next(promptNumber) },
        ...(isFirst && story.failure
          ? [{ kind: "failure" as const, text: story.failure, about: story.command ?? "" }]
          : []),
        { kind: "closing", text: isFirst ? story.closing : "Done; all tests pass." },
      ],
      files: story.found.flatMap(({ files }) => files.map((path) => ({ path, changed: true }))),
    });
    for (const [at, { type, title, subtitle, facts, files }] of isFirst
      ? story.found.entries()
      : [])
      observations.push({
        ...{
          ...of,
          promptNumber,
          time: moment((at + 1) / (story.found.length + 1)),
          type,
          title: about(title),
          subtitle,
          facts,
        },
        ...{ narrative: story.closing, concepts: ["made-up"], filesRead: [], filesModified: files },
        ...{ toolUseIds: [], discoveryTokens: 2_000 + Math.round(random() * 14_000) },
        ...{ observerTokens: 0, provenance: { strategy: "heuristic", model: null } },
      });
  }
  return {
    sessions: [
      {
        ...{ id, client: "claude-code", project, title: about(story.title), subtitle: "" },
        ...{ status: "ended", startedAt, lastActiveAt, endedAt: lastActiveAt, prompts },
      },
    ],
    turns,
    observations,
    prompts: turns.map(({ promptNumber, startedAt: time, pieces }) => ({
      ...{ ...of, promptNumber, time, text: pieces[0]?.text ?? "" },
    })),
  };
}

/** Fills the databases of a home whose server does not run. */
export async function makeMemory(home: string, options: MadeOptions): Promise<void> {
  const paths = memoirPaths(home);
  const sessions = [...madeSessions(options)];
  await fillRecords(paths.memory, sessions);
  const random = numbers(11);
  const injections: Injection[] = [];
  const bookings: Booking[] = [];
  const calls: Array<{ at: number; session: string; project: string; tokens: number }> = [];
  for (const session of sessions.flatMap(({ sessions = [] }) => sessions)) {
    const { id, startedAt: time = 0, project, client } = session;
    const about = { session: id, project: project?.id ?? "" };
    const tokens = 600 + Math.round(random() * 900);
    injections.push({
      ...{ ...about, client, event: "SessionStart", time, tokens, characters: tokens * 4 },
      records: Array.from({ length: 6 }, () => `o${1 + Math.floor(random() * sessions.length)}`),
    });
    const kept = { ...about, at: time, strategy: "transcript", tool: "Read", reason: "output" };
    const out = Math.round(4_000 + random() * 26_000);
    bookings.push({ ...kept, kind: "kept", whole: out * 5, characters: out * 4, tokens: out });
    if (random() < 0.3)
      bookings.push({ ...kept, kind: "recalled", characters: out, tokens: Math.round(out / 6) });
    calls.push({ ...about, at: time, tokens: Math.round(1_500 + random() * 6_000) });
  }
  await putBooks(paths, { injections, bookings, calls });
}

interface Books {
  injections: readonly Injection[];
  bookings: readonly Booking[];
  calls: ReadonlyArray<{ at: number; session: string; project: string; tokens: number }>;
}

async function putBooks(paths: Paths, { injections, bookings, calls }: Books): Promise<void> {
  const log = silentLog;
  const deps = { log, now: Date.now, open: openDatabase };
  const { db } = await openJournalFile(paths.journal, deps);
  addInjections(db, injections);
  db.close();
  const endless = createEndlessFile(paths.endless, deps);
  await endless.write((books) => book(books, bookings));
  await endless.close();
  let now = 0;
  const ledger = await openLedger(paths.usage, { log, now: () => now });
  const limits = { dailyTokens: 1e9, sessionTokens: 1e9 };
  for (const [number, { at, tokens, session, project }] of calls.entries()) {
    now = at;
    const about = { purpose: "observe", plugin: "observation-structured", session, project };
    const id = ledger.begin({ ...about, reserve: tokens }, limits);
    const usage = { input: tokens, output: Math.round(tokens / 8), cacheRead: 0, cacheWrite: 0 };
    if (number % 17 === 0) ledger.end(id, { provider: "anthropic", error: "overloaded", spent: 0 });
    else ledger.end(id, { provider: "anthropic", model: "made-small", usage, cost: null });
  }
  ledger.close();
}
