// The promise of storage that no process can test on itself: what was answered is there after a kill, and nothing by halves.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { openStorage, type Room, type SuiteCase, skip, suiteCase } from "../room.ts";
import { sampleObservation, sampleSession } from "../samples.ts";
import { testHost } from "../test-host.ts";

const perPut = 7;

/** What the killed process is given. */
interface Writing {
  home: string;
  config: Record<string, unknown>;
  /** What its keys begin with. */
  word: string;
}

/** Puts for ever and prints each key once its put was answered: what the crash case runs in a process that it kills. */
export async function putForEver(plugin: AnyPlugin, { home, config, word }: Writing) {
  const { own } = await testHost(plugin, { home, config });
  for (let i = 0; ; i++) {
    const key = `${word}-${i}`;
    const observations = Array.from({ length: perPut }, (_, n) =>
      sampleObservation({ session: word, promptNumber: i, title: `${key} part ${n}` }),
    );
    await own.put({
      key,
      records: { sessions: [sampleSession({ id: word, prompts: i })], observations },
    });
    console.log(key);
  }
}

/** This module where a child process can import it; undefined inside a compiled binary. */
function testingModule(): string | undefined {
  const { url } = import.meta;
  if (/\$bunfs|~BUN/.test(url)) return undefined;
  return fileURLToPath(new URL(url.endsWith(".ts") ? "../index.ts" : "./testing.js", url));
}

/** Runs a writing process until it has answered `answers` puts, kills it, and gives the keys it answered. */
async function putUntilKilled(room: Room, word: string, answers: number): Promise<string[]> {
  const testing = room.testingModule ?? testingModule();
  if (room.source === undefined)
    skip("no `source` was given to the suite: a child process needs the file");
  if (testing === undefined) skip("no `testingModule` was given to the suite");
  const url = (path: string) => JSON.stringify(pathToFileURL(path).href);
  const writing: Writing = { home: room.home, config: room.config ?? {}, word };
  const code = [
    `import { putForEver } from ${url(testing)};`,
    `import plugin from ${url(room.source)};`,
    `await putForEver(plugin, ${JSON.stringify(writing)});`,
  ].join("\n");
  const script = join(room.home, `write-${word}.mjs`);
  await writeFile(script, code);
  // Deno finds packages by where it runs, Bun by where a file lies.
  const args = "Deno" in globalThis ? ["eval", "--ext=mjs", code] : [script];
  const child = spawn(process.execPath, args, {
    cwd: dirname(room.source),
    // A compiled memoir is Bun itself when this says so.
    env: { ...process.env, BUN_BE_BUN: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let complaint = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
    if (out.split("\n").length > answers) child.kill("SIGKILL");
  });
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  // A line that was cut off in the middle was not answered to anyone.
  const keys = out.split("\n").slice(0, -1);
  assert.ok(
    keys.length >= answers,
    `the writing process ended by itself: ${complaint.slice(0, 2_000)}`,
  );
  return keys;
}

export const crashCases: readonly SuiteCase[] = [
  suiteCase("has what it answered after a kill, whole, and nothing by halves", async (room) => {
    const answered: string[] = [];
    for (const [round, answers] of [1, 4, 9].entries())
      answered.push(...(await putUntilKilled(room, `round${round}`, answers)));
    const { storage } = await openStorage(room);
    for (const key of answered) {
      const again = await storage.put({ key, records: {} });
      assert.equal(
        again.written,
        false,
        `the put ${key} was answered before the kill, and is unknown`,
      );
      assert.equal(again.observations.length, perPut, `the put ${key} gave ${perPut} ids`);
      const { length } = await storage.get({ ids: again.observations });
      assert.equal(
        length,
        perPut,
        `of the put ${key}, ${length} of ${perPut} observations are there`,
      );
    }
    const { observations } = await storage.stats({});
    assert.equal(
      observations % perPut,
      0,
      `${observations} observations: a put is there by halves`,
    );
  }),
];
