// `memoir plugin enable`, `disable`.

import { describePlugins, switchInConfig } from "../../runtime/plugins/describe.ts";
import { commandFor, guard, waitsFor } from "../../runtime/plugins/registry.ts";
import { setupOf } from "../setup/setup.ts";
import { inJson } from "../terminal/agree.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { putInForce } from "./after-change.ts";

/** Switches a plugin on or off in config, lets a running server know, and registers the events needed now. */
export async function switchPlugin(
  enabled: boolean,
  name: string,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { paths } = setupOf(terminal);
  const { lifted } = await switchInConfig({ paths, env: terminal.env }, name, enabled);
  const { settings } = await putInForce(terminal);
  const after = (await describePlugins(paths.home, terminal.env)).plugins.find(
    (p) => p.name === name,
  );
  if (inJson({ plugin: name, enabled, settings }, options, terminal)) return 0;
  terminal.print(`${name} is ${enabled ? "on" : "off"}${lifted ? ", and no longer paused" : ""}.`);
  if (!enabled && name === guard)
    terminal.warn("Secrets and private parts are kept from now on, as they are typed and printed.");
  if (enabled && after?.state === "failed" && after.error) terminal.warn(after.error);
  for (const slot of after?.slots ?? [])
    if (enabled && !after?.fills.includes(slot) && (waitsFor(slot) || after?.state === "disabled"))
      terminal.print(`It is not in the slot ${slot} yet: \`${commandFor(name, slot)}\`.`);
  for (const file of settings)
    terminal.print(`${file}: registered the events that are needed now.`);
  return 0;
}
