// `memoir uninstall [clients…]`: all of memoir, or what it put into the clients that are named.
import type { Terminal } from "../terminal/terminal.ts";
import { chosenClients } from "./clients.ts";
import type { UninstallOptions } from "./settings-back.ts";
import { uninstall } from "./uninstall.ts";
import { uninstallClients } from "./uninstall-clients.ts";

/** Takes memoir out of the clients that are named; without names, uninstalls it. Gives an exit code as `uninstall` does. */
export async function uninstallNamed(
  names: readonly string[],
  options: UninstallOptions,
  terminal: Terminal,
): Promise<number> {
  if (names.length === 0) return uninstall(options, terminal);
  return uninstallClients(await chosenClients(names, false, terminal), options, terminal);
}
