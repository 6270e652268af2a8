// `memoir install [clients…]`: for Claude Code, for the clients that are named, or for all that are here.
import type { Terminal } from "../terminal/terminal.ts";
import { chosenClients } from "./clients.ts";
import { install } from "./install.ts";
import type { InstallOptions } from "./install-clients.ts";
import { installOthers } from "./install-clients.ts";

/** Installs for Claude Code, for the clients that are named, or for all that are here. Gives an exit code as `install` does. */
export async function installNamed(
  names: readonly string[],
  options: InstallOptions,
  terminal: Terminal,
): Promise<number> {
  const chosen = await chosenClients(names, options.all, terminal);
  if (chosen.claudeCode) return install(options, terminal, chosen.others);
  return installOthers(chosen.others, options, terminal);
}
