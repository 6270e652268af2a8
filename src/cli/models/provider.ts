// `memoir provider list | test | key`: which models may be asked, whether they answer, and the keys they are asked with; and what models did and cost, in lines.
import { withoutName } from "../../health/server-checks.ts";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { readKeys } from "../../provider/keys.ts";
import type { ProviderState } from "../../runtime/budget/breaker.ts";
import type { UsageReport, UsageRow, UsageSum } from "../../runtime/budget/ledger.ts";
import { readConfig, storeKey } from "../../runtime/config/config.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import { slotOrders } from "../../runtime/plugins/registry.ts";
import type { ModelsStatus } from "../../runtime/status-schema.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import { reloadServer } from "../plugins/after-change.ts";
import { ifRunning, server } from "../server/client.ts";
import { setupOf } from "../setup/setup.ts";
import { ago, columns } from "../terminal/layout.ts";
import { inJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface JsonOption {
  json?: boolean;
}

/** A provider as a list shows it. */
interface ListedProvider {
  name: string;
  description: string;
  /** 1 for the first that is asked; null when config does not name it. */
  place: number | null;
  model: string | null;
  /** Where its key comes from; whether it needs one is its own business. */
  key: "stored" | "environment" | null;
  /** How it fares, as far as the server knows. */
  state: string;
}

/** Lists every provider there is. Gives 0. */
export async function listProviders(options: JsonOption, terminal: Terminal): Promise<number> {
  const { paths } = setupOf(terminal);
  const { config } = await readConfig(paths.home);
  const order = slotOrders(config).provider;
  const keys = await readKeys(paths.home);
  const fares = (await modelStatus())?.providers ?? [];
  const { plugins } = await describePlugins(paths.home, terminal.env);
  const listed = withoutPasswordsDeep(
    plugins
      .filter(({ slots, fills }) => slots.includes("provider") || fills.includes("provider"))
      .map(({ name, description, source }): ListedProvider => {
        const place = order.findIndex((reference) => reference === name || reference === source);
        const { model, keyEnv } = config.plugins[name] ?? {};
        const state = fares.find((provider) => provider.name === name);
        const fromEnvironment = typeof keyEnv === "string" && terminal.env[keyEnv] !== undefined;
        return {
          name,
          description,
          place: place === -1 ? null : place + 1,
          model: state?.model ?? (typeof model === "string" ? model : null),
          key: fromEnvironment ? "environment" : keys[name] ? "stored" : null,
          state: state ? providerWord(state, terminal.now()) : "",
        };
      })
      .sort((a, b) => (a.place ?? 99) - (b.place ?? 99)),
  );
  if (inJson({ providers: listed }, options, terminal)) return 0;
  const { green, dim, bold } = terminal.colors;
  const rows = listed.map(({ name, place, model, key, state, description }) => [
    place === null ? dim("○") : green(`${place}`),
    bold(name),
    place === null ? dim("not in use") : [state, model].filter(Boolean).join(", ") || "in use",
    key === null ? "" : `key: ${key}`,
    dim(description),
  ]);
  for (const line of columns(rows)) terminal.print(line);
  if (order.every((name) => name === "none"))
    terminal.print(
      dim("\nNo model is used. `memoir config set slots.provider <name>` changes that."),
    );
  return 0;
}

/** Asks one provider, or every one that config names, for a word. Gives 1 when one failed. */
export async function testProviders(
  name: string | undefined,
  options: JsonOption,
  terminal: Terminal,
): Promise<number> {
  const { tests } = await server.post("/api/provider/test", {
    body: name === undefined ? {} : { provider: name },
    timeoutMs: 300_000,
  });
  const failed = tests.some(({ ok }) => !ok);
  if (inJson({ tests }, options, terminal)) return failed ? 1 : 0;
  if (tests.length === 0)
    throw new MemoirError("provider_none", "No provider is set, so there is nothing to test.", {
      fix: "Name it: `memoir provider test anthropic`; `memoir provider list` shows all.",
    });
  const { green, red, cyan } = terminal.colors;
  for (const test of tests) {
    if (test.ok) {
      const took = `${(test.ms / 1_000).toFixed(1)} s, ${plural(test.tokens, "token")}`;
      terminal.print(`${green("✓")} ${test.provider}: ${test.model} answered (${took}).`);
    } else {
      terminal.print(
        `${red("✗")} ${test.provider}: ${withoutName(test.error.message, test.provider)}`,
      );
      terminal.print(`  ${cyan("fix:")} ${test.error.fix}`);
    }
  }
  return failed ? 1 : 0;
}

async function modelStatus(): Promise<ModelsStatus | undefined> {
  const status = await ifRunning(server.get("/api/status", { start: false, timeoutMs: 5_000 }));
  return status?.models;
}

// `memoir provider key`: stores a provider's key, from a prompt that does not echo or from stdin; never shows one.

interface KeyOptions {
  remove?: boolean;
  json?: boolean;
}

/** Built-in providers that never look for a key. */
const keyless: ReadonlySet<string> = new Set(["none", "claude-cli"]);

/** Stores or removes the key of a provider. Throws `usage` for what cannot be a key. */
export async function providerKey(
  name: string,
  options: KeyOptions,
  terminal: Terminal,
): Promise<number> {
  const { paths } = setupOf(terminal);
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new MemoirError("usage", `"${name}" is no provider's name.`, {
      fix: "Use a name that `memoir provider list` shows.",
    });
  // A key that was stored under a wrong name can still be taken out.
  if (!options.remove) await requireProvider(paths.home, name, terminal);
  const key = options.remove ? undefined : await askForKey(name, terminal);
  const wasStored = await storeKey(paths, name, key);
  await reloadServer();
  if (inJson({ provider: name, stored: key !== undefined }, options, terminal)) return 0;
  terminal.print(
    key === undefined
      ? wasStored
        ? `The key of ${name} is removed.`
        : `No key of ${name} was stored.`
      : `The key of ${name} is stored in ${paths.keys}, which only you can read.`,
  );
  if (key !== undefined) terminal.print(`Try it with   memoir provider test ${name}`);
  return 0;
}

/** Throws `usage` for a name that no provider bears. */
async function requireProvider(home: string, name: string, terminal: Terminal): Promise<void> {
  const { plugins } = await describePlugins(home, terminal.env);
  const known = plugins
    .filter(({ slots, fills }) => slots.includes("provider") || fills.includes("provider"))
    .map((plugin) => plugin.name);
  if (keyless.has(name))
    throw new MemoirError("usage", `${name} needs no key.`, {
      fix: `\`memoir config set slots.provider ${name}\` is all.`,
    });
  if (known.includes(name)) return;
  const near = nearest(name, known);
  throw new MemoirError("usage", `There is no provider "${name}".`, {
    fix: near
      ? `Did you mean ${near}?`
      : `A key is for one of ${known.filter((one) => !keyless.has(one)).join(", ")}.`,
  });
}

async function askForKey(name: string, terminal: Terminal): Promise<string> {
  const key = (await terminal.secret(`Key for ${name}: `)).trim();
  if (key === "")
    throw new MemoirError("usage", "No key was given.", {
      fix: `Type it at the prompt, or send it: \`memoir provider key ${name} < file\`.`,
    });
  if (/\s|[^\x21-\x7e]/.test(key) || key.length > 4_096)
    throw new MemoirError(
      "usage",
      "That is no key: it has blanks, line breaks or odd characters.",
      {
        fix: "Give the key alone, on one line.",
      },
    );
  return key;
}

// Lines about models for people: how a provider fares, what is left of the budget, what calls took.

/** `answered 3m ago`, `not asked yet`, `paused for 40 s`, … */
export function providerWord({ state, at, pausedUntil }: ProviderState, now: number): string {
  if (state === "untried") return "not asked yet";
  if (state === "works") return `answered ${ago(at ?? now, now)}`;
  if (state === "failing") return `failed ${ago(at ?? now, now)}`;
  return `paused for ${Math.max(1, Math.ceil(((pausedUntil ?? now) - now) / 1_000))} s`;
}

/** What `status` says: which provider, why, and the day's budget. Nothing where none is set. */
export function modelLines(status: ModelsStatus, now: number): string[] {
  const { providers, inForce, budget } = status;
  if (providers.length === 0) return ["none asked (`memoir provider list`)"];
  const lines = providers.map((provider, at) => {
    const { name, model, error } = provider;
    const role = name === inForce ? (at === 0 ? "in force" : "in use, those before it fail") : "";
    const about = [model, providerWord(provider, now), role].filter(Boolean).join(", ");
    return `${name}: ${about}${error ? `; ${withoutName(error.message, name)}` : ""}`;
  });
  if (status.error) return [...lines, `none asked: ${status.error.message}`];
  const used = budget.usedToday.toLocaleString("en");
  lines.push(`${used} of ${budget.dailyTokens.toLocaleString("en")} tokens used today`);
  const { monthlyDollars, spentThisMonth = 0 } = budget;
  if (monthlyDollars !== undefined)
    lines.push(`$${spentThisMonth.toFixed(2)} of $${monthlyDollars} spent this month`);
  return lines;
}

/** `memoir memory stats`' part about model calls: tables by day, project, model and purpose. */
export function usageLines({ total, ...tables }: UsageReport, width?: number, most = 14): string[] {
  if (total.calls === 0) return ["  none"];
  const titles = {
    byDay: "day",
    byProject: "project",
    byModel: "model",
    byPurpose: "purpose",
  } as const;
  const header = ["calls", "failed", "input", "output", "cache read", "cache write", "cost"];
  const lines = [
    `  ${plural(total.calls, "call")}, ${total.tokens.toLocaleString("en")} tokens, ${money(total)} (estimated from list prices)`,
  ];
  for (const [name, title] of Object.entries(titles)) {
    const rows = tables[name as keyof typeof titles];
    lines.push(
      "",
      ...columns([[`By ${title}`, ...header], ...rows.slice(0, most).map(cells)], width),
    );
    if (rows.length > most) lines.push(`and ${rows.length - most} more`);
  }
  return lines;
}

function cells(row: UsageRow): string[] {
  const { calls, failed, input, output, cacheRead, cacheWrite } = row;
  const counts = [calls, failed, input, output, cacheRead, cacheWrite];
  return [row.key || "(none)", ...counts.map((count) => count.toLocaleString("en")), money(row)];
}

/** `$0.0123`; `at least` where the price of some calls is not known. */
export function money({ cost, unpriced }: Pick<UsageSum, "cost" | "unpriced">): string {
  if (unpriced > 0 && cost === 0) return "unknown";
  const tiny = cost > 0 && cost < 0.00005;
  const amount = tiny ? "<$0.0001" : `$${cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`;
  return unpriced > 0 ? `at least ${amount}` : amount;
}
