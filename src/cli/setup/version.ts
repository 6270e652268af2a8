// `memoir version`
import { version } from "../../home/version.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Prints the version; gives exit code 0. */
export async function printVersion(
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  terminal.print(options.json ? JSON.stringify({ version }) : `memoir ${version}`);
  return 0;
}
