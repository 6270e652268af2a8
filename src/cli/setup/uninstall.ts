// `memoir uninstall`: settings as they were, server stopped, binary gone; the memory stays unless it is asked for.
import { rm } from "node:fs/promises";
import { readGatewayRecord } from "../../install/gateway-settings.ts";
import { readLedger } from "../../install/ledger.ts";
import { unregisterMcp } from "../../install/mcp.ts";
import { removeMemory, removeProgram } from "../../install/remove-home.ts";
import { settingsPath } from "../../install/settings-file.ts";
import { applyRestoration, planRestoration, type Restoration } from "../../install/unregister.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { takeGatewayBack } from "../endless/gateway.ts";
import { stopServer } from "../server/stop.ts";
import { printDiff } from "../terminal/print-diff.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { setupOf } from "./setup.ts";

export interface UninstallOptions {
  dryRun?: boolean;
  yes?: boolean;
  deleteMemory?: boolean;
  json?: boolean;
}

const words: Record<Restoration["how"], string> = {
  restored: "given back byte for byte",
  removed: "removed: install had made it",
  cleaned: "freed of memoir's hooks; somebody changed it since the install",
  untouched: "has no hook of memoir's",
};

/** Uninstalls; gives exit code 0, or 1 when the person at the terminal said no. Safe to repeat. */
export async function uninstall(options: UninstallOptions, terminal: Terminal): Promise<number> {
  const { paths, binary } = setupOf(terminal);
  const plans = (await planAll(paths.home, terminal)).filter(
    ({ how, entry }) => how !== "untouched" || entry,
  );
  const mcp = await unregisterMcp(paths.home, true).catch(() => []);
  const gateway = await readGatewayRecord(paths.home);
  const report = {
    mcp,
    gateway: gateway?.settings ?? null,
    settings: plans.map(({ file, how }) => ({ path: file.path, how })),
    memory: options.deleteMemory ? null : paths.home,
  };

  if (options.dryRun) {
    if (options.json) terminal.print(JSON.stringify({ ...report, dryRun: true }));
    else {
      for (const { file, how, diff } of plans) {
        terminal.print(`${file.path}: ${words[how]}`);
        if (diff.length > 0) printDiff(file.path, diff, terminal);
      }
      if (gateway) terminal.print(`${gateway.settings}: would lead past memoir's gateway again.`);
      for (const file of mcp) terminal.print(`Would take the MCP server memoir out of ${file}.`);
      terminal.print(`Would stop the server and remove ${binary}.`);
      terminal.print(
        options.deleteMemory
          ? `Would delete the memory in ${paths.home}.`
          : memoryNote(false, paths.home),
      );
      terminal.print("Nothing was changed.");
    }
    return 0;
  }

  if (!(await agreed(options, terminal, paths.home))) {
    terminal.print("Nothing was changed.");
    return 1;
  }
  // First: what install wrote stands below what the gateway wrote.
  if (gateway) await takeGatewayBack(paths.home);
  for (const { file } of plans)
    await applyRestoration(paths.home, await planRestoration(paths.home, file.path));
  const freed = await unregisterMcp(paths.home);
  // Before the stop: a session that is still open would start the server again.
  const left = await removeBinary(binary);
  const stopped = await stopServer(paths);
  await removeProgram(paths);
  if (options.deleteMemory) await removeMemory(paths);

  if (options.json) {
    terminal.print(JSON.stringify({ ...report, stopped, binaryLeft: left }));
    return 0;
  }
  const done = (text: string) => terminal.print(`${terminal.colors.green("✓")} ${text}`);
  for (const { file, how } of plans) done(`${file.path}: ${words[how]}`);
  if (gateway) done(`${gateway.settings}: leads past memoir's gateway again`);
  for (const file of freed) done(`${file}: freed of the MCP server memoir`);
  if (plans.length === 0) done("settings: had no hook of memoir's");
  done(stopped ? "server: stopped" : "server: none was running");
  done(left ? `binary: in use; remove ${binary} by hand` : "binary: removed");
  terminal.print(memoryNote(options.deleteMemory ?? false, paths.home));
  return 0;
}

/** Every settings file that memoir wrote to, and your own ones; a project's shared ones may be a colleague's. */
async function planAll(home: string, { env, cwd }: Terminal): Promise<Restoration[]> {
  const known = (await readLedger(home)).map(({ settings }) => settings);
  const own = (["user", "local"] as const).map((scope) => settingsPath(scope, env, cwd));
  const plans: Restoration[] = [];
  for (const path of new Set([...known, ...own])) plans.push(await planRestoration(home, path));
  return plans;
}

async function agreed(
  { yes, json, deleteMemory }: UninstallOptions,
  terminal: Terminal,
  home: string,
): Promise<boolean> {
  if (yes) return true;
  if (terminal.interactive && !json)
    return deleteMemory
      ? terminal.confirm(`Uninstall memoir and delete everything in ${home}?`, false)
      : terminal.confirm("Uninstall memoir?");
  if (!deleteMemory) return true;
  throw new MemoirError("usage", "Deleting the memory wants a clear word.", {
    fix: "Leave `--delete-memory` out: then the memory stays. Only a person at a terminal is asked about it.",
  });
}

/** True when the file is still there: Windows keeps a running program. */
function removeBinary(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => false,
    () => true,
  );
}

function memoryNote(deleted: boolean, home: string): string {
  return deleted
    ? `The memory in ${home} is deleted.`
    : `The memory stays in ${home}; \`memoir install\` takes it up again.`;
}
