// `memoir plugin trust`: lets the plugins that a project brings run, exactly as they are now.
import { resolve } from "node:path";
import { userHome } from "../../home/paths.ts";
import { discoverPlugins } from "../../runtime/plugins/find.ts";
import {
  findLocal,
  ownerOf,
  readTrust,
  takeSnapshot,
  trustSnapshot,
  untrust,
} from "../../runtime/plugins/project-plugins.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { oneLine } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { pluginCommands } from "../commands/plugins.ts";
import { projectOfFolder } from "../endless/scope.ts";
import { setupOf } from "../setup/setup.ts";
import { printable, size } from "../terminal/layout.ts";
import { agreed } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { putInForce, reloadServer } from "./after-change.ts";
import { declaredHooks, declaredLines, reachLines } from "./declared-hooks.ts";

type TrustOptions = OptionsOf<(typeof pluginCommands)["plugin"]["commands"]["trust"]>;

/** Shows what would run and asks; nothing of it is loaded before the answer. Gives 0, or 1 when the answer is no. */
export async function trustProject(
  path: string | undefined,
  options: TrustOptions,
  terminal: Terminal,
): Promise<number> {
  const { paths } = setupOf(terminal);
  const { home } = paths;
  const start = resolve(terminal.cwd, path ?? ".");
  const folder = await findLocal(start, paths, userHome(terminal.env));
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
  const found = await discoverPlugins(folder);
  const plugins = printable(found.map(({ name }) => name));
  if (!options.json) {
    terminal.print(`${folder}, for the project ${printable(project.id)}:`);
    for (const { name, bytes } of files.slice(0, 50))
      terminal.print(`  ${oneLine(name)}  ${size(bytes)}`);
    if (files.length > 50) terminal.print(`  and ${files.length - 50} more`);
    terminal.print(`Plugins: ${plugins.join(", ")}. They run with your rights, as you do.`);
    for (const { name, folder: own } of found) {
      terminal.print(`${printable(name)}:`);
      for (const line of [...declaredLines(await declaredHooks(own)), ...(await reachLines(own))])
        terminal.print(`  ${line.trim()}`);
    }
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
