// What commands that change plugins share: the server reads them again, and the client sends the events that they need.
import { readLedger } from "../../install/ledger.ts";
import { applyRegistration, planRegistration } from "../../install/register.ts";
import { ifRunning, server } from "../server/client.ts";
import { setupOf, wantedRegistration } from "../setup/setup.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Brings every settings file that memoir is registered in up to date; gives those that changed. */
export async function registerAgain(terminal: Terminal): Promise<string[]> {
  const setup = setupOf(terminal);
  const entries = await readLedger(setup.paths.home);
  if (entries.length === 0) return [];
  const { wanted } = await wantedRegistration(setup, terminal);
  const changed: string[] = [];
  for (const { scope, settings } of entries) {
    const change = await planRegistration(settings, wanted);
    await applyRegistration(setup.paths.home, scope, change);
    if (change.diff.length > 0) changed.push(settings);
  }
  return changed;
}

/** Asks a running server to read config and plugins again; false when none runs. */
export async function reloadServer(): Promise<boolean> {
  return (await ifRunning(server.post("/api/reload", { start: false }))) !== undefined;
}
