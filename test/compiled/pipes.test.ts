// A pipe where a file of the home belongs: whoever opens one as usual waits for ever. Hooks and commands go on, and say what is wrong.
import { afterEach, expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type CompiledHome, compiledHome } from "../support/compiled.ts";

let room: CompiledHome;
afterEach(() => room.end());

const prompt = {
  session_id: "s1",
  cwd: "/p",
  hook_event_name: "UserPromptSubmit",
  prompt: "go on",
};
/** What any of these takes on a busy machine, and far less than for ever. */
const soonMs = 25_000;

async function pipes(...names: string[]): Promise<void> {
  for (const name of names) {
    const path = join(room.home, name);
    await rm(path, { force: true, recursive: true });
    await mkdir(dirname(path), { recursive: true });
    expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
  }
}

/** Runs one command, and ends it where it hangs. */
function run(args: string[], stdin?: object) {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`memoir ${args.join(" ")} hangs`)), soonMs).unref();
  });
  const options = stdin === undefined ? {} : { stdin: JSON.stringify(stdin) };
  return Promise.race([room.run(args, options), late]);
}

/** A home in which a server has been; none runs. */
async function used(): Promise<void> {
  room = await compiledHome();
  await run(["server", "start"]);
  await run(["hook", "claude-code"], prompt);
  await run(["server", "stop"]);
}

/** A hook with no server and none to be started, and one with a server; commands without and with one. */
async function driveAll(): Promise<{ doctor: string }> {
  await Bun.write(join(room.home, "server.starting"), "1");
  expect(await run(["hook", "claude-code"], prompt)).toMatchObject({ code: 0, err: "" });
  await rm(join(room.home, "server.starting"));
  const { out: doctor } = await run(["doctor"]);
  expect((await run(["status"])).code).toBe(3);
  await run(["memory", "backup"]);
  expect(await run(["server", "start"])).toMatchObject({ code: 0 });
  expect(await run(["hook", "claude-code"], prompt)).toMatchObject({ code: 0, err: "" });
  expect(await run(["search", "anything"])).toMatchObject({ code: 0 });
  await run(["doctor"]);
  expect(await run(["server", "stop"])).toMatchObject({ code: 0 });
  return { doctor };
}

test("in the place of what a user writes", async () => {
  await used();
  await pipes("config.json", "keys.json", "install.json");
  const { doctor } = await driveAll();
  expect(doctor).toContain("it cannot be read");
  expect(doctor).toContain("config.json is a pipe");
  expect(doctor).toContain("The file of the providers' keys cannot be read.");
}, 180_000);

test("in the place of what memoir writes", async () => {
  await used();
  await pipes("late.json", "hook.json", "server.json", "token", "unkept", "forgotten");
  await pipes("forgetting.json", "findings.jsonl", "moments.json", "gateway-sessions.json");
  await pipes("memory/history.json", "spool/000001795456032106-x.json");
  await pipes("logs/memoir.log", "logs/hook.log", "config.last.json");
  await driveAll();
  const { out } = await run(["doctor"]);
  expect(out).toContain("was a pipe, a socket or a device, where memoir's own belongs");
}, 180_000);
