// A person whose databases are damaged: the next prompt, `status` and `doctor` say what happened, what was saved and where the old file is; what can still be read is told as before.
import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ledgerFile } from "../../src/home/database/intact.ts";
import { isRebuildWanted, openFindings } from "../../src/home/findings.ts";
import { payload } from "../cli/hook/run-hook.ts";
import {
  type CompiledHome,
  compiledBinary,
  compiledHome,
  underModes,
} from "../support/compiled.ts";
import { damage } from "../torture/damages/damage.ts";
import { cwd, type FilledHome, fillHome } from "../torture/damages/filled-home.ts";
import { left, placesOf } from "../torture/damages/physical.ts";
import { drawOf } from "../torture/seeds.ts";

let folder = "";
let filled: FilledHome;
let room: CompiledHome;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-damage-"));
  filled = await fillHome(folder);
  await compiledBinary();
}, 180_000);
afterEach(() => room.end());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy of the filled home, to be damaged. */
async function copyOf(home: string): Promise<CompiledHome> {
  const copy = await mkdtemp(join(folder, "copy-"));
  await cp(home, copy, { recursive: true });
  return compiledHome(copy);
}

/** What the person reads at the next prompt, once what was lost is made again. */
async function noticeAtPrompt(): Promise<string> {
  const { code, err } = await room.run(["server", "start"]);
  expect([code, err]).toEqual([0, ""]);
  while (isRebuildWanted(room.home)) await Bun.sleep(50);
  await room.patience();
  const answer = await room.hook(
    JSON.parse(payload("UserPromptSubmit", { session_id: "s-next", cwd, prompt: "go on" })),
  );
  expect([answer.code, answer.err]).toEqual([0, ""]);
  if (answer.out === "") return "";
  return (JSON.parse(answer.out) as { systemMessage?: string }).systemMessage ?? "";
}

const unwrapped = (text: string) => text.replace(/\s+/g, " ");

/** `status` and `doctor` say the same sentences as the prompt did. */
async function alsoSaid(notice: string): Promise<void> {
  const sentences = unwrapped(notice).split("memoir: ").slice(1);
  expect(sentences).not.toEqual([]);
  const status = unwrapped((await room.run(["status"])).out);
  const doctor = unwrapped((await room.run(["doctor"])).out);
  for (const sentence of sentences) {
    expect(status).toContain(sentence.trim());
    expect(doctor).toContain(sentence.trim());
  }
}

const asideFile = async () =>
  join(
    room.home,
    (await readdir(room.home)).find((name) => /^memory\.db\.damaged-\d+$/.test(name)) ?? "",
  );

/** Everything that is remembered. */
const exported = async () => (await room.run(["memory", "export"])).out;

const texts = () => {
  const done = filled.said.filter(({ closing }) => closing !== undefined);
  return done.flatMap(({ prompt, closing = "" }) => [prompt, closing]);
};

/** Prompts and closing words of which rows stand in `now`, which was `file` before. */
async function standing(file: string, before: Buffer, now: Buffer): Promise<string[]> {
  const twin = new Map([[file, before]]);
  const places = await placesOf(texts(), twin, folder);
  return [...left(places, twin, new Map([[file, now]]))];
}

async function zeroHeader(): Promise<void> {
  const path = join(room.home, "memory.db");
  await writeFile(path, (await readFile(path)).fill(0, 0, 100));
}

const damages: Array<[name: string, least: number, harm: () => Promise<unknown>]> = [
  ["its header is zeros", 96, zeroHeader],
  ["pages of it are zeros", 48, () => damage(room.home, "memory.db", "pages of zeros", drawOf(2))],
  [
    "its last quarter is gone",
    40,
    async () => {
      const path = join(room.home, "memory.db");
      await truncate(path, Math.floor((await stat(path)).size * 0.75));
    },
  ],
];

describe("memory.db, when", () => {
  for (const [name, least, harm] of damages)
    test(`${name}: said with counts and place, and what its bytes hold is found again`, async () => {
      room = await copyOf(filled.stopped);
      await harm();
      const notice = await noticeAtPrompt();
      expect(notice).toMatch(
        /memory\.db was damaged\. (Saved: \d+ \w+.*|Nothing could be read out of it)\. (Nothing that could be read was left behind|\d+ pages? could not be read)/,
      );
      const aside = await asideFile();
      expect(notice).toContain(`The old file is kept: ${aside}`);
      await alsoSaid(notice);
      const before = await readFile(join(filled.stopped, "memory.db"));
      const there = await standing("memory.db", before, await readFile(aside));
      expect(there.length).toBeGreaterThanOrEqual(least);
      const told = await exported();
      expect(there.filter((text) => !told.includes(text))).toEqual([]);
      const [prompt = ""] = there;
      expect((await room.run(["search", `"${prompt}"`])).out).toContain(prompt);
      expect((await room.run(["context", "--cwd", cwd])).out).toContain("zebra");
    });

  for (const [how, harm] of [
    ["empty", () => writeFile(join(room.home, "memory.db"), "")],
    ["gone", () => rm(join(room.home, "memory.db"))],
  ] as const) {
    test(`it is ${how} and nothing else has it: not taken for a beginning`, async () => {
      room = await copyOf(filled.stopped);
      await rm(join(room.home, "backups"), { recursive: true });
      await harm();
      // As many as the sessions of the month before came to, at least.
      const { rows } = JSON.parse(await readFile(ledgerFile(room.home), "utf8"))["memory.db"];
      expect(rows).toBeGreaterThan(filled.said.filter(({ age }) => age === "old").length * 3);
      const notice = await noticeAtPrompt();
      expect(notice).toContain(
        `memory.db was ${how}; when it was last counted it held ${rows} records`,
      );
      expect(notice).toMatch(
        /Nothing could be read out of it\. Added: \d+ records, made again from the journal\./,
      );
      await alsoSaid(notice);
      // Its events are a day old; those of the others left the journal.
      const told = await exported();
      const fresh = filled.said.filter(({ age }) => age === "new");
      expect(fresh).toHaveLength(16);
      expect(fresh.filter(({ closing = "" }) => !told.includes(closing))).toEqual([]);
      // So do the rules that were typed in them.
      const rules = fresh.filter(({ serial }) => serial % 4 === 1).map(({ serial }) => serial);
      const kept = told.split("\n").filter((line) => line.startsWith('{"kind":"memory"'));
      expect(rules).toHaveLength(4);
      expect(rules.filter((serial) => !kept.join().includes(`suite ${serial} `))).toEqual([]);
    });

    test(`it is ${how} and a backup has it: it comes back from there, which is said`, async () => {
      room = await copyOf(filled.stopped);
      expect((await room.run(["memory", "backup"])).code).toBe(0);
      await room.run(["server", "stop"]);
      await harm();
      const notice = await noticeAtPrompt();
      expect(notice).toContain(`memory.db was ${how}`);
      expect(notice).toMatch(/\d+ rows from the backup/);
      await alsoSaid(notice);
      const told = await exported();
      expect(texts()).toHaveLength(96);
      expect(texts().filter((text) => !told.includes(text))).toEqual([]);
    });
  }

  test("only its write-ahead log is left: what that holds is there", async () => {
    room = await copyOf(filled.killed);
    await rm(join(room.home, "memory.db"));
    const log = await readFile(join(room.home, "memory.db-wal"));
    // What is no leaf of a table has old bytes in its slack, which are no rows.
    for (let at = 32; at + 24 < log.length; at += 24 + 4_096)
      if (log[at + 24] !== 13) log.fill(0, at + 24, at + 24 + 4_096);
    const notice = await noticeAtPrompt();
    expect(notice).toMatch(/memory\.db was gone.* (Saved: \d+ |Added: \d+ rows from the backup )/);
    await alsoSaid(notice);
    const there = await standing("memory.db-wal", log, log);
    expect(there.length).toBeGreaterThan(10);
    const told = await exported();
    expect(there.filter((text) => !told.includes(text))).toEqual([]);
  });

  test("its write-ahead log is lost: what was written last is missed, and made again", async () => {
    room = await copyOf(filled.stopped);
    await room.run(["server", "start"]);
    await room.patience();
    const hook = (name: string, more: object) =>
      room.hook(JSON.parse(payload(name, { session_id: "s-last", cwd, ...more })));
    await hook("UserPromptSubmit", { prompt: "Which zebra was the last one?" });
    await hook("Stop", { last_assistant_message: "The one of the last zebra crossing." });
    while (!(await exported()).includes("last zebra crossing")) await Bun.sleep(50);
    process.kill(await room.pid(), "SIGKILL");
    await rm(join(room.home, "memory.db-wal"));
    const notice = await noticeAtPrompt();
    expect(notice).toMatch(
      /memory\.db lost what was written to it last: \d+ pages of its log are gone\. Added: \d+ records, made again from the journal\./,
    );
    await alsoSaid(notice);
    const told = await exported();
    expect([...texts(), "last zebra crossing"].filter((text) => !told.includes(text))).toEqual([]);
  });

  test("the journal's write-ahead log stands beside it: none of its rows is hidden, and that log is kept", async () => {
    room = await copyOf(filled.stopped);
    const log = await readFile(join(filled.killed, "journal.db-wal"));
    await writeFile(join(room.home, "memory.db-wal"), log);
    const notice = await noticeAtPrompt();
    expect(notice).toMatch(
      /memory\.db was beside the write-ahead log of another database\. .*The old file is kept: /,
    );
    await alsoSaid(notice);
    const told = await exported();
    expect(texts().filter((text) => !told.includes(text))).toEqual([]);
    const aside = (await readdir(room.home)).filter((name) => /^memory\.db\.damaged-/.test(name));
    expect(aside).toEqual([expect.stringMatching(/-wal$/)]);
    expect(await readFile(join(room.home, aside[0] ?? ""))).toEqual(log);
  });

  test("nobody here can read it: each session is told that memory cannot be used, and why", async () => {
    room = await copyOf(filled.stopped);
    // Modes say nothing to root; where a database is another, newer memoir's, nobody here may read it either.
    const db = new Database(join(room.home, "memory.db"));
    db.run("PRAGMA user_version = 9999");
    db.close();
    await room.run(["server", "start"]);
    await room.patience();
    const said = async (session: string) => {
      const { out } = await room.hook(
        JSON.parse(payload("UserPromptSubmit", { session_id: session, cwd, prompt: "go on" })),
      );
      return out === "" ? "" : String(JSON.parse(out).systemMessage ?? "");
    };
    for (const session of ["s-one", "s-two"]) {
      expect(await said(session)).toMatch(
        /memory cannot be used, and this session gets none of it\. .*memory\.db.* has schema 9999/,
      );
      expect(await said(session)).not.toContain("cannot be used");
    }
    expect(unwrapped((await room.run(["doctor"])).out)).toContain("has schema 9999");
  });

  test("one row's JSON does not parse: the rest is told, and the row is named", async () => {
    room = await copyOf(filled.stopped);
    const db = new Database(join(room.home, "memory.db"));
    db.run("PRAGMA ignore_check_constraints = 1");
    // Their ids have gaps, which differ from one filling to the next.
    const id = (table: string) =>
      db.query<{ id: number }, []>(`SELECT id FROM ${table} LIMIT 1 OFFSET 40`).get()?.id;
    const [turn, observation] = [id("turns"), id("observations")];
    db.run(`UPDATE turns SET pieces = '[{"kind"' WHERE id = ${turn}`);
    db.run(`UPDATE observations SET facts = '["a' WHERE id = ${observation}`);
    db.close();
    const context = (await room.run(["context", "--cwd", cwd])).out;
    expect(context).toContain("zebra suite");
    expect(context).not.toContain("Nothing is remembered");
    const told = await exported();
    const lost = filled.said.filter(({ closing }) => closing && !told.includes(closing));
    expect(lost.length).toBeLessThanOrEqual(1);
    while (openFindings(room.home).length < 2) await Bun.sleep(50);
    const notice = await noticeAtPrompt();
    expect(notice).toContain(`a part cannot be read: t${turn} (pieces);`);
    expect(notice).toContain(`a part cannot be read: o${observation} (facts);`);
    await alsoSaid(notice);
  });
});

/** Places of texts in rows of tables, where a page says so; an index has them too. */
function placesIn(bytes: Buffer, text: string): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
    if (bytes[Math.floor(at / 4_096) * 4_096] === 13) found.push(at);
  return found;
}

/** Memory as it is exported, without the lines that say when. */
const records = (text: string) => text.split("\n").slice(1).sort();

/** Has bits of memory.db the other way round; a home in which nothing runs. */
async function flip(changes: (bytes: Buffer) => void): Promise<void> {
  const path = join(room.home, "memory.db");
  const bytes = await readFile(path);
  changes(bytes);
  await writeFile(path, bytes);
}

describe("bits of records in memory.db that changed on the disk", () => {
  test("one in each prompt: all is corrected when it is read, and said", async () => {
    room = await copyOf(filled.stopped);
    const whole = records(await exported());
    await room.run(["server", "stop"]);
    await flip((bytes) => {
      // One of each session: its summary quotes several.
      const prompts = filled.said.filter((_, at) => at % 4 === 0);
      for (const [at, { prompt }] of prompts.entries()) {
        const places = placesIn(bytes, prompt);
        const byte = (places[at % places.length] ?? 0) + (at % prompt.length);
        bytes[byte] = (bytes[byte] ?? 0) ^ (1 << (at % 8));
      }
    });
    expect(records(await exported())).toEqual(whole);
    const notice = await noticeAtPrompt();
    expect(notice).toMatch(
      /memory\.db has bytes that changed on the disk, in \w+.*; corrected: the checksum shows which bit it was\./,
    );
    await alsoSaid(notice);
    expect((await room.run(["doctor", "--daily"])).code).toBe(0);
  }, 180_000);

  test("more than one in a text: a backup has it as it was", async () => {
    room = await copyOf(filled.stopped);
    const whole = records(await exported());
    expect((await room.run(["memory", "backup"])).code).toBe(0);
    await room.run(["server", "stop"]);
    // A rule as well: it stands in its item, and in the turn that it was typed in.
    const prompts = filled.said.filter(({ age }) => age === "old").map(({ prompt }) => prompt);
    const rule = prompts.find((prompt) => prompt.startsWith("Remember: ")) ?? "";
    const damaged = [prompts[0] ?? "", rule.slice("Remember: ".length, -1)];
    await flip((bytes) => {
      for (const place of damaged.flatMap((text) => placesIn(bytes, text)))
        bytes.write("QQ", place + 3);
    });
    expect(records(await exported())).toEqual(whole);
    expect(await noticeAtPrompt()).toMatch(
      /changed on the disk, in .*; corrected from the backup \S+\./,
    );
  }, 180_000);

  test("no backup has it: it is made again from the journal", async () => {
    room = await copyOf(filled.stopped);
    const { prompt, closing = "" } = filled.said.find(({ age }) => age === "new") ?? { prompt: "" };
    await flip((bytes) => {
      for (const text of [prompt, closing])
        for (const place of placesIn(bytes, text)) bytes.write("QQ", place + 3);
    });
    expect(await exported()).not.toContain(prompt);
    const notice = await noticeAtPrompt();
    expect(notice).toMatch(
      /and the checksum does not tell which\. Added: \d+ records?, made again from the journal/,
    );
    await alsoSaid(notice);
    const told = await exported();
    expect([told.includes(prompt), told.includes(closing)]).toEqual([true, true]);
  }, 180_000);

  test("nobody reads it: the daily check finds it, and the server corrects it", async () => {
    room = await copyOf(filled.stopped);
    const whole = records(await exported());
    const [text = ""] = texts();
    process.kill(await room.pid(), "SIGKILL");
    await flip((bytes) => {
      for (const place of placesIn(bytes, text)) bytes[place] = (bytes[place] ?? 0) ^ 1;
    });
    expect((await room.run(["doctor", "--daily"])).code).toBe(1);
    expect(openFindings(room.home)).toEqual([]);
    await room.run(["server", "start"]);
    expect(openFindings(room.home)).toHaveLength(1);
    expect(records(await exported())).toEqual(whole);
  }, 180_000);
});

/** A home in whose first server life a prompt was answered; the server runs. */
async function firstLife(before?: readonly string[]): Promise<void> {
  room = await compiledHome(undefined, before);
  await room.run(["server", "start"]);
  await room.patience();
  const hook = (name: string, more: object) =>
    room.hook(JSON.parse(payload(name, { session_id: "s-first", cwd, ...more })));
  await hook("UserPromptSubmit", { prompt: "Which zebra is the first one?" });
  await hook("Stop", { last_assistant_message: "The one of the first zebra crossing." });
  while (!(await exported()).includes("first zebra crossing")) await Bun.sleep(50);
}

describe("journal.db of a home's first server life, when", () => {
  const endings = ["", "-wal", "-shm"];
  const losses: Array<[how: string, harm: () => Promise<unknown>]> = [
    [
      "gone",
      () =>
        Promise.all(endings.map((end) => rm(join(room.home, `journal.db${end}`), { force: true }))),
    ],
    ["empty", () => writeFile(join(room.home, "journal.db"), "")],
  ];
  for (const [how, harm] of losses)
    test(`it is ${how}: the next prompt, status and doctor say what it held`, async () => {
      await firstLife();
      if (how === "gone") process.kill(await room.pid(), "SIGKILL");
      else await room.run(["server", "stop"]);
      await harm();
      const notice = await noticeAtPrompt();
      expect(notice).toContain(`journal.db was ${how}; when it was last counted it held 1 session`);
      await alsoSaid(notice);
      expect(await exported()).toContain("first zebra crossing");
    });
});

const modes = underModes();
test.skipIf(modes === undefined).each(["memory.db", "journal.db"])(
  "%s was read-only for a while: said while it is, and in use again once it is not",
  async (name) => {
    await firstLife(modes);
    const path = join(room.home, name);
    await chmod(path, 0o400);
    await room.run(["server", "stop"]);
    const fix = `chmod 600 "${path}"`;
    const started = await room.run(["server", "start"]);
    const status = unwrapped((await room.run(["status"])).out);
    const doctor = unwrapped((await room.run(["doctor"])).out);
    if (name === "journal.db")
      expect([started.code, started.err]).toEqual([1, expect.stringContaining(fix)]);
    for (const said of [status, doctor]) {
      expect(said).toContain(`${path} cannot be read and written (mode 400)`);
      expect(said).toContain(fix);
    }
    await room.run(["server", "stop"]);
    // What an earlier version left beside it.
    for (const ending of ["-wal", "-shm"]) await writeFile(path + ending, "", { mode: 0o400 });
    await chmod(path, 0o600);
    const notice = await noticeAtPrompt();
    expect(notice).toContain(
      `${name}-shm was read-only (mode 400) while ${name} was not; it is writable again`,
    );
    await alsoSaid(notice);
    expect(await exported()).toContain("first zebra crossing");
    expect((await room.run(["search", "crossing"])).out).toContain("crossing");
  },
  180_000,
);

test("a journal with one bad page: of the unfinished events only those of that page are without their text, and the counts are said", async () => {
  room = await compiledHome();
  const event = (name: string, more: object) => JSON.parse(payload(name, { cwd, ...more }));
  await room.hook(event("UserPromptSubmit", { prompt: "count them" }));
  await room.run(["server", "start"]);
  const all = Array.from({ length: 240 }, (_, at) => `toolu_${String(at).padStart(4, "0")}`);
  for (const id of all)
    await fetch("http://localhost/hook/claude-code", {
      method: "POST",
      body: payload("PostToolUse", {
        ...{ cwd, tool_name: "Bash", tool_use_id: id, tool_input: { command: `make ${id}` } },
        tool_response: { stdout: `${id} `.repeat(30) },
      }),
      unix: join(room.home, "memoir.sock"),
    });
  process.kill(await room.pid(), "SIGKILL");
  const path = join(room.home, "journal.db");
  const whole = new Database(path);
  whole.run("PRAGMA wal_checkpoint(TRUNCATE)");
  whole.close();
  const bytes = await readFile(path);
  const page = Math.floor(bytes.indexOf(`make ${all[120]}`) / 4_096) * 4_096;
  const onPage = all.filter((id) => bytes.subarray(page, page + 4_096).includes(`make ${id}`));
  expect(onPage.length).toBeGreaterThan(0);
  await writeFile(path, bytes.fill(0, page, page + 4_096));

  const notice = await noticeAtPrompt();
  expect(notice).toMatch(/journal\.db was damaged\. Saved: .*\b241 events\b/);
  expect(notice).toMatch(/\d+ pages? could not be read/);
  await alsoSaid(notice);
  const db = new Database(path, { readonly: true });
  const kept = db
    .query<{ id: string }, []>(
      "SELECT tool_use AS id FROM events JOIN payloads USING (seq) WHERE tool_use NOTNULL",
    )
    .all()
    .map(({ id }) => id);
  db.close();
  expect(all.filter((id) => !kept.includes(id))).toEqual(onPage);
}, 180_000);
