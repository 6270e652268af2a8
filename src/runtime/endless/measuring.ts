// Counts what sessions with Endless Mode took, from their transcripts, off the hook's path.

import type { KeepRequest, ToolPart } from "../../sdk/endless.ts";
import type { ClientEvent, PostToolUseEvent } from "../../sdk/events.ts";
import { isOwnTool } from "../../sdk/tool-names.ts";
import { dropOldest, isRecord } from "../../text/text.ts";
import type { AssistantEntry, BrokenLine, TranscriptEntry } from "../../transcript/entry.ts";
import { readTail, type TailPosition } from "../../transcript/read.ts";
import {
  addUsage,
  createUsageCounter,
  noUsage,
  type UsageCounter,
} from "../../transcript/usage.ts";
import type { Config } from "../config/schema.ts";
import { trustedTranscript } from "../context/read-contexts.ts";
import type { JournalSession } from "../ports.ts";
import { firstKeptAt } from "./kept-rows.ts";
import type { OrElse } from "./ledger.ts";
import type { EndlessFile } from "./open-store.ts";
import { chosenFor, isHeldOut } from "./switch.ts";
import { knownFirstReduced, type TurnUsage, writeSessionUsage } from "./usage-rows.ts";

export interface MeasuringDeps {
  file: EndlessFile;
  now: () => number;
  config: () => Config["endless"];
  session: (id: string) => JournalSession | undefined;
  /** Where clients keep transcripts. */
  folders: readonly string[];
  orElse: OrElse;
}

/** One transcript at a time: it can be long. */
export function createMeasuring(deps: MeasuringDeps) {
  const { file, now, config } = deps;
  const meter = createSessionMeter();
  let under: Promise<void> = Promise.resolve();
  let stopped = false;

  async function measureNow(event: ClientEvent): Promise<void> {
    const { session, transcriptPath } = event;
    const project = event.project?.id ?? deps.session(session)?.project.id;
    const { strategies } = chosenFor(config(), session, project);
    if (strategies.length === 0 || transcriptPath === undefined) return;
    const trusted = await trustedTranscript(transcriptPath, session, deps.folders);
    if (!trusted) return;
    const firstReduced = () =>
      file.read((db) => knownFirstReduced(db, session) ?? firstKeptAt(db, session));
    let first = await firstReduced();
    let measured = await meter.measure(trusted.path, first);
    const since = await firstReduced();
    // Something was left out for the first time while the file was read: turns after that stand on the wrong side.
    if (since !== first) {
      first = since;
      meter.forget(trusted.path);
      measured = await meter.measure(trusted.path, first);
    }
    if (event.name === "SessionEnd") meter.forget(trusted.path);
    await file.write((db) =>
      writeSessionUsage(db, {
        session,
        project: project ?? "",
        strategies,
        heldOut: isHeldOut(session, config().holdOut),
        firstReducedAt: first ?? null,
        updatedAt: now(),
        ...measured,
      }),
    );
  }

  return {
    /** Counts what the session took so far, after a Stop or at its end. */
    measure(event: ClientEvent): void {
      if (stopped || event.agent || (event.name !== "Stop" && event.name !== "SessionEnd")) return;
      under = under.then(() => deps.orElse(() => measureNow(event), undefined));
    },
    /** Ends with what is under way; nothing more is begun. */
    stop(): Promise<void> {
      stopped = true;
      return under;
    },
  };
}

// Counts what a session's requests took, from its transcript as it grows: the turns before the first reduction and those after.

/** Two sums. */
interface Measured {
  before: TurnUsage;
  after: TurnUsage;
}

interface Reading {
  position?: TailPosition;
  before: UsageCounter;
  after: UsageCounter;
  /** A message is told on several lines; all of them count where the first does. */
  sides: Map<string, "before" | "after">;
}

/** More are begun anew when they are asked for again. */
const mostReadings = 50;

/** Remembers how far it read. */
function createSessionMeter() {
  const readings = new Map<string, Reading>();

  return {
    /** Reads what is new in the file. `firstReducedAt` (epoch ms) parts the turns; without it all of them are before. */
    async measure(path: string, firstReducedAt: number | undefined): Promise<Measured> {
      const reading = readings.get(path) ?? begin();
      readings.delete(path);
      for (;;) {
        const { entries, position, restarted } = await readTail(path, reading.position);
        if (restarted) Object.assign(reading, begin());
        for (const entry of entries) add(reading, entry, firstReducedAt);
        const came = reading.position === undefined || position.offset > reading.position.offset;
        reading.position = position;
        if (!came || entries.length === 0) break;
      }
      readings.set(path, reading);
      dropOldest(readings, mostReadings);
      return { before: sum(reading.before), after: sum(reading.after) };
    },
    /** Lets go of what is remembered of a file. */
    forget: (path: string) => void readings.delete(path),
  };
}

function begin(): Reading {
  return { before: createUsageCounter(), after: createUsageCounter(), sides: new Map() };
}

function add(
  reading: Reading,
  entry: TranscriptEntry | BrokenLine,
  firstReducedAt: number | undefined,
): void {
  if (entry.kind !== "assistant" || !entry.usage) return;
  const key = keyOf(entry);
  const known = key === undefined ? undefined : reading.sides.get(key);
  const isAfter = firstReducedAt !== undefined && (entry.time ?? 0) >= firstReducedAt;
  const side = known ?? (isAfter ? "after" : "before");
  if (key !== undefined) reading.sides.set(key, side);
  reading[side].add(entry);
}

function keyOf({ messageId, requestId }: AssistantEntry): string | undefined {
  return messageId ?? requestId;
}

function sum(counter: UsageCounter): TurnUsage {
  return { turns: counter.messages(), ...addUsage(counter.total(), noUsage) };
}

// What an agent does to have back what was taken out: it asks memoir for it, or looks at the same thing again. A person at a terminal counts for nothing.

/** What was taken out, by whom, and of which kind. */
export interface TakenOut {
  strategy: string;
  kind: string;
  session: string;
  project?: string | undefined;
  tool: string;
  part: ToolPart;
}

/** An agent had something of it back. */
export interface SecondLook {
  taken: TakenOut;
  /** `recalled` asked memoir, `reread` the tool. */
  how: "recalled" | "reread";
  /** Of what came back. */
  characters: number;
}

/** A request of memoir, whose ids are to be looked up. */
export interface AskedBack {
  /** Whole, or their beginnings. */
  ids: string[];
  characters: number;
}

interface Known extends TakenOut {
  toolUseId: string;
  agent: string;
  subject: string;
  /** The call, whole: the very same call again is no second look but a new one. */
  call: string;
  /** Lines that were left out. */
  gone: ReadonlySet<string>;
  /** How many tool uses of the session came before. */
  at: number;
}

/** A look so many tool uses later has other reasons. */
const soon = 20;
const mostSessions = 200;
const mostDelivered = 1_000;
const mostLines = 4_000;
/** Shorter lines stand everywhere. */
const leastLine = 8;

export type SecondLooks = ReturnType<typeof createSecondLooks>;

/** Bounded; what a restart forgets costs only the count. */
export function createSecondLooks() {
  const sessions = new Map<string, { uses: number; known: Known[] }>();
  const delivered = new Set<string>();

  function of(session: string) {
    const found = sessions.get(session) ?? { uses: 0, known: [] };
    sessions.delete(session);
    sessions.set(session, found);
    dropOldest(sessions, mostSessions);
    return found;
  }

  return {
    /** Something was taken out. `input` is what the tool was called with. */
    took(taken: TakenOut, request: KeepRequest, input: unknown): void {
      const { toolUseId, agent = "", before, after, part, value } = request;
      const subject = subjectOf(taken.tool, input);
      if (subject === undefined) return;
      const own = of(taken.session);
      const kept = new Set(linesOf(after));
      const whole = part === "input" ? stringsIn(value).join("\n") : before;
      const gone = new Set(linesOf(whole).filter((line) => !kept.has(line)));
      const call = JSON.stringify(input);
      own.known.push({ ...taken, toolUseId, agent, subject, call, gone, at: own.uses });
    },
    /** A tool use ended; gives what it was a second look at. */
    heard(event: ClientEvent): SecondLook[] {
      if (event.name !== "PostToolUse" || event.recovered) return [];
      const own = of(event.session);
      own.uses++;
      own.known = own.known.filter(({ at }) => own.uses - at <= soon);
      const subject = subjectOf(event.toolName, event.toolInput);
      if (subject === undefined) return [];
      const call = JSON.stringify(event.toolInput);
      const alike = own.known.filter(
        (one) =>
          one.toolUseId !== event.toolUseId &&
          one.agent === (event.agent?.id ?? "") &&
          one.subject === subject &&
          // A file is read again by the same call; a command that is run again runs anew.
          (event.toolName === "Read" || one.call !== call),
      );
      if (alike.length === 0) return [];
      const text = stringsIn(event.toolResponse).join("\n");
      const lines = linesOf(text);
      const missed = alike.filter(({ gone }) => lines.some((line) => gone.has(line)));
      own.known = own.known.filter((one) => !missed.includes(one));
      return missed.map((taken) => ({ taken, how: "reread", characters: text.length }));
    },
    /** What the tool use asks memoir to give back; undefined where it asks nothing, or was delivered before. */
    asked(event: ClientEvent): AskedBack | undefined {
      if (event.name !== "PostToolUse" || event.recovered) return undefined;
      const back = askedBack(event);
      const place = `${event.session} ${event.toolUseId}`;
      if (!back || delivered.has(place)) return undefined;
      delivered.add(place);
      dropOldest(delivered, mostDelivered);
      return back;
    },
    /** A strategy says itself that this was looked at again; undefined where that is known, or nothing is known of it. */
    noted(session: string, toolUseId: string): TakenOut | undefined {
      const own = sessions.get(session);
      const found = own?.known.find((one) => one.toolUseId === toolUseId);
      if (own && found) own.known = own.known.filter((one) => one !== found);
      return found;
    },
  };
}

const asking = /(?:^|[\s;&|("'/\\])memoir(?:\.exe)?["']?\s+recall\s+["']?(\w[\w.:-]*)/g;

function askedBack({ toolName, toolInput, toolResponse }: PostToolUseEvent): AskedBack | undefined {
  if (!isRecord(toolInput)) return undefined;
  const ids = isOwnTool(toolName)
    ? [toolInput.id].filter((id) => typeof id === "string" && toolName.endsWith("recall"))
    : [...String(toolInput.command ?? "").matchAll(asking)].map(([, id]) => id);
  const named = [...new Set(ids.filter((id) => typeof id === "string"))];
  if (named.length === 0) return undefined;
  const characters = stringsIn(toolResponse).reduce((sum, { length }) => sum + length, 0);
  return { ids: named, characters: Math.round(characters / named.length) };
}

/** What a call is about: two calls about the same may show the same. */
function subjectOf(tool: string, input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const { file_path: file, command, pattern, url } = input;
  if (typeof file === "string") return `file ${file}`;
  if (tool === "Bash" && typeof command === "string") return `command ${unfiltered(command)}`;
  const named = pattern ?? url;
  return typeof named === "string" ? `${tool} ${named}` : undefined;
}

/** A command without the filters behind it: `make test 2>&1 | tail -50` is `make test`. */
export function unfiltered(command: string): string {
  let quote = "";
  let end = command.length;
  for (let at = 0; at < command.length; at++) {
    const sign = command[at] ?? "";
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === "|" && command[at + 1] !== "|" && command[at - 1] !== "|") {
      end = at;
      break;
    }
  }
  return command
    .slice(0, end)
    .replace(/\d?>&\d/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Without the numbers that a reader puts before them. */
function linesOf(text: string): string[] {
  return text
    .split("\n", mostLines)
    .map((line) => line.replace(/^ *\d+(?:→|\t)/, "").trim())
    .filter(({ length }) => length >= leastLine);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
