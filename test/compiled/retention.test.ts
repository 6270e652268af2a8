// Memory bounded by age, by the compiled binary: what a person reads before, and what is left after.
import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { payload } from "../cli/hook/run-hook.ts";
import { placesOf } from "../runtime/forget/forget-room.ts";
import { type CompiledHome, compiledBinary, compiledHome } from "../support/compiled.ts";

const cwd = "/nonexistent/shop";
let room: CompiledHome;
beforeAll(async () => {
  await compiledBinary();
}, 180_000);
beforeEach(async () => {
  room = await compiledHome();
});
afterEach(() => room.end());

/** Runs a command that must succeed; gives what it printed. */
async function memoir(...args: string[]): Promise<string> {
  const { code, out, err } = await room.run(args);
  expect([args.join(" "), code, err]).toEqual([args.join(" "), 0, ""]);
  return out;
}

const tell = (name: string, more: object) =>
  room.hook(JSON.parse(payload(name, { session_id: "young-session", cwd, ...more })));

/** A session of now, and the same `copies` times more as it was 400 days ago. */
async function remember(copies = 1): Promise<void> {
  await tell("UserPromptSubmit", { prompt: "Why does the checkout time out?" });
  await tell("Stop", { last_assistant_message: "The checkout waited for a lock; it is gone." });
  await memoir("server", "start");
  await fetch("http://localhost/api/drain", {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
    unix: join(room.home, "memoir.sock"),
  });
  const file = join(room.home, "export.jsonl");
  await memoir("memory", "export", file);
  // Of another session no line is the change that made it.
  const young = (await readFile(file, "utf8")).replace(/^.+$/gm, (line) => {
    const { change: _change, ...rest } = JSON.parse(line);
    return JSON.stringify(rest);
  });
  const old = Array.from({ length: copies }, (_, at) =>
    young
      .replaceAll("young-session", `older-session${at === 0 ? "" : at}`)
      .replaceAll("checkout", at === 0 ? "sitemap" : `sitemap${at}x`)
      .replace(/\b1[789]\d{11}\b/g, (time) => String(Number(time) - 400 * 86_400_000)),
  );
  await writeFile(file, old.join(""));
  await memoir("memory", "import", file);
  await rm(file);
}

const sessions = async (): Promise<string[]> =>
  JSON.parse(await memoir("sessions", "--limit", "100", "--json")).sessions.map(
    ({ id }: { id: string }) => id,
  );

test("nothing goes before somebody says so; then it is shown, asked, and gone", async () => {
  await remember();
  expect((await sessions()).sort()).toEqual(["older-session", "young-session"]);
  expect(await memoir("memory", "prune", "--yes")).toStartWith("Memory is kept forever.\n");
  expect(await memoir("status")).toMatch(/memory\.db +\S+ \w+ +forever/);
  await memoir("config", "set", "retention.memory.days", "365");
  const told = "1 session with 1 prompt, last active before 20";
  expect(await memoir("memory", "prune", "--dry-run")).toContain(`Would delete ${told}`);
  const status = await memoir("status");
  expect(status).toContain(`to go     ${told}`);
  expect(status).toContain("see `memoir memory prune --dry-run`");
  expect(status).toContain("365 days (retention.memory.days)");
  const refused = await room.run(["memory", "prune"]);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain(
    "Pass `--yes` to confirm; `--dry-run` shows what would be deleted.",
  );
  expect((await sessions()).length).toBe(2);
  expect(await memoir("memory", "prune", "--yes")).toMatch(
    /Deleted 1 session with \d+ records?\.\n$/,
  );
  expect(await sessions()).toEqual(["young-session"]);
  expect(JSON.parse(await memoir("search", "sitemap", "--json")).results).toEqual([]);
  expect(JSON.parse(await memoir("search", "checkout", "--json")).results).not.toEqual([]);
  expect(await memoir("memory", "prune", "--yes")).toBe(
    "Nothing to delete: all of it is within `retention.memory`.\n",
  );
  expect(await memoir("status")).not.toContain("to go ");
}, 180_000);

test("pruned sessions leave no byte in the home, also where the server is killed in between", async () => {
  await remember(40);
  await memoir("config", "set", "retention.memory.days", "365");
  await fetch("http://localhost/api/retention", {
    method: "POST",
    body: JSON.stringify({ most: 20 }),
    headers: { "content-type": "application/json" },
    unix: join(room.home, "memoir.sock"),
  });
  process.kill(await room.pid(), "SIGKILL");
  await memoir("server", "start");
  const left = await sessions();
  expect(left).toHaveLength(21);
  const gone = Array.from({ length: 39 }, (_, at) => at + 1)
    .filter((at) => !left.includes(`older-session${at}`))
    .map((at) => `sitemap${at}x`);
  expect(gone.length).toBeGreaterThanOrEqual(19);
  expect(await placesOf(room.home, gone)).toEqual([]);
  expect(await memoir("memory", "prune", "--yes")).toMatch(
    /Deleted 20 sessions with \d+ records?\.\n$/,
  );
  expect(await placesOf(room.home, ["sitemap"])).toEqual([]);
}, 180_000);
