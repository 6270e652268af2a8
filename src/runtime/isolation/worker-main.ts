// The entry of a plugin's worker: puts up the guards, offers the SDK, then answers the host.
import { dirname } from "node:path";
import { offerSdk } from "../plugins/sdk-module.ts";
import { createAllowance } from "./allowance.ts";
import { objection } from "./measure.ts";
import type { FromWorker, LogLevel, Said, ToWorker } from "./messages.ts";
import { packError } from "./thrown.ts";
import { guardProcess } from "./worker-guards.ts";
import { createWorkerPlugin } from "./worker-plugin.ts";

/** The part of a worker's global scope that is used here. */
interface Scope {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
}

const scope = globalThis as unknown as Scope;
const post = scope.postMessage.bind(scope);
let hear: ((message: ToWorker) => void) | undefined;

scope.onmessage = ({ data }) => {
  if (hear) hear(data);
  else if (data.type === "setup") hear = begin(data);
};

function begin(setup: Extract<ToWorker, { type: "setup" }>) {
  const say = (said: Said) => post({ token: setup.token, said } satisfies FromWorker);
  const log = createWorkerLog(say);
  // A plugin that posts by itself would only be cut off for it.
  scope.postMessage = () => log("warn", "a message to nobody was left out");
  offerSdk();
  const own = dirname(setup.source);
  // Each costs the host a line of its log; of a flood the number is enough.
  const strays = createAllowance(10, 1);
  let leftOut = 0;
  guardProcess({
    own,
    log,
    exit: (code, place) => say({ type: "exit", code, ...(place !== undefined && { place }) }),
    stray(error) {
      if (!strays.take()) {
        leftOut++;
        return;
      }
      say({ type: "stray", error: packError(error, own), before: leftOut });
      leftOut = 0;
    },
  });
  return createWorkerPlugin(setup, { say, log });
}

const maxMessage = 2_000;
const maxFieldBytes = 16_384;

/** A sink for log lines, bounded: a flood is counted and dropped before it costs the host anything. */
export function createWorkerLog(
  say: (said: Extract<Said, { type: "log" }>) => void,
  now?: () => number,
) {
  const lines = createAllowance(100, 50, now);
  let dropped = 0;

  return function log(level: LogLevel, message: unknown, fields?: Record<string, unknown>): void {
    if (!lines.take()) {
      dropped++;
      return;
    }
    const sent = { ...plain(fields), ...(dropped > 0 && { droppedBefore: dropped }) };
    dropped = 0;
    say({
      type: "log",
      level,
      message: String(message).slice(0, maxMessage),
      ...(Object.keys(sent).length > 0 && { fields: sent }),
    });
  };
}

/** Fields that can cross: errors as their words, and nothing where the rest is too large. */
function plain(fields: Record<string, unknown> | undefined): Record<string, unknown> {
  if (typeof fields !== "object" || fields === null) return {};
  const made: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    made[name] = value instanceof Error ? packError(value).message : value;
  const wrong = objection(made, maxFieldBytes);
  return wrong === undefined ? made : { fieldsLeftOut: wrong };
}
