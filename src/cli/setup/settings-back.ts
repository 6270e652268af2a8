// What uninstalling gives back of Claude Code's settings, and how it is told.

import { readLedger } from "../../install/ledger.ts";
import { planRestoration, type Restoration } from "../../install/register.ts";
import { settingsPath } from "../../install/settings-file.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import type { Terminal } from "../terminal/terminal.ts";

export type UninstallOptions = OptionsOf<(typeof setupCommands)["uninstall"]>;

/** What becomes of a file, in words. */
export const words: Record<Restoration["how"], string> = {
  restored: "given back byte for byte",
  removed: "removed: install had made it",
  cleaned: "freed of memoir; somebody changed it since the install",
  untouched: "has nothing of memoir's",
};

/** Every settings file that memoir wrote to, and your own ones; a project's shared ones may be a colleague's. */
export async function planAll(home: string, { env, cwd }: Terminal): Promise<Restoration[]> {
  const known = (await readLedger(home)).map(({ settings }) => settings);
  const own = (["user", "local"] as const).map((scope) => settingsPath(scope, env, cwd));
  const plans: Restoration[] = [];
  for (const path of new Set([...known, ...own])) plans.push(await planRestoration(home, path));
  return plans;
}
