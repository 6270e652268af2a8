// `memoir plugin enable`, `disable` and `trust`: which plugins run.

import { resolve } from "node:path";
import { userHome } from "../../home/paths.ts";
import { describePlugins, switchInConfig } from "../../runtime/plugins/describe.ts";
import { discoverPlugins } from "../../runtime/plugins/find.ts";
import {
  findLocal,
  ownerOf,
  readTrust,
  takeSnapshot,
  trustSnapshot,
  untrust,
} from "../../runtime/plugins/project-plugins.ts";
import { commandFor, guard, waitsFor } from "../../runtime/plugins/registry.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { oneLine } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { pluginCommands } from "../commands/plugins.ts";
import { projectOfFolder } from "../endless/scope.ts";
import { setupOf } from "../setup/setup.ts";
import { agreed, inJson } from "../terminal/agree.ts";
import { size } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { putInForce, reloadServer } from "./after-change.ts";

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

// `memoir plugin trust`: lets the plugins that a project brings run, exactly as they are now.

type TrustOptions = OptionsOf<(typeof pluginCommands)["plugin"]["commands"]["trust"]>;

/** Shows what would run and asks; nothing of it is loaded before the answer. Gives 0, or 1 when the answer is no. */
export async function trustProject(
  path: string | undefined,
  options: TrustOptions,
  terminal: Terminal,
): Promise<number> {
  const { home } = setupOf(terminal).paths;
  const start = resolve(terminal.cwd, path ?? ".");
  const folder = await findLocal(start, home, userHome(terminal.env));
  if (options.revoke) return revoke(home, folder ?? start, options, terminal);
  if (folder === undefined)
    throw new MemoirError("plugin_not_found", `No project brings plugins at or above ${start}.`, {
      fix: "A project's plugins are files or folders in its `.memoir/plugins`.",
    });
  const snapshot = await takeSnapshot(folder);
  const before = (await readTrust(home)).folders[folder];
  // They run for the project that brings them, from whichever folder this is said.
  const project = await projectOfFolder(ownerOf(folder));
  const files = printable(
    [...snapshot.files].map(([name, content]) => ({ name, bytes: content.length })),
  );
  const plugins = printable((await discoverPlugins(folder)).map(({ name }) => name));
  if (!options.json) {
    terminal.print(`${folder}, for the project ${printable(project.id)}:`);
    for (const { name, bytes } of files.slice(0, 50))
      terminal.print(`  ${oneLine(name)}  ${size(bytes)}`);
    if (files.length > 50) terminal.print(`  and ${files.length - 50} more`);
    terminal.print(`Plugins: ${plugins.join(", ")}. They run with your rights, as you do.`);
    if (before && before.hash !== snapshot.hash)
      terminal.print("They were allowed before, with other content.");
  }
  const isAllowed = before?.hash === snapshot.hash;
  const fix = "Read the files, then say it with `memoir plugin trust --yes`.";
  const question = "Did you read them, and shall they run?";
  if (!isAllowed && !(await agreed(question, options, terminal, { fix }))) {
    terminal.print("Nothing was changed; they do not run.");
    return 1;
  }
  await trustSnapshot(home, folder, snapshot, { project: project.id, now: terminal.now() });
  const { running, settings } = await putInForce(terminal);
  if (options.json) {
    const { hash } = snapshot;
    terminal.print(
      JSON.stringify({ folder, project: project.id, hash, plugins, files, running, settings }),
    );
    return 0;
  }
  terminal.print(
    `Trusted. Any change to a file there stops them until you say so again.${running ? "" : " They run once the server does."}`,
  );
  return 0;
}

async function revoke(
  home: string,
  folder: string,
  options: TrustOptions,
  terminal: Terminal,
): Promise<number> {
  const revoked = await untrust(home, folder);
  if (revoked) await reloadServer();
  if (options.json) terminal.print(JSON.stringify({ folder, revoked }));
  else
    terminal.print(
      revoked ? `${folder} is trusted no longer.` : `${folder} was not trusted; nothing changed.`,
    );
  return 0;
}
