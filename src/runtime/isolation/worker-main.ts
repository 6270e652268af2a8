// The entry of a plugin's worker: puts up the guards, offers the SDK, then does what the host's messages say.
import { dirname } from "node:path";
import { offerSdk } from "../plugins/sdk-module.ts";
import { createAllowance } from "./allowance.ts";
import type { FromWorker, Said, ToWorker } from "./wire.ts";
import { packError } from "./wire-error.ts";
import { guardProcess } from "./worker-guards.ts";
import { createWorkerLog } from "./worker-log.ts";
import { createWorkerPlugin } from "./worker-plugin.ts";

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
