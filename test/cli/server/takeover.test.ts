// A newer binary takes over from an older server while events come in, and hooks of the older one start servers again.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { version as released } from "../../../package.json";
import { silentLog } from "../../../src/home/log.ts";
import { memoirPaths, type Paths } from "../../../src/home/paths.ts";
import { version } from "../../../src/home/version.ts";
import { runServer } from "../../../src/server/life/run-server.ts";
import { fakeRuntime } from "../../server/fake-runtime.ts";
import { payload, spooled, temporaryHome, toolUse } from "../hook/run-hook.ts";

const root = join(import.meta.dir, "../../..");
let folder: string;
let paths: Paths;
beforeEach(async () => {
  folder = await temporaryHome();
  paths = memoirPaths(join(folder, "home"));
});
afterEach(async () => {
  await memoir(root, ["server", "stop"]);
  await rm(folder, { recursive: true, force: true });
});

/** Runs the memoir whose source is in `tree`. */
async function memoir(tree: string, args: string[], input = "") {
  const command = Bun.spawn([process.execPath, join(tree, "src/cli/main.ts"), ...args], {
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", MEMOIR_HOME: paths.home },
  });
  const [code, out, err] = await Promise.all([
    command.exited,
    new Response(command.stdout).text(),
    new Response(command.stderr).text(),
  ]);
  return { code, out, err };
}

/** After three seconds a command says what it waits for. */
const nothingButWaiting = expect.stringMatching(/^(?:memoir is [^\n]+; waiting for it …\n)?$/);

/** The same program, as version 0.0.9. */
async function olderTree(): Promise<string> {
  const tree = join(folder, "older");
  for (const part of ["src", "plugins", "docs", "package.json"])
    await cp(join(root, part), join(tree, part), { recursive: true });
  await symlink(join(root, "node_modules"), join(tree, "node_modules"));
  const manifest = await readFile(join(tree, "package.json"), "utf8");
  await writeFile(
    join(tree, "package.json"),
    manifest.replace(`"version": "${released}"`, '"version": "0.0.9"'),
  );
  return tree;
}

test("an older server that comes up in between is taken over as well, and the right version named", async () => {
  const older = (old: string) =>
    runServer({ paths, version: old, log: silentLog, createRuntime: async () => fakeRuntime() });
  const first = await older("0.0.1");
  const second = first.stopped.then(() => older("0.0.2"));
  const took = await memoir(root, ["server", "start", "--json"]);
  await (await second).stopped;
  expect(took).toMatchObject({ code: 0, err: nothingButWaiting });
  expect(JSON.parse(took.out)).toMatchObject({ outcome: "took over", version });
});

test("another build of the same release takes over; the same one leaves the server running", async () => {
  const server = { paths, log: silentLog, createRuntime: async () => fakeRuntime() };
  const other = await runServer({ ...server, version: `${released}+19fef7e4` });
  const took = await memoir(root, ["server", "start", "--json"]);
  await other.stopped;
  expect(JSON.parse(took.out)).toMatchObject({ outcome: "took over", version });
  const again = await memoir(root, ["server", "start", "--json"]);
  expect(JSON.parse(again.out)).toMatchObject({ outcome: "already running", version });
});

test("under traffic of the older version nothing is lost, doubled or answered wrongly", async () => {
  const older = await olderTree();
  expect((await memoir(older, ["server", "start"])).out).toStartWith("memoir 0.0.9+source started");
  const events = 60;
  let sent = 0;
  /** An open session's hooks, one after the other. */
  const session = async (at: number) => {
    const failed: unknown[] = [];
    while (sent < events) {
      const id = `toolu_${sent++}`;
      const event = toolUse({ session_id: `s-${at}`, tool_use_id: id });
      const run = await memoir(older, ["hook", "claude-code"], event);
      if (run.code !== 0 || run.out + run.err !== "") failed.push({ id, ...run });
    }
    return failed;
  };
  const sessions = Promise.all([0, 1, 2].map(session));
  while (sent < events / 3) await Bun.sleep(5);
  const took = await memoir(root, ["server", "start", "--json"]);
  expect((await sessions).flat()).toEqual([]);
  expect(took).toMatchObject({ code: 0, err: nothingButWaiting });
  expect(JSON.parse(took.out)).toMatchObject({ outcome: "took over", version });
  // A prompt is answered after all that waits in the spool is in.
  await memoir(older, ["hook", "claude-code"], payload("UserPromptSubmit", { prompt: "hello" }));
  while ((await spooled(paths.home)).length > 0) await Bun.sleep(20);
  const status = JSON.parse((await memoir(root, ["status", "--json"])).out);
  expect(status).toMatchObject({ version, pid: JSON.parse(took.out).pid });
  expect(status.journal.counters).toMatchObject({
    "event:PostToolUse": events,
    "event:UserPromptSubmit": 1,
  });
}, 180_000);
