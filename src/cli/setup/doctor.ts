// `memoir doctor`: looks at everything memoir rests on, and says how to put right what is wrong.

import { attempt, type Check, ok, warn } from "../../health/check.ts";
import { checkFolder, checkKept, checkServed, checkSettings } from "../../health/home-and-work.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerStatus } from "../../server/schemas/status.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { checkProxy } from "../endless/narrower-address.ts";
import { toGo } from "../memory/to-go.ts";
import { server } from "../server/client.ts";
import { ago, wrap } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { standings } from "./clients.ts";
import { checkClients, checkSkill, checkTools } from "./doctor/client-checks.ts";
import { checkBinary, checkHooks, isWithoutClaudeCode } from "./doctor/install-checks.ts";
import { runInstalled } from "./installed-binary.ts";
import { type Setup, setupOf } from "./setup.ts";

type DoctorOptions = OptionsOf<(typeof setupCommands)["doctor"]>;

/** Prints every check. Gives 1 when one of them failed, 0 else. Starts and changes nothing; `seen` notes that findings were read. */
export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<number> {
  const setup = setupOf(terminal);
  const { paths } = setup;
  const now = terminal.now();
  let served = true;
  const asked = { paths, platform: terminal.platform, env: terminal.env, now };
  const checks = [
    ...(await checkFolder(asked, options.seen === true)),
    ...(await attempt("binary", () => checkBinary(setup, terminal))),
    ...(await checkClaudeCode(setup, terminal)),
    ...(await attempt("clients", () => checkClients(setup, terminal))),
    ...(await checkSettings(asked)),
    ...(await attempt("proxy", () => checkProxy(terminal))),
    ...(await attempt("server", async () => {
      const status = await serverStatus();
      served = status !== undefined;
      if (!status)
        return [
          warn("server", "not running", "The next hook starts it; so does `memoir server start`."),
        ];
      return [...(await checkServed(status, now)), ...(await checkLastSession(now))];
    })),
    ...(await checkKept(asked, { served, toGo: () => toGo(paths) })),
  ];
  if (options.bundle !== undefined) {
    const { bundleOf, giveBundle } = await import("./doctor/bundle.ts");
    const status = await serverStatus().catch(() => undefined);
    const file = typeof options.bundle === "string" ? options.bundle : undefined;
    return giveBundle(await bundleOf(paths, checks, status, terminal), file, terminal);
  }
  const failed = checks.filter(({ state }) => state === "fail").length;
  if (options.json) {
    terminal.print(JSON.stringify({ ok: failed === 0, checks, log: paths.log }));
    return failed === 0 ? 0 : 1;
  }
  for (const check of printable(checks)) printCheck(check, terminal);
  const warned = checks.filter(({ state }) => state === "warn").length;
  terminal.print("");
  if (failed + warned === 0) terminal.print("All is well.");
  else terminal.print(`${failed} to put right, ${warned} to look at. The log: ${paths.log}`);
  return failed === 0 ? 0 : 1;
}

function printCheck({ name, state, message, fix }: Check, terminal: Terminal): void {
  const { green, yellow, red, cyan } = terminal.colors;
  const mark = { ok: green("✓"), warn: yellow("!"), fail: red("✗") }[state];
  const [first = "", ...rest] = wrap(message, terminal.width, " ".repeat(12));
  terminal.print(`${mark} ${name.padEnd(9)} ${first.trimStart()}`);
  for (const line of rest) terminal.print(line);
  if (!fix) return;
  const [begin = "", ...more] = wrap(fix, terminal.width, " ".repeat(17));
  terminal.print(`${" ".repeat(12)}${cyan("fix:")} ${begin.trimStart()}`);
  for (const line of more) terminal.print(line);
}

async function serverStatus(): Promise<ServerStatus | undefined> {
  try {
    return await server.get("/api/status", { start: false, timeoutMs: 5_000 });
  } catch (error) {
    if (error instanceof MemoirError && error.code === "server_unreachable") {
      if (error.message.includes("not running")) return undefined;
    }
    throw error;
  }
}

/** The newest session; nothing when storage, of which another check tells, does not answer. */
async function checkLastSession(now: number): Promise<Check[]> {
  const answer = await server
    .get("/api/sessions", { query: { limit: 1 }, start: false })
    .catch(() => undefined);
  const last = answer?.sessions[0];
  if (!last) return [];
  return [
    ok("last", `${last.project.name}, ${ago(last.lastActiveAt, now)}: ${last.title || "untitled"}`),
  ];
}

/** Claude Code itself, where it is in the PATH. */
/** Nothing is wrong with Claude Code where memoir serves other clients and was never told to serve it. */
async function checkClaudeCode(setup: Setup, terminal: Terminal): Promise<Check[]> {
  const others = await standings(setup, terminal).catch(() => []);
  const isLeftOut = others.length > 0 && isWithoutClaudeCode(setup, terminal).catch(() => false);
  if (await isLeftOut)
    return [ok("hooks", "for other clients; `memoir install` adds memoir to Claude Code")];
  return [
    ...(await attempt("hooks", () => checkHooks(setup, terminal))),
    ...(await attempt("tools", () => checkTools(setup, terminal))),
    ...(await attempt("skill", () => checkSkill(setup, terminal))),
    ...(await attempt("client", () => checkClient(terminal))),
  ];
}

async function checkClient({ env }: Terminal): Promise<Check[]> {
  try {
    const output = await runInstalled(
      "claude",
      ["--version"],
      { ...env, MEMOIR_INTERNAL: "1" },
      5_000,
    );
    return [ok("client", `Claude Code ${output.trim().split("\n")[0] ?? ""}`)];
  } catch {
    return [
      warn("client", "`claude` is not in the PATH", "Nothing to do when you start it another way."),
    ];
  }
}
