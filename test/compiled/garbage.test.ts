// Files of the home that make no sense: the server starts all the same, what stood there is kept and named, and nothing is lost.
import { Database } from "bun:sqlite";
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFindings } from "../../src/home/findings.ts";
import { payload } from "../cli/hook/run-hook.ts";
import { type CompiledHome, compiledBinary, compiledHome } from "../support/compiled.ts";

let room: CompiledHome;
beforeAll(async () => {
  await compiledBinary();
}, 180_000);
afterEach(() => room.end());

const use = JSON.parse(
  payload("PostToolUse", {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "toolu_1",
    tool_response: { stdout: "x" },
  }),
) as object;

function captured(home: string): number {
  const db = new Database(join(home, "journal.db"), { readonly: true });
  const row = db
    .query<{ n: number }, []>("SELECT count(*) AS n FROM events WHERE tool_use = 'toolu_1'")
    .get();
  db.close();
  return row?.n ?? 0;
}

/** The same, once what a hook left in the spool had time to be taken in: a moment after the start. */
async function takenIn(home: string): Promise<number> {
  for (let look = 0; look < 200 && captured(home) === 0; look++) await Bun.sleep(50);
  return captured(home);
}

const text = "\u0000\u0001 no such thing ".repeat(300);
const garbage = (path: string) => writeFileSync(path, text);
const list = (path: string) => writeFileSync(path, "[]");
const folder = (path: string) => {
  mkdirSync(path);
  writeFileSync(join(path, "theirs"), "kept");
};
const empty = (path: string) => writeFileSync(path, "");
const pipe = (path: string) => void Bun.spawnSync(["mkfifo", path]);
const dangling = (path: string) => symlinkSync("/nonexistent/nothing", path);
const database = (path: string) => {
  const db = new Database(path);
  db.exec("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
  db.close();
};

/** `said`: it is set aside and named; where not, it harms nobody and is left or written over. */
const cases: Array<[file: string, make: (path: string) => void, said: boolean]> = [
  ["server.lock", garbage, true],
  ["server.lock", list, true],
  ["server.lock", folder, true],
  ["server.lock", dangling, true],
  ["server.lock", empty, false],
  ["server.lock", database, false],
  ["server.starting", folder, true],
  ["server.starting.lock", folder, true],
  ["server.starting", garbage, false],
  ["server.json", garbage, true],
  ["server.json", list, true],
  ["server.json", folder, true],
  ["server.json", empty, false],
  ["token", garbage, true],
  ["token", folder, true],
  ["token", empty, false],
  ["hook.json", garbage, true],
  ["hook.json", folder, true],
  ["paused.json", garbage, true],
  ["paused.json", folder, true],
  ["in-flight", garbage, false],
  ["in-flight", folder, true],
  ["late.json", garbage, false],
  ["late.json", folder, true],
  ["memoir.sock", folder, true],
  ["memoir.sock", garbage, false],
  ["spool", garbage, true],
  ["logs", garbage, true],
  ["plugins", dangling, true],
  ["findings.jsonl", folder, true],
  ["findings.jsonl", pipe, true],
  ["databases.json", folder, true],
  ["databases.json", pipe, true],
  ["memory.db", pipe, true],
  ["journal.db", pipe, true],
  ["usage.db", folder, true],
  ["forgotten", pipe, true],
  ["forgotten", garbage, true],
  ["unkept", folder, true],
  ["rebuild.jsonl", garbage, false],
];

describe("a home whose", () => {
  for (const [file, make, said] of cases)
    test(`${file} is ${make.name}`, async () => {
      room = await compiledHome();
      const path = join(room.home, file);
      make(path);
      expect(await room.hook(use)).toEqual({ code: 0, out: "", err: "" });
      const { code, err } = await room.run(["server", "start"]);
      expect(code).toBe(0);
      // A server that somebody seems to start already is waited for.
      expect(err).toMatch(/^(memoir is starting.*\n)?$/);
      await room.run(["status"]);
      expect(await takenIn(room.home)).toBe(1);
      const aside = readdirSync(room.home).filter((name) => name.includes(".damaged-"));
      const findings = openFindings(room.home);
      expect(aside).toHaveLength(said ? 1 : 0);
      expect(findings.map(({ file }) => file)).toEqual(said ? [file] : []);
      if (!said) return;
      expect(findings[0]?.aside).toBe(join(room.home, aside[0] ?? ""));
      const kept = findings[0]?.aside ?? "";
      if (make === garbage) expect(readFileSync(kept, "utf8")).toBe(text);
      if (make === folder) expect(readFileSync(join(kept, "theirs"), "utf8")).toBe("kept");
    });

  for (const [file, word] of [
    ["keys.json", "keys"],
    ["trust.json", "trust.json"],
    ["config.json", "config.json"],
  ] as const)
    test(`${file}, which a user wrote, is wrong: it stays, and the doctor names it`, async () => {
      room = await compiledHome();
      garbage(join(room.home, file));
      expect(await room.hook(use)).toMatchObject({ code: 0, out: "", err: "" });
      expect((await room.run(["server", "start"])).code).toBe(0);
      expect((await room.run(["doctor"])).out).toContain(word);
      expect(readFileSync(join(room.home, file), "utf8")).toBe(text);
      expect(await takenIn(room.home)).toBe(1);
    });
});
