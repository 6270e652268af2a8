import { expect, test } from "bun:test";
import { join } from "node:path";
import sqlite from "../../../plugins/storage-sqlite/index.ts";
import { inFolder } from "../../support/in-folder.ts";
import { openStorageAlone } from "../../support/storage-host.ts";

const script = join(import.meta.dir, "../../support/put-until-killed.ts");
const perPut = 7;

/** Runs two writing processes at once until each has answered `answers` puts, then kills both; gives the keys answered. */
async function putUntilKilled(home: string, round: number, answers: number): Promise<string[]> {
  const keys = await Promise.all(
    ["x", "y"].map(async (name) => {
      const child = Bun.spawn([process.execPath, script, home, `${name}${round}`, String(perPut)], {
        stdout: "pipe",
        stderr: "inherit",
      });
      let out = "";
      const decoder = new TextDecoder();
      for await (const chunk of child.stdout) {
        out += decoder.decode(chunk, { stream: true });
        if (out.split("\n").length > answers) child.kill("SIGKILL");
      }
      await child.exited;
      // A line that was cut off in the middle was not answered to anyone.
      return out.split("\n").slice(0, -1);
    }),
  );
  return keys.flat();
}

test(
  "what was answered is there after a kill, whole, and nothing else by halves",
  () =>
    inFolder(async (home) => {
      const answered: string[] = [];
      for (const [round, answers] of [1, 4, 9].entries())
        answered.push(...(await putUntilKilled(home, round, answers)));
      expect(answered.length).toBeGreaterThanOrEqual(2 * (1 + 4 + 9));

      const { storage, close } = await openStorageAlone(sqlite, home);
      for (const key of answered) {
        const again = await storage.put({ key, records: {} });
        expect(again.written).toBe(false);
        expect(again.observations.length).toBe(perPut);
        expect((await storage.get({ ids: again.observations })).length).toBe(perPut);
      }
      const { observations } = await storage.stats({});
      expect(observations % perPut).toBe(0);
      expect(observations).toBeGreaterThanOrEqual(answered.length * perPut);
      const found = await storage.search({ text: "part", kinds: ["observation"], limit: 200 });
      expect(found.length).toBe(Math.min(200, observations));
      await close();
    }),
  60_000,
);
