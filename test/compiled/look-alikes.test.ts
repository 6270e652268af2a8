// What only looks like a secret stays, and what is one is named with its rule, by the compiled binary.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { redactText } from "../../src/privacy/redact.ts";
import { secretCases } from "../privacy/corpus/cases.ts";
import { openAlarms } from "../privacy/corpus/floors.ts";
import { type CompiledHome, compiledBinary, compiledHome } from "../support/compiled.ts";

let room: CompiledHome;
beforeAll(async () => {
  await compiledBinary();
  room = await compiledHome();
}, 180_000);
afterAll(() => room.end());

const dev = secretCases().filter(({ id, aside }) => !aside && !openAlarms.includes(id));

test("nothing is taken out of look-alikes, whatever stands beside them", async () => {
  const alike = dev.filter(({ secrets }) => secrets.length === 0).map(({ text }) => text);
  expect(alike.length).toBeGreaterThan(300);
  // As many in one process as are not too much to be looked at: to start one costs more than twenty of them do.
  const together: string[] = [];
  for (let at = 0; at < alike.length; at += 20) {
    const some = alike.slice(at, at + 20).join("\n\n");
    expect(redactText(some).text).toBe(some);
    const longer = `${together.at(-1)}\n\n${some}`;
    if (at > 0 && redactText(longer).text === longer) together[together.length - 1] = longer;
    else together.push(some);
  }
  for (const stdin of together) {
    const { code, out } = await room.run(["memory", "redact", "--text"], { stdin });
    expect([code, out.trimEnd()]).toEqual([0, stdin.trimEnd()]);
  }
}, 180_000);

test("a secret is named by its rule and place, and never printed", async () => {
  const one = dev.find(({ id }) => id === "second corpus: commands/create role") ?? dev[0];
  const { code, out } = await room.run(["memory", "redact"], { stdin: one?.text ?? "" });
  expect(code).toBe(0);
  expect(out).toContain("sql-password");
  for (const secret of one?.secrets ?? []) expect(out).not.toContain(secret);
});
