// A process that deletes every second record of a file, a few at a time, until it is done or killed.
import process from "node:process";
import { openRecords } from "../../src/records/record-store.ts";

const [path = "", count = "0"] = process.argv.slice(2);
const store = await openRecords(path);
process.stdout.write("ready\n");
for (let at = 1; at <= Number(count); at += 8) {
  await store.delete({ ids: [0, 2, 4, 6].map((more) => `o${at + more}`) });
  process.stdout.write("deleted\n");
}
store.close();
