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

/** `named`: set aside and named; `harmless`: left, or written over. Of what a start looks at first, few are wrong at once. */
interface Round {
  make: (path: string) => void;
  named?: string[];
  harmless?: string[];
}
const rounds: Round[] = [
  { make: garbage, named: ["server.lock", "token", "logs", "forgotten"], harmless: ["late.json"] },
  { make: garbage, named: ["server.json", "spool"], harmless: ["memoir.sock", "rebuild.jsonl"] },
  { make: garbage, named: ["hook.json", "paused.json"], harmless: ["in-flight"] },
  { make: garbage, harmless: ["server.starting"] },
  { make: folder, named: ["server.lock", "token", "paused.json", "databases.json", "usage.db"] },
  { make: folder, named: ["server.json", "memoir.sock", "findings.jsonl", "in-flight"] },
  { make: folder, named: ["server.starting.lock", "hook.json", "late.json", "unkept"] },
  { make: folder, named: ["server.starting"] },
  { make: list, named: ["server.lock", "server.json"] },
  { make: pipe, named: ["findings.jsonl", "databases.json", "forgotten"] },
  { make: pipe, named: ["memory.db", "journal.db"] },
  { make: dangling, named: ["server.lock", "plugins"] },
  { make: empty, harmless: ["server.lock", "server.json", "token"] },
  { make: database, harmless: ["server.lock"] },
];

describe("a home whose", () => {
  for (const { make, named = [], harmless = [] } of rounds)
    test(`${[...named, ...harmless].join(", ")} is ${make.name}`, async () => {
      room = await compiledHome();
      for (const file of [...named, ...harmless]) make(join(room.home, file));
      expect(await room.hook(use)).toEqual({ code: 0, out: "", err: "" });
      const { code, err } = await room.run(["server", "start"]);
      expect(code).toBe(0);
      // A server that somebody seems to start already is waited for.
      expect(err).toMatch(/^(memoir is starting.*\n)?$/);
      await room.run(["status"]);
      expect(await takenIn(room.home)).toBe(1);
      const findings = openFindings(room.home);
      expect(findings.map(({ file }) => file).sort()).toEqual([...named].sort());
      const aside = readdirSync(room.home).filter((name) => name.includes(".damaged-"));
      expect(findings.map((finding) => finding.aside).sort()).toEqual(
        aside.map((name) => join(room.home, name)).sort(),
      );
      for (const { aside: kept = "" } of findings) {
        if (make === garbage) expect(readFileSync(kept, "utf8")).toBe(text);
        if (make === folder) expect(readFileSync(join(kept, "theirs"), "utf8")).toBe("kept");
      }
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
