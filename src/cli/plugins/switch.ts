// `memoir plugin enable`, `disable`.

import { setConfigValue, unsetConfigValue } from "../../runtime/config/config.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { liftPauses } from "../../runtime/isolation/pauses.ts";
import { commandFor, waitsFor } from "../../runtime/plugins/choose.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { slots } from "../../sdk/plugin.ts";
import { setupOf } from "../setup/setup.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { registerAgain, reloadServer } from "./after-change.ts";

/** Switches a plugin on or off in config, lets a running server know, and registers the events needed now. */
export async function switchPlugin(
  name: string,
  enabled: boolean,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const setup = setupOf(terminal);
  const { home } = setup.paths;
  const { plugins } = await describePlugins(home, terminal.env);
  if (!plugins.some((plugin) => plugin.name === name)) {
    const near = nearest(
      name,
      plugins.map((plugin) => plugin.name),
    );
    throw new MemoirError(
      "plugin_not_found",
      `There is no plugin ${name}${near ? `; did you mean ${near}?` : "."}`,
    );
  }
  const needed = plugins
    .find((plugin) => plugin.name === name)
    ?.fills.find((slot) => slots[slot].mode === "exclusive");
  if (needed && !enabled)
    throw new MemoirError("plugin_slot", `${name} fills ${needed}, which cannot be empty.`, {
      fix: `Name another plugin there: \`memoir config set slots.${needed} …\`.`,
    });
  const path = ["plugins", name, "enabled"];
  // On is the default, and config holds only what differs from it.
  if (enabled) await unsetConfigValue(home, path);
  else await setConfigValue(home, path, false);
  // Who switches a plugin on wants it tried now.
  const lifted = enabled && (await liftPauses(setup.paths.pauses, name));
  await reloadServer();
  const settings = await registerAgain(terminal);
  const after = (await describePlugins(home, terminal.env)).plugins.find((p) => p.name === name);
  if (options.json) {
    terminal.print(JSON.stringify({ plugin: name, enabled, settings }));
    return 0;
  }
  terminal.print(`${name} is ${enabled ? "on" : "off"}${lifted ? ", and no longer paused" : ""}.`);
  if (enabled && after?.state === "failed" && after.error) terminal.warn(after.error);
  for (const slot of after?.slots ?? [])
    if (enabled && !after?.fills.includes(slot) && (waitsFor(slot) || after?.state === "disabled"))
      terminal.print(`It is not in the slot ${slot} yet: \`${commandFor(name, slot)}\`.`);
  for (const file of settings)
    terminal.print(`${file}: registered the events that are needed now.`);
  return 0;
}
