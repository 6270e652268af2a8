// Counts what sessions with Endless Mode took, from their transcripts as they grow: the turns before the first reduction and those after.

import type { ClientEvent } from "../../sdk/events.ts";
import { dropOldest } from "../../text/text.ts";
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
import { knownFirstReduced, type TurnUsage, writeSessionUsage } from "./books.ts";
import { firstKeptAt } from "./kept-rows.ts";
import type { EndlessFile } from "./open-store.ts";
import { chosenFor, isHeldOut } from "./switch.ts";

interface MeasuringDeps {
  now: () => number;
  config: () => Config["endless"];
  session: (id: string) => JournalSession | undefined;
  /** Where clients keep transcripts. */
  folders: readonly string[];
}

/** A transcript, as far as it was read. */
interface Reading {
  position?: TailPosition;
  before: UsageCounter;
  after: UsageCounter;
  /** A message stands on several lines; all of them count where the first does. */
  sides: Map<string, "before" | "after">;
}

const unread = (): Reading => ({
  before: createUsageCounter(),
  after: createUsageCounter(),
  sides: new Map(),
});

/** More are begun anew when they are asked for again. */
const mostReadings = 50;

/** Gives a function that counts what an event's session took so far; rejects where that cannot be read or written. */
export function createMeasuring(file: EndlessFile, deps: MeasuringDeps) {
  const { now, config } = deps;
  const readings = new Map<string, Reading>();

  /** Reads what is new in the transcript. `firstReducedAt` (epoch ms) parts the turns; without it all of them are before. */
  async function read(path: string, firstReducedAt: number | undefined): Promise<Reading> {
    const reading = readings.get(path) ?? unread();
    readings.delete(path);
    for (;;) {
      const { entries, position, restarted } = await readTail(path, reading.position);
      if (restarted) Object.assign(reading, unread());
      for (const entry of entries) {
        if (entry.kind !== "assistant" || !entry.usage) continue;
        const key = entry.messageId ?? entry.requestId;
        const isAfter = firstReducedAt !== undefined && (entry.time ?? 0) >= firstReducedAt;
        const known = key === undefined ? undefined : reading.sides.get(key);
        const side = known ?? (isAfter ? "after" : "before");
        if (key !== undefined) reading.sides.set(key, side);
        reading[side].add(entry);
      }
      const came = reading.position === undefined || position.offset > reading.position.offset;
      reading.position = position;
      if (!came || entries.length === 0) break;
    }
    readings.set(path, reading);
    dropOldest(readings, mostReadings);
    return reading;
  }

  return async (event: ClientEvent): Promise<void> => {
    const { session, transcriptPath } = event;
    const project = event.project?.id ?? deps.session(session)?.project.id;
    const { strategies } = chosenFor(config(), session, project);
    if (strategies.length === 0 || transcriptPath === undefined) return;
    const trusted = await trustedTranscript(transcriptPath, session, deps.folders);
    if (!trusted) return;
    const { path } = trusted;
    const firstReduced = () =>
      file.read((db) => knownFirstReduced(db, session) ?? firstKeptAt(db, session));
    let first = await firstReduced();
    let measured = await read(path, first);
    const since = await firstReduced();
    // Something was left out for the first time while the file was read: turns after that stand on the wrong side.
    if (since !== first) {
      first = since;
      readings.delete(path);
      measured = await read(path, first);
    }
    if (event.name === "SessionEnd") readings.delete(path);
    const usage = {
      session,
      project: project ?? "",
      strategies,
      heldOut: isHeldOut(session, config().holdOut),
      firstReducedAt: first ?? null,
      updatedAt: now(),
      before: sum(measured.before),
      after: sum(measured.after),
    };
    await file.write((db) => writeSessionUsage(db, usage));
  };
}

function sum(counter: UsageCounter): TurnUsage {
  return { turns: counter.messages(), ...addUsage(counter.total(), noUsage) };
}
