// Child of the crash test: appends tool events as fast as it can and prints each one's number once it is committed.
import process from "node:process";
import { createJournal } from "../../../src/runtime/journal/journal.ts";
import { toolEvent } from "../../support/client-events.ts";
import { keptLog } from "../../support/kept-log.ts";

const [, , path = "", first = "0"] = process.argv;
const journal = await createJournal(path, { now: Date.now, log: keptLog() });
for (let from = Number(first); ; from += 8) {
  const group = Array.from({ length: 8 }, (_, index) => from + index);
  await Promise.all(
    group.map(async (number) => {
      await journal.append(toolEvent(`crash${number}`, { toolResponse: "x".repeat(2_000) }));
      process.stdout.write(`${number}\n`);
    }),
  );
}
