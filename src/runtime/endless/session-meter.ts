// Counts what a session's requests took, from its transcript as it grows: the turns before the first reduction and those after.

import { dropOldest } from "../../text/drop-oldest.ts";
import type { AssistantEntry, BrokenLine, TranscriptEntry } from "../../transcript/entry.ts";
import { readTail, type TailPosition } from "../../transcript/read.ts";
import {
  addUsage,
  createUsageCounter,
  noUsage,
  type UsageCounter,
} from "../../transcript/usage.ts";
import type { TurnUsage } from "./usage-rows.ts";

/** Two sums. */
interface Measured {
  before: TurnUsage;
  after: TurnUsage;
}

interface SessionMeter {
  /** Reads what is new in the file. `firstReducedAt` (epoch ms) parts the turns; without it all of them are before. */
  measure(path: string, firstReducedAt: number | undefined): Promise<Measured>;
  /** Lets go of what is remembered of a file. */
  forget(path: string): void;
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
export function createSessionMeter(): SessionMeter {
  const readings = new Map<string, Reading>();

  return {
    async measure(path, firstReducedAt) {
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
    forget: (path) => void readings.delete(path),
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
