// `memoir install <client>…` where Claude Code is not among them.
import { prepareHome } from "../../home/make-home.ts";
import { placeBinary } from "../../install/place-binary.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { stopServer } from "../server/stop.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Chosen, clientsReport, planClients, registerClients } from "./clients.ts";
import { checkBinary, nameToType, startServer } from "./installed-binary.ts";
import { afterwards, intentions, printDone, printPlans } from "./say-clients.ts";
import { setupOf, sourceBinary } from "./setup.ts";

/** Installs for these clients only; gives 0, or 1 when the person said no or a client could not be registered. */
export async function installOthers(
  chosen: Chosen["others"],
  options: InstallOptions,
  terminal: Terminal,
): Promise<number> {
  const setup = setupOf(terminal);
  const { paths, binary } = setup;
  const source = await sourceBinary(options.binary, terminal.cwd);
  const plans = await planClients(chosen, setup, terminal);
  const report = { home: paths.home, binary, clients: clientsReport(plans) };
  if (options.dryRun) {
    if (options.json) terminal.print(JSON.stringify({ ...report, dryRun: true }));
    else {
      terminal.print(`Would copy ${source} to ${binary}.`);
      printPlans(plans, terminal);
      terminal.print("Nothing was changed.");
    }
    return 0;
  }
  const changes = plans.some(({ changes }) => changes.some(({ diff }) => diff.length > 0));
  if (terminal.interactive && !options.yes && !options.json && changes) {
    terminal.print(`memoir will live in ${paths.home}.`);
    for (const line of intentions(plans)) terminal.print(line);
    if (!(await terminal.confirm("Go on?"))) {
      terminal.print("Nothing was changed.");
      return 1;
    }
  }
  await prepareHome(paths);
  const placed = await placeBinary(source, binary, (copy) => checkBinary(copy, source, terminal));
  const done = await registerClients(plans, setup);
  const replaced = placed === "copied" && (await stopServer(paths));
  const started = await startServer(setup, terminal);
  const server = replaced ? started.replace(/^started/, "restarted") : started;
  const code = done.some(({ problem }) => problem !== null) ? 1 : 0;
  if (options.json) {
    terminal.print(JSON.stringify({ ...report, clients: done, placed, server }));
    return code;
  }
  const { green, dim } = terminal.colors;
  const say = (text: string) => terminal.print(`${green("✓")} ${text}`);
  const there = dim("(was there already)");
  say(placed === "copied" ? `binary: ${binary}` : `binary: ${binary} ${there}`);
  printDone(done, terminal);
  say(`server: ${server}`);
  const { offerHistory } = await import("./offer-history.ts");
  const unread = await offerHistory(terminal, terminal.interactive && !options.yes);
  terminal.print("");
  terminal.print(afterwards(chosen, done, terminal));
  const name = nameToType(setup, terminal);
  terminal.print(`See it happen with   ${name} status`);
  if (unread) terminal.print(`Remember the past    ${name} backfill`);
  terminal.print(`If nothing happens   ${name} doctor`);
  return code;
}

// What `memoir install` can be told.

/** Its options. */
export type InstallOptions = OptionsOf<(typeof setupCommands)["install"]>;
