// A server that hangs costs a few waits, not one for each hook; nothing is lost, and all comes in the order it happened.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { spooledFiles } from "../../src/runtime/events/spool.ts";
import { noted, payload } from "../cli/hook/run-hook.ts";
import { type CompiledHome, compiledHome } from "../support/compiled.ts";

let room: CompiledHome;
beforeAll(async () => {
  room = await compiledHome();
}, 180_000);
afterAll(() => room.end());

const parsed = (text: string) => JSON.parse(text) as object;
const use = (at: number) =>
  room.hook(
    parsed(
      payload("PostToolUse", {
        tool_name: "Bash",
        tool_input: { command: `echo ${at}` },
        tool_use_id: `toolu_${at}`,
        tool_response: { stdout: String(at) },
      }),
    ),
  );
const prompt = (at: number) =>
  room.hook(parsed(payload("UserPromptSubmit", { prompt: `say ${at}` })));

const waiting = async () => (await spooledFiles(join(room.home, "spool"))).length;

/** Tool uses and prompts as the journal has them, in the order in which they were taken. */
function journal(): string[] {
  const db = new Database(join(room.home, "journal.db"), { readonly: true });
  const rows = db
    .query<{ json: string }, []>(
      "SELECT json FROM events JOIN payloads USING (seq) WHERE name IN ('PostToolUse', 'UserPromptSubmit') ORDER BY seq",
    )
    .all();
  db.close();
  return rows.map(({ json }) => {
    const event = JSON.parse(json) as { toolUseId?: string; prompt?: string };
    return event.toolUseId ?? event.prompt ?? "";
  });
}

test("12 tool uses and 3 prompts in a hung server's time", async () => {
  // A hook that starts a server waits for it a second or two, and a command until it is there.
  expect((await room.run(["server", "start"])).code).toBe(0);
  await room.hook(parsed(payload("SessionStart", { source: "startup" })));
  const expected = ["say 0", "toolu_0"];
  await prompt(0);
  await use(0);
  const server = await room.pid();
  process.kill(server, "SIGSTOP");
  const begun = performance.now();
  try {
    for (let at = 1; at <= 12; at++) {
      if (at % 4 === 1) {
        expect(await prompt(at)).toEqual({ code: 0, out: "", err: "" });
        expected.push(`say ${at}`);
      }
      expect(await use(at)).toEqual({ code: 0, out: "", err: "" });
      expected.push(`toolu_${at}`);
    }
    // One began it; each pause that ended meanwhile, of 2 seconds, of 4, of 8, let one more look.
    const waits = (await noted(room.home)).filter((reason) => reason.includes("in time"));
    const seconds = (performance.now() - begun) / 1_000;
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.length).toBeLessThanOrEqual(Math.log2(seconds + 2));
    expect(await waiting()).toBe(15);
  } finally {
    process.kill(server, "SIGCONT");
  }
  // Whether this one still finds the mark or not, it does not overtake those that wait.
  await use(13);
  expected.push("toolu_13");
  while ((await waiting()) > 0) await Bun.sleep(50);
  expect(journal()).toEqual(expected);
  // The first success takes the mark away.
  while (existsSync(join(room.home, "late.json"))) await Bun.sleep(50);
  await use(14);
  expect(journal().at(-1)).toBe("toolu_14");
}, 180_000);

test("a server that hangs is ended by `memoir server stop`, and what waited is taken in by the next", async () => {
  await use(40);
  const server = await room.pid();
  process.kill(server, "SIGSTOP");
  expect(await use(41)).toEqual({ code: 0, out: "", err: "" });
  const stopped = await room.run(["server", "stop"]);
  expect(stopped).toEqual({
    code: 0,
    out: "The memoir server is stopped.\n  It did not respond and was ended. What it had received is kept.\n",
    err: "",
  });
  expect((await room.run(["server", "start"])).code).toBe(0);
  expect(await room.pid()).not.toBe(server);
  while ((await waiting()) > 0) await Bun.sleep(50);
  expect(journal().slice(-2)).toEqual(["toolu_40", "toolu_41"]);
}, 180_000);
