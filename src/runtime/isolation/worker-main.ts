// The entry of a plugin's worker: puts up the guards, offers the SDK, then does what the host's messages say.
import { dirname } from "node:path";
import { offerSdk } from "../plugins/sdk-module.ts";
import { createAllowance } from "./allowance.ts";
import { objection } from "./measure.ts";
import type { FromWorker, LogLevel, Said, ToWorker } from "./wire.ts";
import { packError } from "./wire.ts";
import { guardProcess } from "./worker-guards.ts";
import { createWorkerPlugin } from "./worker-plugin.ts";

// Inside a worker: what a plugin logs, bounded. A flood is counted and dropped before it costs the host anything.

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

/** The part of a worker's global scope that is used here. */
interface Scope {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
}

/** Each costs the host a line of its log; of a flood the number is enough. */
const strayAtOnce = 10;
const strayPerSecond = 1;

const scope = globalThis as unknown as Scope;
const post = scope.postMessage.bind(scope);
let hear: ((message: ToWorker) => void) | undefined;

scope.onmessage = ({ data }) => {
  if (hear) hear(data);
  else if (data.type === "setup") hear = begin(data);
};

function begin(setup: Extract<ToWorker, { type: "setup" }>) {
  const say = (said: Said) => post({ token: setup.token, said } satisfies FromWorker);
  const log = createWorkerLog(say, () => performance.now());
  // A plugin that posts by itself would only be cut off for it.
  scope.postMessage = () => log("warn", "a message to nobody was left out");
  offerSdk();
  const own = dirname(setup.source);
  const mayTell = createAllowance(strayAtOnce, strayPerSecond, () => performance.now());
  let leftOut = 0;
  guardProcess({
    own,
    log,
    exit: (code, place) => say({ type: "exit", code, ...(place === undefined ? {} : { place }) }),
    stray(error) {
      if (!mayTell()) {
        leftOut++;
        return;
      }
      say({ type: "stray", error: packError(error, own), before: leftOut });
      leftOut = 0;
    },
  });
  return createWorkerPlugin(setup, { say, log });
}
