// `memoir install [clients…]`: the binary into memoir's home, memoir into clients' settings, the server into life.

import { discoverOf, sessionFolders } from "../../backfill/plan.ts";
import type { Client } from "../../clients/adapter.ts";
import { claudeCode, clientNamed } from "../../clients/index.ts";
import { prepareHome } from "../../home/make-home.ts";
import { placeBinary } from "../../install/place-binary.ts";
import { readConfig, setConfigValue } from "../../runtime/config/config.ts";
import { cut, plural } from "../../text/text.ts";
import { backfill } from "../history/backfill.ts";
import { providerKey, testProviders } from "../models/provider.ts";
import { putInForce } from "../plugins/after-change.ts";
import { stopServer } from "../server/start-stop.ts";
import { agreed, sayDone } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { reportError } from "../terminal/terminal.ts";
import {
  type InstallOptions,
  intentionsOf,
  planClaudeCode,
  printPlan,
  printRegistered,
  registerClaudeCode,
} from "./claude-code.ts";
import {
  type ClientDone,
  chosenClients,
  clientsReport,
  intentions,
  othersHere,
  planClients,
  printDone,
  printPlans,
  registerClients,
} from "./clients.ts";
import { checkBinary, nameToType, sourceBinary, startServer } from "./installed-binary.ts";
import { setupOf } from "./setup.ts";

/**
 * Installs for the clients that are named, for all that are here, or for Claude Code. Gives exit code 0, or 1 when the
 * person at the terminal said no or a client could not be registered. Safe to repeat.
 */
export async function install(
  names: readonly string[],
  options: InstallOptions,
  terminal: Terminal,
): Promise<number> {
  const setup = setupOf(terminal);
  const { paths, binary } = setup;
  const chosen = await chosenClients(names, options.all, terminal);
  const source = await sourceBinary(options.binary, terminal.cwd);
  const own = chosen.claudeCode ? await planClaudeCode(options, setup, terminal) : undefined;
  const plans = await planClients(chosen.others, setup, terminal);
  const report = { home: paths.home, binary, ...own?.report, clients: clientsReport(plans) };
  if (options.dryRun) {
    if (options.json)
      terminal.print(JSON.stringify({ ...report, dryRun: true, diff: own?.change.diff }));
    else {
      terminal.print(`Would copy ${source} to ${binary}.`);
      if (own) printPlan(own, terminal);
      printPlans(plans, terminal);
      terminal.print("Nothing was changed.");
    }
    return 0;
  }

  const adds = intentions(plans);
  const asks = terminal.interactive && !options.yes && !options.json;
  if (asks && (own?.report.changed || adds.length > 0)) {
    const hooks = own ? ` and add its hooks to ${own.report.settings}` : "";
    terminal.print(`memoir will be installed in ${paths.home}${hooks}.`);
    for (const line of [...adds, ...(own ? intentionsOf(own) : [])]) terminal.print(line);
    if (!(await agreed("Continue?", options, terminal, { onEnter: true }))) {
      terminal.print("Nothing was changed.");
      return 1;
    }
  }

  await prepareHome(paths);
  const placed = await placeBinary(source, binary, (copy) => checkBinary(copy, source, terminal));
  const registered = own && (await registerClaudeCode(own, setup, terminal));
  const clients = await registerClients(plans, setup);
  const code = clients.some(({ problem }) => problem !== null) ? 1 : 0;
  // What runs must be what was installed, also where both say the same version.
  const isReplaced = placed === "copied" && (await stopServer(paths));
  const started = await startServer(setup, terminal);
  const server = isReplaced ? started.replace(/^started/, "restarted") : started;
  if (options.json) {
    const backup = registered && { backup: registered.backup ?? null };
    terminal.print(JSON.stringify({ ...report, clients, placed, ...backup, server }));
    return code;
  }

  const { dim } = terminal.colors;
  sayDone(
    `binary: ${binary}${placed === "copied" ? "" : ` ${dim("(was there already)")}`}`,
    terminal,
  );
  if (own && registered) printRegistered(own, registered, terminal);
  printDone(clients, terminal);
  sayDone(`server: ${server}`, terminal);
  if (asks) await offerModel(terminal);
  const unread = await offerHistory(terminal, asks);
  await sayWhoElse(chosen.others, terminal);
  terminal.print("");
  terminal.print(
    afterwards(own ? [claudeCode, ...chosen.others] : chosen.others, clients, terminal),
  );
  const name = nameToType(setup, terminal);
  terminal.print(`See its status       ${name} status`);
  terminal.print(`Look something up    ${name} search <words>`);
  if (unread) terminal.print(`Import old sessions  ${name} backfill`);
  terminal.print(`If nothing happens   ${name} doctor`);
  if (name !== "memoir")
    terminal.print(dim(`(Put ${paths.bin} into your PATH to write just \`memoir\`.)`));
  return code;
}

/** Clients that are here and were not asked for. */
async function sayWhoElse(asked: readonly Client[], terminal: Terminal): Promise<void> {
  const here = (await othersHere(terminal)).filter((client) => !asked.includes(client));
  if (here.length === 0) return;
  const titles = here.map(({ title }) => title).join(", ");
  const names = here.map(({ name }) => name).join(" ");
  terminal.print(`Also on this machine: ${titles}; \`memoir install ${names}\` adds memoir there.`);
}

/** What becomes of the work in these clients from now on; those that could not be registered are left out. */
function afterwards(
  wanted: readonly Client[],
  done: readonly ClientDone[],
  terminal: Terminal,
): string {
  const failed = new Set(done.flatMap(({ client, problem }) => (problem === null ? [] : client)));
  const clients = wanted.filter(({ name }) => !failed.has(name));
  if (clients.length === 0) return "No client runs memoir now, for the reasons above.";
  const titles = (way: "hooks" | "tools") =>
    clients.filter(({ abilities }) => abilities.way === way).map(({ title }) => title);
  const { bold } = terminal.colors;
  const heard = titles("hooks");
  return heard.length > 0
    ? `Work in ${joined(heard)} as usual; ${bold("the next session knows what this one did")}.`
    : `In ${joined(titles("tools"))} your agent can now look up what other agents did; its own work is not recorded.`;
}

function joined(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

// What `install` offers a person: a model that may be asked, and to read the sessions that clients wrote down before.

interface Choice {
  provider: string;
  text: string;
  /** Whether it asks for a key. */
  key: boolean;
}

const choices: readonly Choice[] = [
  { provider: "claude-cli", text: "Claude, with your Claude Code login", key: false },
  { provider: "anthropic", text: "Claude, with an API key of Anthropic's", key: true },
  { provider: "openai-compatible", text: "OpenAI, with an API key", key: true },
];

/** How often an answer that is none of the offered is asked about again. */
const mostAsked = 3;

/** Asks until the answer is one of those offered; undefined for none, and after too many that are not. */
async function choiceOf(terminal: Terminal): Promise<Choice | undefined> {
  const last = choices.length + 1;
  for (let asked = 0; asked < mostAsked; asked++) {
    const answer = (await terminal.ask("Your choice: ")).trim();
    if (answer === "" || answer === "1") return undefined;
    const chosen = /^\d$/.test(answer)
      ? choices[Number(answer) - 2]
      : choices.find(({ provider }) => provider === answer);
    if (chosen) return chosen;
    terminal.print(`"${cut(answer, 20)}" is not an option: type 1 to ${last}, or Enter for 1.`);
  }
  return undefined;
}

/**
 * Asks which model may be asked, unless config says so already; the choice is written to config and tried. What goes wrong
 * is shown and does not undo the install.
 */
async function offerModel(terminal: Terminal): Promise<void> {
  try {
    await chooseProvider(terminal);
  } catch (error) {
    reportError(error, terminal, false);
  }
}

/** Asks, writes the choice to config and tries it. */
export async function chooseProvider(terminal: Terminal): Promise<void> {
  const { home } = setupOf(terminal).paths;
  const { set, broken } = await readConfig(home);
  const { provider } = (set.slots ?? {}) as { provider?: unknown };
  if (broken || provider !== undefined) return;
  terminal.print("");
  terminal.print(
    "May memoir use a model? Everything works without one; with one its notes are better.",
  );
  terminal.print("  1  no model (Enter)");
  for (const [at, { text, provider: name }] of choices.entries())
    terminal.print(`  ${at + 2}  ${text} ${terminal.colors.dim(`(${name})`)}`);
  const chosen = await choiceOf(terminal);
  if (!chosen) {
    terminal.print("No model is used. `memoir provider --help` explains how to change that.");
    return;
  }
  if (chosen.key) await providerKey(chosen.provider, {}, terminal);
  await setConfigValue(home, "slots.provider", chosen.provider);
  await putInForce(terminal);
  await testProviders(chosen.provider, {}, terminal);
  terminal.print(
    "`budget.dailyTokens` limits its tokens; `memoir memory stats` shows what it used.",
  );
}

/**
 * Asks a person whether to read recorded sessions now, without any model. True when recorded sessions are left that
 * were not read; what goes wrong is shown and does not undo the install.
 */
export async function offerHistory(terminal: Terminal, asks: boolean): Promise<boolean> {
  try {
    const found = await Promise.all(
      (await sessionFolders(terminal.env)).map(async ({ folder, client }) => {
        const { length } = (await discoverOf(folder, client)).sessions;
        return { title: clientNamed(client).title, length };
      }),
    );
    const having = found.filter(({ length }) => length > 0);
    if (having.length === 0) return false;
    if (!asks) return true;
    terminal.print("");
    for (const { title, length } of having)
      terminal.print(`${title} has ${plural(length, "recorded session")} on this disk.`);
    if (!(await terminal.confirm("Import them now? Nothing leaves this machine."))) return true;
    return (await backfill([], { provider: "none", yes: true }, terminal)) !== 0;
  } catch (error) {
    reportError(error, terminal, false);
    return true;
  }
}
