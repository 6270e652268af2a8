// `memoir memory redact --stored`: a home that holds what today's rules take out, before and after, byte for byte.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parseClaudeCode } from "../../../src/clients/normal/payload.ts";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { useOwnRedaction } from "../../../src/privacy/redact.ts";
import { unpackContent } from "../../../src/runtime/endless/kept-rows.ts";
import { writeSpool } from "../../../src/runtime/events/spool.ts";
import { createRuntime } from "../../../src/runtime/runtime.ts";
import { keepRequest } from "../../support/endless-room.ts";
import type { Outcome } from "../../support/outcome-of.ts";
import { runMemoir } from "../../support/run-memoir.ts";

const key = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
})
  .privateKey.trimEnd()
  .split("\n");
const tail = (lines: number): string => key.slice(-lines).join("\n");

let paths: Paths;
beforeEach(async () => {
  paths = memoirPaths(await mkdtemp(join(tmpdir(), "memoir-stored-")));
  await fill();
}, 180_000);
afterEach(async () => {
  // The runtime that filled the home ran in this process, and what it allows holds for the process.
  await useOwnRedaction({ rules: {}, allow: [] });
  await memoir("server", "stop");
  await rm(paths.home, { recursive: true, force: true });
}, 180_000);

const memoir = (...args: string[]): Promise<Outcome> =>
  runMemoir(args, { HOME: paths.home, MEMOIR_HOME: paths.home }, paths.home);

/** Stores what the rules would have taken out, in every file, while the user allowed it. */
async function fill(): Promise<void> {
  const { home, config, spool } = paths;
  const redact = { allow: ["(?s:.*)"] };
  await writeFile(config, JSON.stringify({ privacy: { redact } }));
  const runtime = await createRuntime({ home, log: silentLog, env: { HOME: home, PATH: "" } });
  for (const [session, lines] of [
    ["one", 5],
    ["two", 9],
  ] as const) {
    const tool = {
      tool_name: "Bash",
      tool_use_id: `use-${session}`,
      tool_input: { command: `tail -n ${lines} key.pem` },
    };
    const payloads = [
      { hook_event_name: "SessionStart", source: "startup" },
      {
        hook_event_name: "UserPromptSubmit",
        prompt: `Remember: always rotate the zebra key.\n${tail(lines)}\nWhy is it ${lines} lines?`,
      },
      {
        ...tool,
        hook_event_name: "PostToolUse",
        tool_response: { stdout: tail(lines), stderr: "" },
      },
      {
        hook_event_name: "Stop",
        last_assistant_message: `The zebra key ends with\n${tail(lines)}`,
      },
      { hook_event_name: "SessionEnd", reason: "exit" },
    ];
    for (const [at, payload] of payloads.entries()) {
      const event = { session_id: session, cwd: join(home, "shop"), ...payload };
      await runtime.handle(
        parseClaudeCode(event, { id: `${session}-${at}`, time: Date.now() + at }),
      );
    }
  }
  await runtime.drain({ timeoutMs: 60_000, flush: true });
  const value = { stdout: `some words\n${tail(7)}` };
  await runtime.endless
    .client("live")
    .keep(keepRequest({ session: "one", toolUseId: "use-kept", value }));
  await runtime.stop();
  const waiting = {
    ...{ session_id: "three", cwd: join(home, "shop"), hook_event_name: "UserPromptSubmit" },
    prompt: `And this zebra?\n${tail(4)}`,
  };
  await writeSpool(spool, parseClaudeCode(waiting, { id: "spooled", time: Date.now() }));
  await mkdir(join(home, "memory"), { recursive: true });
  const item = {
    id: "m9",
    date: "2026-11-20",
    content: `The key ends with ${key.at(-3)}`,
    context: "",
  };
  await writeFile(join(home, "memory/convention.json"), JSON.stringify([item], null, 2));
  await writeFile(config, JSON.stringify({}));
}

/** Parts of the key's lines that files of the home hold, in any case. */
async function leaks(): Promise<string[]> {
  const found: string[] = [];
  for (const file of await readdir(paths.home, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name), "latin1");
    const lower = bytes.toLowerCase();
    const isIn = (part: string) => bytes.includes(part) || lower.includes(part.toLowerCase());
    const parts = key.slice(1, -1).flatMap((line) => line.match(/.{12}/g) ?? []);
    if (parts.some(isIn)) found.push(file.name);
  }
  return found.sort();
}

const offers = async (): Promise<boolean> =>
  JSON.parse((await memoir("doctor", "--json")).out).checks.some(
    ({ name }: { name: string }) => name === "redaction",
  );

test("shows what it finds, asks, removes every byte of it, and has nothing to do again", async () => {
  expect(await leaks()).toEqual(
    expect.arrayContaining(["convention.json", "journal.db", "memory.db"]),
  );
  expect(await offers()).toBe(true);
  await memoir("memory", "backup");
  const shown = await memoir("memory", "redact", "--stored", "--dry-run");
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/^Today's rules would remove \d+ secrets from what is stored:\n/);
  for (const place of ["memory.db: ", "journal.db: event ", "endless.db: use-kept", "spool/"])
    expect(shown.out).toContain(place);
  expect(shown.out).toMatch(
    /These copies still hold it: backups\/\S+\. --backups removes them too\./,
  );
  expect(shown.out).toEndWith("Nothing was changed.\n");
  expect(
    key.some((line) => line.length > 12 && !line.startsWith("---") && shown.out.includes(line)),
  ).toBe(false);
  const refused = await memoir("memory", "redact", "--stored");
  expect([refused.code, refused.err]).toEqual([
    2,
    expect.stringContaining("Pass --yes to confirm"),
  ]);

  const done = await memoir("memory", "redact", "--stored", "--yes", "--backups", "--json");
  expect([done.code, done.err]).toEqual([0, ""]);
  expect(JSON.parse(done.out)).toMatchObject({ removed: true, unread: [], undo: [] });
  expect(await leaks()).toEqual([]);
  const endless = new Database(paths.endless);
  const [kept] = endless.query<{ data: Uint8Array }, []>("SELECT data FROM blobs").all();
  endless.close();
  expect(kept && unpackContent(kept.data)).toEqual({
    stdout: "some words\n[redacted:private-key]",
  });
  expect(await offers()).toBe(false);

  expect((await memoir("memory", "redact", "--stored", "--yes")).out).toBe(
    "Nothing that is stored holds a secret by today's rules.\n",
  );
  const again = await memoir("memory", "redact", "--stored", "--yes", "--json");
  expect(JSON.parse(again.out)).toMatchObject({ secrets: 0, removed: false });
  await memoir("server", "start");
  const search = JSON.parse((await memoir("search", "zebra rotate", "--json")).out);
  expect(search.results.length).toBeGreaterThan(0);
  expect(JSON.stringify(search)).toContain("[redacted:private-key]");
  expect(await leaks()).toEqual([]);
}, 180_000);

test("an undo log is the client's own text: it is named and stays", async () => {
  const folder = join(paths.home, "endless/undo/one/one.jsonl");
  await mkdir(folder, { recursive: true });
  const splices = [[0, 2, Buffer.from(JSON.stringify({ content: tail(6) })).toString("base64")]];
  await writeFile(join(folder, "1.json.gz"), gzipSync(JSON.stringify({ splices })));
  const shown = await memoir("memory", "redact", "--stored", "--dry-run");
  expect(shown.out).toContain("\nendless/undo/one keeps the client's own transcript");
  expect(
    JSON.parse((await memoir("memory", "redact", "--stored", "--yes", "--json")).out),
  ).toMatchObject({
    undo: ["endless/undo/one"],
    removed: true,
  });
  expect(await readdir(folder)).toEqual(["1.json.gz"]);
}, 180_000);

test("does it while a server runs, which runs again afterwards", async () => {
  await memoir("server", "start");
  const { pid } = JSON.parse((await memoir("status", "--json")).out);
  const { code, out } = await memoir("memory", "redact", "--stored", "--yes");
  expect([code, out]).toEqual([0, expect.stringContaining("Removed.")]);
  const status = JSON.parse((await memoir("status", "--json")).out);
  expect(status.pid).not.toBe(pid);
  expect(await leaks()).toEqual([]);
  const checks = JSON.parse((await memoir("doctor", "--json")).out).checks;
  expect(checks.filter(({ name }: { name: string }) => /damage|redaction/.test(name))).toEqual([]);
}, 180_000);

test("what cannot be read is named, the rest is done, and the offer stays", async () => {
  await writeFile(paths.journal, Buffer.alloc(40_000, 7));
  for (const ending of ["-wal", "-shm"]) await rm(paths.journal + ending, { force: true });
  const { code, err } = await memoir("memory", "redact", "--stored", "--yes");
  expect(code).toBe(1);
  expect(err).toContain("journal.db could not be read: ");
  expect(err).toContain("`memoir server start` repairs what it can; then run the command again.");
  expect(await leaks()).toEqual([]);
  expect(await offers()).toBe(true);
}, 180_000);

test("a home that begins with today's rules is offered nothing", async () => {
  await rm(paths.home, { recursive: true });
  await mkdir(paths.home);
  const { code, out } = await memoir("memory", "redact", "--stored", "--yes");
  expect([code, out]).toEqual([0, "Nothing that is stored holds a secret by today's rules.\n"]);
  expect((await readdir(paths.home)).filter((name) => name !== ".bun")).toEqual([]);
  await memoir("server", "start");
  expect(await offers()).toBe(false);
}, 180_000);
