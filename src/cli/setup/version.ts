// `memoir version`: what this build is called, and with `--licenses` what is in it and under which words.
import { ownLicenses, version } from "../../home/version.ts";
import { answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

const fromSource =
  "memoir runs from source: its license is in LICENSE, those of its packages are in node_modules.";

/** Prints the version, or all licenses. Gives 0. */
export async function printVersion(
  options: { licenses?: boolean; json?: boolean },
  terminal: Terminal,
): Promise<number> {
  if (!options.licenses) {
    if (!options.json) return answer(terminal, options, {}, () => [`memoir ${version}`]);
    // An upgrade asks a version whether it reads the databases that are there.
    const { knownSchemas: schemas } = await import("../../stored/schemas.ts");
    return answer(terminal, options, { version, schemas }, () => []);
  }
  const licenses = ownLicenses()?.trimEnd() ?? fromSource;
  return answer(terminal, options, { version, licenses }, () => [licenses]);
}
