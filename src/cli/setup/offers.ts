// What `install` offers a person: a model that may be asked, and to read the sessions that clients wrote down before.

import { discoverOf, sessionFolders } from "../../backfill/plan.ts";
import { clientNamed } from "../../clients/index.ts";
import { readConfig, setConfigValue } from "../../runtime/config/config.ts";
import { cut, plural } from "../../text/text.ts";
import { backfill } from "../history/backfill.ts";
import { testProviders } from "../models/provider.ts";
import { providerKey } from "../models/provider-key.ts";
import { putInForce } from "../plugins/after-change.ts";
import { reportError } from "../terminal/report-error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { setupOf } from "./setup.ts";

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
    terminal.print(`"${cut(answer, 20)}" is none of them: write 1 to ${last}, or Enter for 1.`);
  }
  return undefined;
}

/**
 * Asks which model may be asked, unless config says so already; the choice is written to config and tried. What goes wrong
 * is shown and does not undo the install.
 */
export async function offerModel(terminal: Terminal): Promise<void> {
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
    "May memoir ask a model? Without one everything works; with one its notes get better.",
  );
  terminal.print("  1  no model (Enter)");
  for (const [at, { text, provider: name }] of choices.entries())
    terminal.print(`  ${at + 2}  ${text} ${terminal.colors.dim(`(${name})`)}`);
  const chosen = await choiceOf(terminal);
  if (!chosen) {
    terminal.print("No model is asked. `memoir provider --help` says how to change that.");
    return;
  }
  if (chosen.key) await providerKey(chosen.provider, {}, terminal);
  await setConfigValue(home, "slots.provider", chosen.provider);
  await putInForce(terminal);
  await testProviders(chosen.provider, {}, terminal);
  terminal.print(
    "`budget.dailyTokens` limits what it may take, `memoir memory stats` shows what it took.",
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
    if (!(await terminal.confirm("Read them into memory now? Nothing leaves this machine.")))
      return true;
    return (await backfill([], { provider: "none", yes: true }, terminal)) !== 0;
  } catch (error) {
    reportError(error, terminal, false);
    return true;
  }
}
