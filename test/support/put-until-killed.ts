// Puts sample records into sqlite storage for ever and prints each key once its put was answered; to be killed at any time.
// Arguments: the home, a word that the keys begin with, and how many observations a put has.
import process from "node:process";
import sqlite from "../../plugins/storage-sqlite/index.ts";
import { sampleObservation, sampleSession } from "./sample-records.ts";
import { openStorageAlone } from "./storage-host.ts";

const [home = "", word = "", count = "1"] = process.argv.slice(2);
const { storage } = await openStorageAlone(sqlite, home);
for (let i = 0; ; i++) {
  const key = `${word}-${i}`;
  await storage.put({
    key,
    records: {
      sessions: [sampleSession({ id: word, prompts: i })],
      observations: Array.from({ length: Number(count) }, (_, n) =>
        sampleObservation({ session: word, promptNumber: i, title: `${key} part ${n}` }),
      ),
    },
  });
  console.log(key);
}
