// What one text held changes nothing of what goes out of the next: by order within a process, and through a running server.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redactText } from "../../src/privacy/redact.ts";
import { runMemoir } from "../support/run-memoir.ts";
import { secretCases } from "./corpus/cases.ts";
import { createRandom, leaks } from "./corpus/fake.ts";

const rsaKey = (): string =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  }).privateKey.trimEnd();

const shuffled = <One>(ones: readonly One[], seed: string): One[] => {
  const random = createRandom(seed);
  return ones
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
};

let home: string;
const memoir = async (...args: string[]): Promise<void> => {
  const { code, err } = await runMemoir(args, { HOME: home, MEMOIR_HOME: home }, home);
  expect([args.join(" "), code, err]).toEqual([args.join(" "), 0, ""]);
};
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-redaction-"));
  await memoir("start");
}, 60_000);
afterAll(async () => {
  await memoir("stop");
  await rm(home, { recursive: true, force: true });
}, 60_000);

async function post(path: string, body: object): Promise<void> {
  const answer = await fetch(`http://localhost${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
    unix: join(home, "memoir.sock"),
  });
  expect(answer.ok).toBe(true);
}

const happen = (session: string, name: string, fields: object): Promise<void> =>
  post("/hook/claude-code", {
    session_id: session,
    cwd: "/nonexistent/shop",
    hook_event_name: name,
    ...fields,
  });

/** Every byte of the home's files, as Latin-1. */
async function bytes(): Promise<string> {
  const files = await readdir(home, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}

test("the tail of a private key goes, whatever was seen before it", async () => {
  const lines = rsaKey().split("\n");
  const say = (prompt: string): Promise<void> => happen("keys", "UserPromptSubmit", { prompt });
  await say(`$ cat key.pem\n${lines.join("\n")}`);
  for (let count = 3; count <= 25; count++)
    await say(`$ tail -n ${count} key.pem\n${lines.slice(-count).join("\n")}\nWhy ${count} lines?`);
  await post("/api/drain", {});
  const kept = await bytes();
  expect(kept).toContain("Why 25 lines?");
  const inside = lines.slice(1, -1).filter((line) => line.length > 12);
  expect(inside.filter((line) => kept.includes(line))).toHaveLength(0);
}, 60_000);

test("the corpora give the same in three shuffled orders of one process", () => {
  const cases = secretCases();
  const first = new Map<string, string>();
  for (const seed of ["first", "second", "third"])
    for (const one of shuffled(cases, seed)) {
      const { text: left } = redactText(one.text);
      expect([one.id, left]).toEqual([one.id, first.get(one.id) ?? left]);
      if (one.family === "private keys")
        expect([one.id, leaks(left, one)]).toEqual([one.id, undefined]);
      first.set(one.id, left);
    }
}, 60_000);

test("a running server keeps of the corpora what redaction alone leaves of them", async () => {
  const cases = shuffled(secretCases(), "server")
    .filter(({ family }) => family !== "private passages")
    .slice(0, 250);
  for (const { id, text: stdout } of cases)
    await happen("corpus", "PostToolUse", {
      tool_name: "Bash",
      tool_use_id: id,
      tool_input: { command: "run" },
      tool_response: { stdout, stderr: "" },
    });
  const journal = new Database(join(home, "journal.db"), { readonly: true });
  const rows = journal
    .query<{ json: string }, []>(
      "SELECT json FROM payloads JOIN events USING (seq) WHERE name = 'PostToolUse'",
    )
    .all();
  journal.close();
  const kept = new Map(
    rows
      .map(({ json }) => JSON.parse(json))
      .map(({ toolUseId, toolResponse }) => [toolUseId, toolResponse.stdout]),
  );
  const other = cases.filter(({ id, text }) => kept.get(id) !== redactText(text).text);
  expect(other.map(({ id }) => id)).toEqual([]);
}, 60_000);
