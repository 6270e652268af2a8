// Inside a worker: what a plugin logs, bounded. A flood is counted and dropped before it costs the host anything.
import { createAllowance } from "./allowance.ts";
import { objection } from "./measure.ts";
import type { LogLevel, Said } from "./wire.ts";
import { packError } from "./wire-error.ts";

type LogSaid = Extract<Said, { type: "log" }>;

const perSecond = 50;
const burst = 100;
const maxMessage = 2_000;
const maxFieldBytes = 16_384;

/** A sink for log lines: `burst` at once, `perSecond` after that; how many were dropped is reported with the next line. */
export function createWorkerLog(send: (said: LogSaid) => void, now: () => number) {
  const mayTell = createAllowance(burst, perSecond, now);
  let dropped = 0;

  return function log(level: LogLevel, message: unknown, fields?: Record<string, unknown>): void {
    if (!mayTell()) {
      dropped++;
      return;
    }
    const said: LogSaid = { type: "log", level, message: String(message).slice(0, maxMessage) };
    const sent = { ...plain(fields), ...(dropped > 0 ? { droppedBefore: dropped } : {}) };
    dropped = 0;
    send(Object.keys(sent).length > 0 ? { ...said, fields: sent } : said);
  };
}

/** Fields that can cross: errors as their words, and nothing where the rest is too large. */
function plain(fields: Record<string, unknown> | undefined): Record<string, unknown> {
  if (typeof fields !== "object" || fields === null) return {};
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    value instanceof Error ? packError(value).message : value,
  ]);
  const made = Object.fromEntries(entries);
  const wrong = objection(made, maxFieldBytes);
  return wrong === undefined ? made : { fieldsLeftOut: wrong };
}
