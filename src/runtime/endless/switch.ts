// Where Endless Mode is switched on: which strategies work in a session, and which sessions stay untouched. Pure.

import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ClientEvent } from "../../sdk/events.ts";
import { dropOldest, field } from "../../text/text.ts";
import type { BrokenLine, TranscriptEntry } from "../../transcript/entry.ts";
import { readTail, type TailPosition } from "../../transcript/read.ts";
import { addUsage, contextOf, noUsage } from "../../transcript/usage.ts";
import type { Price } from "../budget/prices.ts";
import type { Config } from "../config/schema.ts";
import { trustedAgentFile, trustedTranscript } from "../context/read-contexts.ts";
import type { JournalSession } from "../ports.ts";
import { movedIn, type TurnUsage, writeSessionUsage } from "./books.ts";
import { type Compaction, type CountedRequest, compactionIn, gainOf, sumGains } from "./gain.ts";
import type { EndlessFile } from "./open-store.ts";

/** The `endless` part of config, as far as it says who works where. */
export type EndlessSwitch = Pick<
  Config["endless"],
  "everywhere" | "projects" | "sessions" | "holdOut"
>;

/** The built-in strategies, in the order in which they work on one session. */
export const builtInStrategies: readonly string[] = ["live", "transcript", "gateway"];

/** A scope of the switch, the narrowest first. */
export type Scope = "session" | "project" | "everywhere";

/** Strategies in force, and which scope said so. */
interface Chosen {
  scope: Scope;
  strategies: readonly string[];
}

/**
 * Who is switched on for a session, hold-out aside: the session's own entry counts before its project's, that before
 * `everywhere`. An empty list means off.
 */
export function chosenFor(
  { everywhere, projects, sessions }: EndlessSwitch,
  session: string,
  project: string | undefined,
): Chosen {
  if (Object.hasOwn(sessions, session))
    return { scope: "session", strategies: sessions[session] ?? [] };
  if (project !== undefined && Object.hasOwn(projects, project))
    return { scope: "project", strategies: projects[project] ?? [] };
  return { scope: "everywhere", strategies: everywhere };
}

/** True for the share of sessions that stay untouched: by the session's id alone, so that it stays what it is. */
export function isHeldOut(session: string, holdOut: number): boolean {
  return holdOut > 0 && placeOf(session) < holdOut;
}

/** A session's place between 0 and 1, evenly spread: a 32-bit hash of its id (FNV-1a, stirred once more). */
function placeOf(session: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < session.length; at += 1)
    hash = Math.imul(hash ^ session.charCodeAt(at), 0x01000193);
  // FNV's upper bits hardly move for ids that differ at their end.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Whether some scope names the strategy. */
export function isNamed(config: EndlessSwitch, strategy: string): boolean {
  return namedStrategies(config).includes(strategy);
}

/** Every strategy that some scope names: the built-in ones in their own order, then the others as they are named. */
function namedStrategies({ everywhere, projects, sessions }: EndlessSwitch): string[] {
  const named = new Set([
    ...everywhere,
    ...Object.values(projects).flat(),
    ...Object.values(sessions).flat(),
  ]);
  const own = builtInStrategies.filter((name) => named.has(name));
  return [...new Set([...own, ...named])];
}

/** Who fills the slot: what `slots` says gives the order, every other named strategy follows; without any, nobody does. */
export function strategyOrder(
  chosen: readonly string[] | undefined,
  config: EndlessSwitch,
): string[] {
  const order = new Set([
    ...(chosen ?? []).flatMap((name) => (name === "..." ? builtInStrategies : [name])),
    ...namedStrategies(config),
  ]);
  order.delete(nobody);
  return order.size === 0 ? [nobody] : [...order];
}

/** Fills the slot where no strategy is wanted. */
const nobody = "off";

// Lets a strategy of Endless Mode see a hook's input only where it is switched on: one test for all strategies, built in or not.

/** True when a strategy, by any of its names, may see this input. What belongs to no session, none may see. */
export type EndlessGate = (names: readonly string[], input: unknown) => boolean;

/** `projectOf` gives the project of a session whose input names none. */
export function createGate(
  config: EndlessSwitch,
  projectOf: (session: string) => string | undefined,
): EndlessGate {
  const anyProject = Object.keys(config.projects).length > 0;
  return (names, input) => {
    const session = sessionOf(input);
    if (session === undefined || isHeldOut(session, config.holdOut)) return false;
    // Looked up only where it can matter.
    const byProject = anyProject && !Object.hasOwn(config.sessions, session);
    const project = byProject ? (projectIn(input) ?? projectOf(session)) : undefined;
    const { strategies } = chosenFor(config, session, project);
    return strategies.some((strategy) => names.includes(strategy));
  };
}

// An input is a client event, a request or an answer of a model, a notice (they name session and project), or a batch of
// work, also inside an extraction (its session is an object).

function sessionOf(input: unknown): string | undefined {
  const session = field(work(input), "session");
  return text(session) ?? text(field(session, "id"));
}

function projectIn(input: unknown): string | undefined {
  const own = field(work(input), "project");
  const session = field(field(work(input), "session"), "project");
  return text(own) ?? text(field(own, "id")) ?? text(field(session, "id"));
}

function work(input: unknown): unknown {
  return field(input, "batch") ?? input;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

// Counts what sessions with Endless Mode took, from their transcripts as they grow: the turns before the first reduction and those after.

interface MeasuringDeps {
  now: () => number;
  config: () => Config["endless"];
  session: (id: string) => JournalSession | undefined;
  /** Where clients keep transcripts. */
  folders: readonly string[];
  /** What a user says that models cost. */
  prices?: () => Readonly<Record<string, Partial<Price>>>;
}

/** Requests of one agent, each message once. */
interface Requests {
  requests: Map<string, CountedRequest>;
  /** No request came after it yet. */
  compacted: Compaction | undefined;
}

/** A transcript, as far as it was read, by agent; "" is the session's own. */
interface Reading {
  position?: TailPosition;
  agents: Map<string, Requests>;
}

const unread = (): Reading => ({ agents: new Map() });

/** More are begun anew when they are asked for again. */
const mostReadings = 50;
/** Files of a session's subagents. */
const mostAgents = 1_000;

/** Notes what an entry says of a request or of a compaction; the lines of one message are one request. `file`: whose it is. */
function countEntry(reading: Reading, entry: TranscriptEntry | BrokenLine, file: string): void {
  if (entry.kind === "broken") return;
  // Older clients write their subagents' lines into the session's own file.
  const agent = file || (entry.isSidechain ? (entry.agentId ?? "sidechain") : "");
  const own = reading.agents.get(agent) ?? { requests: new Map(), compacted: undefined };
  reading.agents.set(agent, own);
  own.compacted = compactionIn(entry) ?? own.compacted;
  if (entry.kind !== "assistant" || !entry.usage || contextOf(entry.usage) === 0) return;
  const { usage, model = "", time = 0, line } = entry;
  const key = entry.messageId ?? entry.requestId ?? `line ${line}`;
  const known = own.requests.get(key);
  // Of a message's entries the one with the most output tokens counts: earlier ones are partial.
  if (known && known.usage.output >= usage.output) return;
  const { compacted } = known ?? own;
  own.requests.set(key, { model, usage, compacted, time: known?.time ?? time });
  if (!known) own.compacted = undefined;
}

/** The session's own transcript and its subagents', each with the agent's id. */
async function filesOf(session: string): Promise<Array<{ path: string; agent: string }>> {
  const folder = join(dirname(session), basename(session, ".jsonl"), "subagents");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found = names.slice(0, mostAgents).map(async (name) => {
    const agent = /^agent-([\w-]{1,200})\.jsonl$/.exec(basename(name))?.[1];
    const file = agent && (await trustedAgentFile(join(folder, name), session));
    return file ? [{ path: file.path, agent }] : [];
  });
  return [{ path: session, agent: "" }, ...(await Promise.all(found)).flat()];
}

/** Gives a function that counts what an event's session took so far; rejects where that cannot be read or written. */
export function createMeasuring(file: EndlessFile, deps: MeasuringDeps) {
  const { now, config } = deps;
  const readings = new Map<string, Map<string, Reading>>();

  /** Reads what is new in a transcript. */
  async function readOn(path: string, agent: string, reading: Reading): Promise<void> {
    for (;;) {
      const { entries, position, restarted } = await readTail(path, reading.position);
      if (restarted) Object.assign(reading, unread());
      for (const entry of entries) countEntry(reading, entry, agent);
      const came = reading.position === undefined || position.offset > reading.position.offset;
      reading.position = position;
      if (!came || entries.length === 0) break;
    }
  }

  /** The requests of each agent of a session. */
  async function read(session: string): Promise<Map<string, CountedRequest[]>> {
    const own = readings.get(session) ?? new Map<string, Reading>();
    readings.delete(session);
    const found = new Map<string, CountedRequest[]>();
    for (const { path, agent } of await filesOf(session)) {
      const reading = own.get(path) ?? unread();
      own.set(path, reading);
      await readOn(path, agent, reading);
      for (const [of, { requests }] of reading.agents)
        found.set(of, [...(found.get(of) ?? []), ...requests.values()]);
    }
    readings.set(session, own);
    dropOldest(readings, mostReadings);
    return found;
  }

  return async (event: ClientEvent): Promise<void> => {
    const { session, transcriptPath } = event;
    const project = event.project?.id ?? deps.session(session)?.project.id;
    const { strategies } = chosenFor(config(), session, project);
    if (strategies.length === 0 || transcriptPath === undefined) return;
    const trusted = await trustedTranscript(transcriptPath, session, deps.folders);
    if (!trusted) return;
    const agents = await read(trusted.path);
    if (event.name === "SessionEnd") readings.delete(trusted.path);
    const known = await file.read((db) => movedIn(db, session));
    const first = known?.first;
    const requests = [...agents.values()].flat();
    const gains = [...agents].map(([agent, own]) =>
      gainOf(own, known?.moved.get(agent) ?? [], deps.prices?.()),
    );
    const isAfter = ({ time }: CountedRequest) => first !== undefined && time >= first;
    const usage = {
      session,
      project: project ?? "",
      strategies,
      heldOut: isHeldOut(session, config().holdOut),
      firstReducedAt: first ?? null,
      updatedAt: now(),
      before: sum(requests.filter((request) => !isAfter(request))),
      after: sum(requests.filter(isAfter)),
      gain: sumGains(gains),
    };
    await file.write((db) => writeSessionUsage(db, usage));
  };
}

function sum(requests: readonly CountedRequest[]): TurnUsage {
  return {
    turns: requests.length,
    ...requests.map(({ usage }) => usage).reduce(addUsage, noUsage),
  };
}
