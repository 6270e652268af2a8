// Counts what sessions with Endless Mode took, from their transcripts, off the hook's path.
import type { ClientEvent } from "../../sdk/events.ts";
import { dropOldest } from "../../text/drop-oldest.ts";
import type { AssistantEntry, BrokenLine, TranscriptEntry } from "../../transcript/entry.ts";
import type { TailPosition } from "../../transcript/read.ts";
import { readTail } from "../../transcript/read.ts";
import type { UsageCounter } from "../../transcript/usage.ts";
import { addUsage, createUsageCounter, noUsage } from "../../transcript/usage.ts";
import type { Config } from "../config/schema.ts";
import { trustedTranscript } from "../context/trusted-transcript.ts";
import type { JournalSession } from "../ports.ts";
import { firstKeptAt } from "./kept-rows.ts";
import type { OrElse } from "./ledger.ts";
import type { EndlessFile } from "./open-store.ts";
import { chosenFor, isHeldOut } from "./switch.ts";
import type { TurnUsage } from "./usage-rows.ts";
import { knownFirstReduced, writeSessionUsage } from "./usage-rows.ts";

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
