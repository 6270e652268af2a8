// Nothing in a session's environment or folder touches a hook: it exits 0, prints one JSON object or nothing, and its event is captured once.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { hookCommand } from "../../src/install/hook-command.ts";
import { payload, spooled } from "../cli/hook/run-hook.ts";
import { type CompiledHome, compiledBinary, compiledHome } from "../support/compiled.ts";
import { outcomeOf } from "../support/outcome-of.ts";

let room: CompiledHome;
let command: string;
let folder: string;
let trace: string;

beforeAll(async () => {
  room = await compiledHome();
  command = hookCommand({
    binary: await compiledBinary(),
    platform: process.platform,
    client: "claude-code",
  });
  folder = join(room.home, "session");
  trace = join(room.home, "trace");
  await mkdir(folder);
  const file = (name: string, text: string) => writeFile(join(folder, name), text);
  await file("evil.js", `require("fs").writeFileSync(${JSON.stringify(trace)}, "ran");`);
  await file(".env", "MEMOIR_INTERNAL=1\nMEMOIR_HOME=/nonexistent\nBUN_OPTIONS=--version\n");
  await file("bunfig.toml", 'preload = ["./evil.js"]\n[run]\npreload = ["./evil.js"]\n');
  await file(
    "package.json",
    '{"name": "x", "type": "commonjs", "imports": {"#x": "./evil.js"}, wrong',
  );
  await file("tsconfig.json", '{"compilerOptions": {"paths": {"*": ["./evil.js"]}}, wrong');
  await room.run(["server", "start"]);
}, 180_000);
afterAll(() => room.end());

/** The hook as a client runs it: the registered command, by a shell, with `set` in its environment. */
function hook(input: string, set: Readonly<Record<string, string>>) {
  const own = { PATH: process.env.PATH ?? "", HOME: room.home, MEMOIR_HOME: room.home };
  const child = Bun.spawn(["sh", "-c", command], {
    env: { ...own, ...set },
    cwd: folder,
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 45_000,
  });
  return outcomeOf(child);
}

function captured(toolUse: string): number {
  const db = new Database(join(room.home, "journal.db"), { readonly: true });
  const row = db
    .query<{ n: number }, [string]>("SELECT count(*) AS n FROM events WHERE tool_use = ?")
    .get(toolUse);
  db.close();
  return row?.n ?? 0;
}

const useOf = (id: string) =>
  payload("PostToolUse", {
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: id,
    tool_response: { stdout: "x" },
  });

const proxy = "http://127.0.0.1:9";
const settings: ReadonlyArray<Record<string, string>> = [
  {},
  { BUN_INSPECT: "ws://localhost:0/x" },
  { BUN_INSPECT: "ws://127.0.0.1:0/x?break=1" },
  { BUN_INSPECT: "ws://127.0.0.1:0/x?wait=1" },
  { BUN_INSPECT: "garbage" },
  { BUN_INSPECT_CONNECT_TO: "unix:///nonexistent/x" },
  { BUN_INSPECT_PRELOAD: "./evil.js" },
  { BUN_INSPECT_NOTIFY: "unix:///nonexistent/x" },
  { BUN_OPTIONS: "--preload=./evil.js" },
  { BUN_OPTIONS: "--config=./bunfig.toml" },
  { BUN_OPTIONS: "--env-file=.env" },
  { BUN_OPTIONS: "--inspect-brk" },
  { BUN_OPTIONS: "--version" },
  { BUN_OPTIONS: "--help" },
  { BUN_OPTIONS: "--no-such-option" },
  { BUN_BE_BUN: "1" },
  { NODE_OPTIONS: "--require ./evil.js" },
  { NODE_OPTIONS: "--inspect-brk" },
  { BUN_JSC_useJIT: "0" },
  { BUN_JSC_forceRAMSize: "1000000" },
  { NODE_EXTRA_CA_CERTS: "/nonexistent/ca.pem" },
  { NODE_EXTRA_CA_CERTS: "/" },
  { HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy },
  { HTTP_PROXY: "::::", http_proxy: "::::" },
  { BUN_CONFIG_VERBOSE_FETCH: "curl" },
  { BUN_CONFIG_MAX_HTTP_REQUESTS: "0" },
  { BUN_CONFIG_HTTP_IDLE_TIMEOUT: "0" },
  { BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS: "x" },
  { BUN_GARBAGE_COLLECTOR_LEVEL: "9" },
  { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "/nonexistent/x" },
  { BUN_TMPDIR: "/nonexistent", TMPDIR: "/nonexistent" },
  { BUN_FEATURE_FLAG_EXPERIMENTAL_HTTP2_CLIENT: "1" },
  { BUN_FEATURE_FLAG_DISABLE_IO_POOL: "1" },
  { BUN_FEATURE_FLAG_LAST_MODIFIED_PRETEND_304: "1" },
  { NODE_CHANNEL_FD: "7" },
  { NODE_DEBUG: "*", NODE_DEBUG_NATIVE: "*" },
  { NODE_COMPILE_CACHE: "/nonexistent" },
  { LANG: "x", LC_ALL: "x", TZ: "x/y" },
];

describe("in a folder that means harm, with", () => {
  for (const [at, set] of settings.entries()) {
    test(JSON.stringify(set), async () => {
      const id = `toolu_${at}`;
      expect(await hook(useOf(id), set)).toEqual({ code: 0, out: "", err: "" });
      expect(captured(id)).toBe(1);
      const { code, out, err } = await hook(payload("SessionStart", { source: "startup" }), set);
      expect([code, err]).toEqual([0, ""]);
      if (out !== "") expect(JSON.parse(out)).toBeObject();
      expect(existsSync(trace)).toBe(false);
    });
  }

  test("all of them at once", async () => {
    const all = Object.assign({}, ...settings) as Record<string, string>;
    expect(await hook(useOf("toolu_all"), all)).toEqual({ code: 0, out: "", err: "" });
    expect(captured("toolu_all")).toBe(1);
    expect(await spooled(room.home)).toEqual([]);
  });

  test("nothing on stdout, and a code that stops no agent, where Bun refuses a name", async () => {
    const { code, out, err } = await hook(useOf("toolu_refused"), { BUN_JSC_noSuchOption: "1" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("BUN_JSC_noSuchOption");
  });

  test("the server that a hook starts gets none of it", async () => {
    await room.run(["server", "stop"]);
    await hook(payload("SessionStart", { source: "startup" }), {
      BUN_OPTIONS: "--smol",
      NODE_OPTIONS: "--inspect",
      BUN_JSC_useJIT: "0",
    });
    while (!existsSync(join(room.home, "server.json"))) await Bun.sleep(20);
    if (process.platform === "linux") {
      const environment = await Bun.file(`/proc/${await room.pid()}/environ`).text();
      // The server's own bound on memory, which says how large the heap may grow.
      const foreign = environment.replace(/BUN_JSC_forceRAMSize=\d+\0/, "");
      expect(foreign).not.toMatch(/BUN_|NODE_OPTIONS/);
    }
    await rm(trace, { force: true });
    expect(await hook(useOf("toolu_after"), {})).toEqual({ code: 0, out: "", err: "" });
    expect(captured("toolu_after")).toBe(1);
  });
});
