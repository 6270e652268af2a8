// Clients that plugins bring: install, status, doctor, backfill, uninstall and `plugin dev`, as a person runs them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listTranscripts } from "../../../src/cli/history/transcript/find.ts";
import { devPlugin } from "../../../src/cli/plugins/dev.ts";
import { listPlugins } from "../../../src/cli/plugins/list.ts";
import { newPlugin } from "../../../src/cli/plugins/new.ts";
import { status } from "../../../src/cli/server/status.ts";
import { doctor } from "../../../src/cli/setup/doctor.ts";
import { install } from "../../../src/cli/setup/install.ts";
import { uninstall } from "../../../src/cli/setup/uninstall.ts";
import { bringClients } from "../../../src/clients/index.ts";
import { version } from "../../../src/home/version.ts";
import { setConfigValue } from "../../../src/runtime/config/config.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let root: string;
let binary: string;
let env: Record<string, string>;
const home = () => join(root, "home");

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-brought-"));
  binary = join(root, "memoir-download");
  env = { HOME: root, MEMOIR_HOME: home(), PATH: "/usr/bin:/bin" };
  const script = `#!/bin/sh\n[ "$1" = version ] && echo '{"version":"${version}"}' || echo "memoir 9 started (pid 1)."\n`;
  await writeFile(binary, script, { mode: 0o755 });
  process.env.MEMOIR_HOME = home();
});
afterEach(async () => {
  delete process.env.MEMOIR_HOME;
  bringClients({});
  await rm(root, { recursive: true, force: true });
});

const terminalHere = () => plainTerminal({ env, cwd: root });
type Run = (terminal: ReturnType<typeof terminalHere>) => Promise<number>;
async function run(work: Run) {
  const terminal = terminalHere();
  const code = await work(terminal);
  return { code, out: [...terminal.out, ...terminal.err].join("\n").replaceAll(root, "ROOT") };
}
const options = () => ({ scope: "user" as const, binary });
/** What `plugin new client quill` writes, in force. */
async function quillInForce() {
  await run((terminal) => newPlugin("client", "quill", {}, terminal));
  await setConfigValue(home(), ["plugins", "quill", "enabled"], true);
}

test("what `plugin new client` writes is off until it is enabled, and install says so", async () => {
  await run((terminal) => newPlugin("client", "quill", {}, terminal));
  const installing = run((terminal) => install(["quill"], options(), terminal));
  await expect(installing).rejects.toMatchObject({
    message: "There is no client named quill.",
    fix: expect.stringContaining("`memoir plugin enable quill` may bring it"),
  });
});

test("installed, seen by status and doctor, and taken out byte for byte", async () => {
  await quillInForce();
  await mkdir(join(root, ".quill"));
  const settings = join(root, ".quill/settings.json");
  const before = '{ "theme": "dark" }\n';
  await writeFile(settings, before);
  const installed = await run((terminal) => install(["quill"], options(), terminal));
  expect([installed.code, installed.out]).toEqual([
    0,
    expect.stringContaining("✓ quill: ROOT/.quill/settings.json"),
  ]);
  const { hooks, mcpServers, theme } = JSON.parse(await readFile(settings, "utf8"));
  expect([theme, Object.keys(hooks)]).toEqual([
    "dark",
    ["begin", "prompt", "toolDone", "done", "end"],
  ]);
  expect(hooks.done[0].hooks[0].command).toContain('memoir" hook quill');
  expect(mcpServers.memoir.args).toEqual(["mcp"]);
  expect((await run((terminal) => status({}, terminal))).out).toContain("clients   quill");
  expect((await run((terminal) => doctor({}, terminal))).out).toContain(
    "✓ quill     quill: ROOT/.quill/settings.json",
  );
  expect((await run((terminal) => listPlugins({}, terminal))).out).toContain("brings client quill");
  // It is registered again with what is needed, and gone with its own name.
  await run((terminal) => uninstall(["quill"], { yes: true }, terminal));
  expect(await readFile(settings, "utf8")).toBe(before);
});

test("without names, everything goes also from a client whose plugin is there", async () => {
  await quillInForce();
  await run((terminal) => install(["quill"], options(), terminal));
  expect(existsSync(join(root, ".quill/settings.json"))).toBe(true);
  await run((terminal) => uninstall([], { yes: true }, terminal));
  expect(existsSync(join(root, ".quill/settings.json"))).toBe(false);
});

const line = (value: object) => `${JSON.stringify({ at: 1_790_000_000_000, ...value })}\n`;
const history = () =>
  [
    line({ kind: "session", cwd: root, id: "s" }),
    line({ kind: "user", text: "Make it build.", id: "1" }),
    line({
      kind: "agent",
      text: "I look.",
      calls: [{ id: "c", tool: "shell", args: { command: "make" } }],
    }),
    line({ kind: "result", call: "c", output: "no rule", error: true }),
  ].join("");

test("its history is found, and tried with `plugin dev`", async () => {
  await quillInForce();
  const sessions = join(root, ".quill/sessions");
  await mkdir(sessions, { recursive: true });
  const file = join(sessions, "2026_r1.jsonl");
  await writeFile(file, history());
  const listed = await run((terminal) => listTranscripts(undefined, { limit: 9 }, terminal));
  expect(listed.out).toMatch(/r1 .*quill/);
  const tried = await run((terminal) =>
    devPlugin("quill", { once: true, transcript: file }, terminal),
  );
  expect(tried.code).toBe(0);
  expect(tried.out).toContain("UserPromptSubmit Make it build.");
  expect(tried.out).toContain('PostToolUseFailure Bash {"command":"make"} → no rule');
});

test("recorded payloads are tried with `plugin dev`: events, none, and refusals by their field", async () => {
  await quillInForce();
  const payloads = join(root, "payloads.jsonl");
  const common = { run: { id: "r1" }, cwd: "/w" };
  const each = [
    { ...common, event: "begin" },
    { ...common, event: "prompt", prompt: "" },
    { cwd: "/w", event: "done" },
  ];
  await writeFile(payloads, `${each.map((one) => JSON.stringify(one)).join("\n")}\n{"torn\n`);
  const tried = await run((terminal) => devPlugin("quill", { once: true, payloads }, terminal));
  expect(tried.code).toBe(1);
  expect(tried.out.split("\n").slice(-5)).toEqual([
    "quill: 1 of 4 are events",
    expect.stringMatching(/✓ +1 +SessionStart/),
    expect.stringMatching(/– +2 +no event/),
    expect.stringMatching(/✗ +3 +quill: the payload: field `session_id` is missing/),
    expect.stringMatching(/✗ +4 +it is not valid JSON/),
  ]);
  await expect(run((terminal) => devPlugin("quill", { once: true }, terminal))).rejects.toThrow(
    "A client is tried on what it recorded.",
  );
});

test("two plugins that bring the same client: the second says so, the first works", async () => {
  await quillInForce();
  const text = await readFile(join(home(), "plugins/quill/index.ts"), "utf8");
  await writeFile(
    join(home(), "plugins/z-quill.ts"),
    text.replace('name: "quill"', 'name: "z-quill"'),
  );
  const { out } = await run((terminal) => listPlugins({}, terminal));
  expect(out).toContain("quill brings the client quill too");
  expect((await run((terminal) => install(["quill"], options(), terminal))).code).toBe(0);
});
