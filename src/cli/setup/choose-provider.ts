// What `install` offers a person: which model may be asked, if any. Enter means none.
import { readConfig, setConfigValue } from "../../runtime/config/config.ts";
import { cut } from "../../text/text.ts";
import { testProviders } from "../models/provider.ts";
import { providerKey } from "../models/provider-key.ts";
import { registerAgain, reloadServer } from "../plugins/after-change.ts";
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

/** Asks unless config says already who is asked. The choice is written to config and tried. */
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
  await reloadServer();
  await registerAgain(terminal);
  await testProviders(chosen.provider, {}, terminal);
  terminal.print(
    "`budget.dailyTokens` limits what it may take, `memoir memory stats` shows what it took.",
  );
}
