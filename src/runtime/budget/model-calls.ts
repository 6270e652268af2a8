// The one way to a model: within the budget, past providers that do not work, counted to the token.
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Completion, CompletionRequest } from "../../sdk/provider.ts";
import { totalTokens } from "../../sdk/provider.ts";
import { localClock } from "../../text/text.ts";
import type { LoadPlugin } from "../builtins.ts";
import type { Config } from "../config/config.ts";
import { createNotices, type Notices } from "../events/event-way.ts";
import { createHooks } from "../hooks/hooks.ts";
import type { Journal } from "../journal/journal.ts";
import { checkSlots, optionsOf } from "../plugins/check-plugin.ts";
import type { Generation } from "../plugins/generations.ts";
import { startInstance } from "../plugins/instance.ts";
import { loadPlugin } from "../plugins/load-plugin.ts";
import { type Registry, slotOrders } from "../plugins/registry.ts";
import type { Hooks } from "../ports.ts";
import type { ModelsStatus } from "../status-schema.ts";
import { createBreaker, faults } from "./breaker.ts";
import type { Ledger, Limits, UsageQuery, UsageReport } from "./ledger.ts";
import { openLedger } from "./ledger.ts";
import { estimateCost, type Price } from "./prices.ts";

/** `budget` in config. */
interface BudgetConfig extends Limits {
  /** By the beginning of a model's id. */
  prices: Readonly<Record<string, Partial<Price>>>;
}

interface ModelCallsDeps {
  /** Undefined when the file cannot be used: then no model is asked, for nothing could be counted. */
  ledger: Ledger | undefined;
  budget: () => BudgetConfig;
  /** The providers' names, in the order in which they are asked; `none` left out. */
  order: () => readonly string[];
  /** `Project.id` of a client session; undefined when it is not known. */
  projectOf: (session: string) => string | undefined;
  log: Log;
  now: () => number;
}

/** How a call differs from a usual one. */
interface AskOptions {
  /** Also asks a provider that is paused: somebody wants to know whether it works now. */
  paused?: boolean;
  /** Ends the call early: whoever asked is gone, or waits no longer. */
  signal?: AbortSignal;
}

interface ModelCalls {
  /** Asks the provider slot of `hooks` for `plugin`. Rejects with a MemoirError that says what can be done. */
  complete(
    hooks: Hooks,
    plugin: string,
    request: CompletionRequest,
    how?: AskOptions,
  ): Promise<Completion>;
  readonly notices: Notices;
  status(): ModelsStatus;
  /** Config or a key changed: every provider is worth a try again. */
  reset(): void;
  /** Ends calls that are under way; they reject, and their work is taken up at the next start. */
  stop(): void;
}

/** Nothing is asked until `complete`. Long because reserving, calling and settling one call share what it may take. */
export function createModelCalls(deps: ModelCallsDeps): ModelCalls {
  const { ledger, budget, order, now } = deps;
  const breaker = createBreaker(now);
  const notices = createNotices();
  const warnings = createWarnings(deps, notices);
  const ending = new AbortController();

  function begin(known: Ledger, plugin: string, request: CompletionRequest): number {
    const { purpose, session } = request;
    const project = request.project ?? deps.projectOf(session) ?? "";
    const reserve = tokensAtMost(request);
    try {
      return known.begin({ purpose, plugin, session, project, reserve }, budget());
    } catch (error) {
      if (error instanceof MemoirError) warnings.limit(error, session);
      throw error;
    }
  }

  /** Asks the providers in their order; what became of it is settled in the ledger under `id`. */
  async function ask(
    hooks: Hooks,
    request: CompletionRequest,
    { id, known, paused = false, signal: own }: { id: number; known: Ledger } & AskOptions,
  ): Promise<Completion> {
    const signal = own ? AbortSignal.any([ending.signal, own]) : ending.signal;
    const failures: MemoirError[] = [];
    let provider: string | null = null;
    const failed = (name: string, error: unknown) => {
      provider = name;
      const failure = asMemoirError(error);
      failures.push(failure);
      // Our own stop is nobody's fault.
      if (!signal.aborted && breaker.failed(name, failure)) warnings.lasting(name, failure);
    };
    const skip = (name: string) => {
      const pause = paused ? undefined : breaker.paused(name);
      if (pause) failures.push(pause);
      return pause !== undefined;
    };
    try {
      const how = { skip, failed, signal };
      const answer = await hooks.first("complete", request, how);
      if (!answer) throw mostTelling(failures);
      const { model, usage } = answer.result;
      breaker.worked(answer.plugin, model);
      const cost = estimateCost(model, usage, budget().prices);
      known.end(id, { provider: answer.plugin, model, usage, cost });
      return answer.result;
    } catch (error) {
      const telling = failures.length > 0 ? mostTelling(failures) : error;
      const code = telling instanceof MemoirError ? telling.code : "internal";
      const spent = failures.some((failure) => faults[failure.code]?.maySpend)
        ? tokensAtMost({ ...request, maxTokens: 0 })
        : 0;
      known.end(id, { provider, error: code, spent });
      throw telling;
    }
  }

  return {
    notices,
    async complete(hooks, plugin, request, how = {}) {
      if (order().length === 0 && !how.paused)
        throw new MemoirError("provider_none", "no model provider is set");
      if (!ledger) throw uncounted();
      const id = begin(ledger, plugin, request);
      return await ask(hooks, request, { ...how, id, known: ledger });
    },
    status() {
      const { dailyTokens, sessionTokens, monthlyDollars } = budget();
      const month = { spentThisMonth: ledger?.spentThisMonth() ?? 0 };
      const used = { day: localClock.day(now()), usedToday: ledger?.usedToday() ?? 0 };
      const providers = order().map((name) => breaker.state(name));
      return {
        providers,
        inForce: ledger ? (providers.find(({ state }) => state !== "paused")?.name ?? null) : null,
        budget: {
          ...{ dailyTokens, sessionTokens, ...used },
          ...(monthlyDollars !== undefined && { monthlyDollars, ...month }),
        },
        ...(!ledger && { error: { message: uncounted().message, fix: uncounted().fix } }),
      };
    },
    reset: () => breaker.reset(),
    stop: () =>
      ending.abort(
        new MemoirError("provider_connection", "The server stopped during the call.", {
          fix: "Nothing to do: the work is taken up when the server starts next.",
          retryAfterMs: 0,
        }),
      ),
  };
}

/** What the user hears once of a limit, and once a day of a provider that wants a person. */
function createWarnings({ ledger, budget, order, log, now }: ModelCallsDeps, notices: Notices) {
  return {
    limit(error: MemoirError, session: string): void {
      const ofSession = error.code === "budget_session";
      const day = localClock.day(now());
      const key = ofSession ? `session ${session}` : `day ${day}`;
      const ofMonth = error.code === "budget_month";
      if (!ledger?.isNews(`${error.code} ${ofMonth ? day.slice(0, 7) : key}`)) return;
      log.warn("A budget is used up; the heuristic continues without a model.", { error });
      const { dailyTokens, sessionTokens, monthlyDollars } = budget();
      const tokens = (limit: number) => `${limit.toLocaleString("en")} tokens`;
      const [whose, limit, setting] = ofMonth
        ? ["this month's", `$${monthlyDollars}`, "budget.monthlyDollars"]
        : ofSession
          ? ["this session's", tokens(sessionTokens), "budget.sessionTokens"]
          : ["today's", tokens(dailyTokens), "budget.dailyTokens"];
      notices.add(
        `memoir: ${whose} model budget (${limit}, ${setting}) is used up; observations continue without a model.`,
        ofSession ? session : undefined,
      );
    },
    lasting(provider: string, error: MemoirError): void {
      if (faults[error.code]?.isUnset && order().length > 1) return;
      if (!ledger?.isNews(`${provider} ${error.code} ${localClock.day(now())}`)) return;
      notices.add(`memoir: ${error.message} Observations continue without it. ${error.fix}`);
    },
  };
}

function asMemoirError(error: unknown): MemoirError {
  return error instanceof MemoirError
    ? error
    : new MemoirError("plugin_failed", errorMessage(error));
}

/** What is thrown where the ledger's file cannot be used. */
function uncounted(): MemoirError {
  return new MemoirError("budget_unknown", "Calls to a model cannot be counted here.");
}

/** Of several failures: one worth another try, else one that is more than "not set up", else the first. */
function mostTelling(failures: readonly MemoirError[]): MemoirError {
  return (
    failures.find(({ retryAfterMs }) => retryAfterMs !== undefined) ??
    failures.find(({ code }) => !faults[code]?.isUnset) ??
    failures[0] ??
    new MemoirError("provider_none", "no model provider is set")
  );
}

/** What a provider adds to a prompt of its own. */
const overhead = 500;

/** Half the prompt's bytes (no tokenizer in use makes more tokens of text or code), and all that may be answered. */
function tokensAtMost({ system, messages, schema, maxTokens }: CompletionRequest): number {
  const texts = [system, ...messages.map(({ content }) => content)];
  if (schema) texts.push(JSON.stringify(schema));
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  return Math.ceil(bytes / 2) + overhead + maxTokens;
}

// Puts the room together: the ledger, the way to a model, and what the server tells of both.

interface ModelsDeps {
  home: string;
  userHome: string;
  /** The ledger's file. */
  path: string;
  log: Log;
  now: () => number;
  builtins: Readonly<Record<string, LoadPlugin>>;
  journal: Pick<Journal, "rows" | "state">;
  /** The plugins in force; asked only once they have started. */
  current: () => Generation;
}

export interface Models {
  calls: ModelCalls;
  /** Throws `budget_unknown` when calls cannot be counted. */
  usage(query: UsageQuery): UsageReport;
  /** Tries one provider, or every one that config names. */
  test(name?: string): Promise<ProviderTest[]>;
  close(): void;
}

/** Never rejects: without a usable file no model is asked, and everything else goes on. */
export async function openModels(deps: ModelsDeps): Promise<Models> {
  const { path, log, now, journal, current } = deps;
  let ledger: Ledger | undefined;
  try {
    ledger = await openLedger(path, { now, log });
  } catch (error) {
    log.error("Calls to models cannot be counted, so none is asked.", { file: path, error });
  }

  function projectOf(session: string): string | undefined {
    const row = journal.rows(session)[0];
    return row === undefined ? undefined : journal.state(row)?.project.id;
  }

  /** A plugin that was dropped in is known by its name only where its file is. */
  function referenceOf(name: string): string {
    return current().registry.infos.find((info) => info.name === name)?.source ?? name;
  }

  const calls = createModelCalls({
    ledger,
    budget: () => current().file.config.budget,
    order: () => providersOf(current().registry),
    projectOf,
    log,
    now,
  });

  return {
    calls,
    usage(query) {
      if (ledger) return ledger.report(query);
      throw uncounted();
    },
    async test(name) {
      const { config } = current().file;
      const names =
        name === undefined
          ? slotOrders(config).provider.filter((reference) => reference !== "none")
          : [name];
      const tests: ProviderTest[] = [];
      for (const one of names)
        tests.push(await testProvider(referenceOf(one), { ...deps, config, calls }));
      return tests;
    },
    close: () => ledger?.close(),
  };
}

/** Names of the running providers in their order; `none` only says that there is none. */
function providersOf({ running }: Registry): string[] {
  return running
    .flatMap(({ plugin, fills }) =>
      fills.provider === undefined ? [] : [{ name: plugin.name, place: fills.provider }],
    )
    .filter(({ name }) => name !== "none")
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name);
}

// Tries a provider with one tiny call, whether or not a slot names it.

/** How a provider answered. */
type ProviderTest =
  | { provider: string; ok: true; model: string; ms: number; tokens: number }
  | { provider: string; ok: false; error: { code: string; message: string; fix: string } };

interface TestDeps {
  home: string;
  userHome: string;
  log: Log;
  now: () => number;
  builtins: Readonly<Record<string, LoadPlugin>>;
  config: Config;
  calls: ModelCalls;
}

/** Starts the plugin anew, asks it, stops it. Never rejects. */
async function testProvider(reference: string, deps: TestDeps): Promise<ProviderTest> {
  const { home, log, now, builtins, config, calls } = deps;
  const begun = now();
  try {
    const loaded = await loadPlugin(reference, builtins, deps);
    const { name } = loaded.plugin;
    checkSlots(loaded.plugin, { provider: 0 });
    const options = optionsOf(config.plugins[name]);
    const hooks = () => undefined;
    const { plugin, context, state, stop } = await startInstance(loaded, options, {
      home,
      log,
      now,
      hooks,
    });
    try {
      const running = { plugin, fills: { provider: 0 }, context, state };
      const request = {
        system: "You answer with one word.",
        messages: [{ role: "user" as const, content: "Say: ready" }],
        maxTokens: 64,
        purpose: "test",
        session: `test-${crypto.randomUUID()}`,
        project: "",
      };
      const only = createHooks([running], { log, now });
      const { model, usage } = await calls.complete(only, "memoir", request, { paused: true });
      const tokens = totalTokens(usage);
      return { provider: name, ok: true, model, ms: now() - begun, tokens };
    } finally {
      await stop();
    }
  } catch (error) {
    const own =
      error instanceof MemoirError ? error : new MemoirError("internal", errorMessage(error));
    const { code, message, fix } = own;
    return { provider: reference, ok: false, error: { code, message, fix } };
  }
}
