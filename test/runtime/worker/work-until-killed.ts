// Child of the crash test: takes tool uses in and works them off until it is killed; prints each number once accepted.
import { join } from "node:path";
import process from "node:process";
import { createJournal } from "../../../src/runtime/journal/journal.ts";
import { createWorker } from "../../../src/runtime/worker/worker.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";
import { openKeptStorage } from "./kept-storage.ts";

const [, , folder = "", first = "0"] = process.argv;
const log = keptLog();
const journal = await createJournal(join(folder, "journal.db"), { now: Date.now, log });
const { hooks } = await openKeptStorage(join(folder, "kept.db"));
const worker = createWorker({ journal, hooks: () => hooks, log, now: Date.now });
worker.start();
for (let from = Number(first); ; from += 4) {
  for (let number = from; number < from + 4; number++) {
    await journal.append(toolEvent(`crash${number}`));
    process.stdout.write(`${number}\n`);
    worker.wake("s1");
  }
  await journal.append(clientEvent("Stop", { key: `stop${from}` }));
  worker.wake("s1");
}
