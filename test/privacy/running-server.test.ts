// What one text held changes nothing of what goes out of the next: by order within a process, and through a running server.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { redactText } from "../../src/privacy/redact.ts";
import { secretCases } from "./corpus/cases.ts";
import { leaks } from "./corpus/fake.ts";
import { type RunningServer, runningServer, shuffled } from "./corpus/running-server.ts";

const rsaKey = (): string =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  }).privateKey.trimEnd();

let server: RunningServer;
beforeAll(async () => {
  server = await runningServer();
}, 180_000);
afterAll(() => server.end(), 60_000);

/** Every byte of the home's files, as Latin-1. */
async function bytes(): Promise<string> {
  const files = await readdir(server.home, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}

test("the tail of a private key goes, whatever was seen before it", async () => {
  const lines = rsaKey().split("\n");
  const say = (prompt: string): Promise<void> =>
    server.happen("keys", "UserPromptSubmit", { prompt });
  await say(`$ cat key.pem\n${lines.join("\n")}`);
  for (let count = 3; count <= 25; count++)
    await say(`$ tail -n ${count} key.pem\n${lines.slice(-count).join("\n")}\nWhy ${count} lines?`);
  await server.drain();
  const kept = await bytes();
  expect(kept).toContain("Why 25 lines?");
  const inside = lines.slice(1, -1).filter((line) => line.length > 12);
  expect(inside.filter((line) => kept.includes(line))).toHaveLength(0);
}, 180_000);

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
}, 180_000);

test("a running server keeps of the corpora what redaction alone leaves of them", async () => {
  // `bun run quality --part secrets` puts all of them through, in three orders.
  const cases = shuffled(secretCases(), "server")
    .filter(({ family }) => family !== "private passages")
    .slice(0, 250);
  // Tried again, it is a session of its own: what one tool use gave is kept once.
  const other = await server.keptOtherwise(cases, crypto.randomUUID());
  expect(other.map(({ id }) => id)).toEqual([]);
}, 180_000);
