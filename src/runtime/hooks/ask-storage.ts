// Asks the storage in force; what storages of an earlier memoir do not know is empty there, what the user hid is kept from agents, and
// whoever looks on is told of changes. And what a plugin is given to ask with, and all sessions that storage has.
import { noData } from "../../home/database/plugin-data.ts";
import { isRebuildWanted } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import type { ApplyRequest, ApplyResult } from "../../sdk/change.ts";
import type { PluginContext, StorageClient } from "../../sdk/context.ts";
import type { EndlessClient } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type HookInput, type HookName, type HookOutput, hookKinds } from "../../sdk/hooks.ts";
import type { NewMemoryItem, Records, Session } from "../../sdk/model.ts";
import type { Completion, CompletionRequest } from "../../sdk/provider.ts";
import type { PutRequest } from "../../sdk/storage.ts";
import { within } from "../../sdk/within.ts";
import type { Journal } from "../journal/journal.ts";
import type { AdoptedSession } from "../journal/sessions.ts";
import type { Hooks, NoteChange } from "../ports.ts";

/** A hook that a storage answers. */
export type StorageHook = Extract<HookName, `storage.${string}`>;

/** Hooks that came later than others: a storage without them keeps nothing of the kind. */
const without: { readonly [Name in StorageHook]?: HookOutput<Name> } = { "storage.turns": [] };

/** What a storage without the hook cannot do. */
const unable: { readonly [Name in StorageHook]?: string } = {
  "storage.amend": "edit, pin or hide",
  "storage.projects": "join, split or rename projects",
  "storage.changes": "share memory",
  "storage.apply": "share memory",
};

/** Rejects with `storage_unanswered` when no storage answers, and with the storage's own error. */
export async function askStorage<Name extends StorageHook>(
  hooks: Pick<Hooks, "first">,
  name: Name,
  input: HookInput<Name>,
): Promise<HookOutput<Name>> {
  const answer = await hooks.first(name, input);
  if (answer) return answer.result;
  const empty: HookOutput<Name> | undefined = without[name];
  if (empty !== undefined) return empty;
  const cannot = unable[name];
  if (cannot !== undefined)
    throw new MemoirError("storage_unanswered", `The storage in use cannot ${cannot}.`, {
      fix: `Its author can add \`${name}\`; the built-in \`sqlite\` has it. Nothing was changed.`,
    });
  throw new MemoirError("storage_unanswered", `No storage plugin answers \`${name}\`.`);
}

/** What another memory forgot, by its identity, and up to which moment (epoch ms). */
export interface Heard {
  record: string;
  until: number;
}
/** Takes records out of everything else here, and keeps what was heard of from being made later. */
export type ForgetHeard = (ids: readonly string[], heard: readonly Heard[]) => Promise<unknown>;

/**
 * Has the storage take changes in. What they forget goes out of everything else here first, by `forget`, so that nothing makes it anew; a
 * crash after that leaves the rest to whoever asks again.
 */
export async function applyInAll(
  hooks: Pick<Hooks, "first">,
  request: ApplyRequest,
  forget: ForgetHeard | undefined,
): Promise<ApplyResult> {
  const { changes = [], unnumbered = [], dryRun = false } = request;
  const isForget = [...changes, ...unnumbered].some(({ kind }) => kind === "forget");
  const would =
    isForget && !dryRun && (await askStorage(hooks, "storage.apply", { ...request, dryRun: true }));
  const gone = would ? would.gone : [];
  if (would) {
    const refused = new Set(would.refused.map(({ replica, number }) => `${replica} ${number}`));
    const taken = changes.filter(({ replica, number }) => !refused.has(`${replica} ${number}`));
    const heard = [...taken, ...unnumbered].flatMap(({ kind, record, body }) =>
      kind === "forget" ? { record, until: Number(body.until) } : [],
    );
    await forget?.(gone, heard);
  }
  const result = await askStorage(hooks, "storage.apply", request);
  return { ...result, gone: [...new Set([...gone, ...result.gone])] };
}

/** The same hooks, which tell whoever looks on when they changed what storage has. */
export function watchedHooks(hooks: Hooks, changed: NoteChange): Hooks {
  return {
    ...hooks,
    async first(name, input, options) {
      const answer = await hooks.first(name, input, options);
      const isChange = changing.has(name) || ("change" in input && input.change !== undefined);
      if (answer && isChange) {
        const given = "records" in input ? input.records : {};
        const sessions = Array.isArray(given) ? [] : sessionsOf(given ?? {});
        if (sessions.length === 0) changed("records");
        for (const session of sessions) changed("records", session);
      }
      return answer;
    },
  };
}

const changing: ReadonlySet<HookName> = new Set([
  "storage.put",
  "storage.amend",
  "storage.delete",
] satisfies HookName[]);

/** Of a page of an import these may be many: then it is said of none. */
function sessionsOf({ sessions = [], ...records }: Records): string[] {
  const named = Object.values(records).flatMap((some = []) => some.map(({ session }) => session));
  const all = new Set([...named, ...sessions.map(({ id }) => id)]);
  return all.size > 8 ? [] : [...all];
}

/** Questions that answer records. */
const answersRecords: ReadonlySet<string> = new Set([
  "storage.get",
  "storage.search",
  "storage.observations",
  "storage.summaries",
  "storage.prompts",
  "storage.sessions",
  "storage.memory",
  "storage.turns",
] satisfies StorageHook[]);

/**
 * The one place that keeps from agents what the user hid: whoever shows them something asks through this, plugins as well as
 * tools. Only who says `hidden: true`, to know what it must not show, gets it.
 */
export function withoutHidden(hooks: Pick<Hooks, "first">): Pick<Hooks, "first"> {
  return {
    async first(name, input, options) {
      if (!answersRecords.has(name) || ("hidden" in input && input.hidden === true))
        return await hooks.first(name, input, options);
      const answer = await hooks.first(name, { ...input, hidden: false }, options);
      // A storage of somebody else's may not know the question, and mark them all the same.
      return Array.isArray(answer?.result)
        ? { ...answer, result: (answer.result as Marked[]).filter(isShown) as typeof answer.result }
        : answer;
    },
  };
}

/** A record, one with its kind, or a result of a search. */
interface Marked {
  hidden?: boolean;
  record?: { hidden?: boolean };
  marks?: string[];
}

function isShown({ hidden, record, marks = [] }: Marked): boolean {
  return !(hidden || record?.hidden || marks.includes("hidden"));
}

// The storage that a plugin is handed, for as long as the plugin runs: who reads on in the background must not meet a closed database.

/** Storage with an end. */
interface StorageForLife {
  storage: StorageClient;
  /** From now on every call is refused; resolves when those under way are answered. Never rejects. */
  end(): Promise<void>;
}

/** Passes all calls on to `storage` until its end. */
export function storageForLife(storage: StorageClient, plugin: string): StorageForLife {
  const underWay = new Set<Promise<unknown>>();
  let isOver = false;
  async function pass(ask: () => Promise<unknown>): Promise<unknown> {
    if (isOver)
      throw new MemoirError("plugin_failed", `plugin ${plugin} used storage after its stop`, {
        plugin,
        fix: "Its author can end in `stop` what it does in the background.",
      });
    const asking = ask();
    underWay.add(asking);
    try {
      return await asking;
    } finally {
      underWay.delete(asking);
    }
  }
  const methods = Object.entries(storage).map(([verb, ask]) => [
    verb,
    (input: never) => pass(() => ask(input)),
  ]);
  return {
    storage: Object.fromEntries(methods) as StorageClient,
    async end() {
      isOver = true;
      await Promise.allSettled(underWay);
    },
  };
}

// What a plugin is given as `ctx`: its config, a log under its name, and the storage and provider in force.

/** What contexts are made from. */
export interface ContextTools {
  home: string;
  log: Log;
  now: () => number;
  /** The hooks in force at the moment of a call; undefined while plugins start. */
  hooks: () => Hooks | undefined;
  /** What of memory items that a plugin found the user did not have forgotten; default: all. */
  itemsLeft?: (items: readonly NewMemoryItem[]) => NewMemoryItem[];
  /** Asks the provider slot; default: straight through the hook. */
  complete?: CompleteThrough;
  /** What strategies of Endless Mode are offered, under a plugin's name; default: nothing is known and nothing kept. */
  endless?: (plugin: string) => EndlessClient;
}

/** Asks the provider slot of `hooks` in a plugin's name. */
type CompleteThrough = (
  hooks: Hooks,
  plugin: string,
  request: CompletionRequest,
) => Promise<Completion>;

/** The context of one plugin, without state and signal, which belong to a call. */
export function bindContext(plugin: string, config: unknown, tools: ContextTools): PluginContext {
  const { home, log, now, hooks, complete = completeDirectly, endless } = tools;
  const storage = createStorageClient(() => withoutHidden(bound(hooks(), plugin)));
  return {
    plugin,
    config,
    log: log.child(`plugin.${plugin}`),
    home,
    now,
    storage: { ...storage, put: (request) => storage.put(leavingOut(request, tools)) },
    complete: async (request) => complete(bound(hooks(), plugin), plugin, request),
    data: noData(plugin),
    endless: endless?.(plugin) ?? nothingKept,
  };
}

function leavingOut(request: PutRequest, { itemsLeft }: ContextTools): PutRequest {
  const { memory } = request.records ?? {};
  if (!itemsLeft || !Array.isArray(memory)) return request;
  return { ...request, records: { ...request.records, memory: itemsLeft(memory) } };
}

const completeDirectly: CompleteThrough = async (hooks, _plugin, request) => {
  const answer = await hooks.first("complete", request);
  if (!answer) throw new MemoirError("provider_none", "no model provider answered");
  return answer.result;
};

/** Where no original can be kept, none may be taken out. */
const nothingKept: EndlessClient = {
  original: async () => undefined,
  keep: async () => false,
  kept: async () => undefined,
  note: async () => {},
  decide: async () => false,
  decided: async () => [],
  figures: async () => [],
  settled: async () => undefined,
};

const beginning = "storage.";

/** The storage in force: one method for each hook `storage.<verb>`. Each rejects when no storage answers. */
export function createStorageClient(hooks: () => Pick<Hooks, "first">): StorageClient {
  const verbs = (Object.keys(hookKinds) as StorageHook[]).filter((name) =>
    name.startsWith(beginning),
  );
  const methods = verbs.map((name) => [
    name.slice(beginning.length),
    async (input: never) => askStorage(hooks(), name, input),
  ]);
  return Object.fromEntries(methods) as StorageClient;
}

/** Actions wait for the start to be over: before it, nobody is there who could answer. */
function bound(hooks: Hooks | undefined, plugin: string): Hooks {
  if (hooks) return hooks;
  throw new MemoirError("plugin_failed", `plugin ${plugin} used storage or a model in its start`, {
    plugin,
    fix: "Use them in a hook's handler; while plugins start, none of them can answer.",
  });
}

// Every session that storage has, and the journal that goes on counting where they left off.

const page = 500;
/** A start, or an event that met a damaged journal, waits for storage at most so long. */
const storageWaitMs = 1_000;

/** The newest first. Rejects when storage failed. */
export async function allSessions(hooks: Pick<Hooks, "first">): Promise<Session[]> {
  const all: Session[] = [];
  for (let offset = 0; ; offset += page) {
    const query = { limit: page, offset, order: "newest" as const };
    const sessions = await askStorage(hooks, "storage.sessions", query);
    all.push(...sessions);
    if (sessions.length < page) return all;
  }
}

/** What the journal has to know of them. */
export function adoptedOf(sessions: readonly Session[]): AdoptedSession[] {
  return sessions.map(({ id: session, client, project, prompts, ...known }) => ({
    session,
    client,
    project,
    prompts,
    transcriptPath: known.transcriptPath,
    startedAt: known.startedAt,
    lastActiveAt: known.lastActiveAt,
  }));
}

/**
 * A journal that lost sessions, or was begun anew, counts their prompts from where storage has them: the next would take the
 * place of an earlier one. Never rejects; what storage cannot say now is said when what was lost is made again.
 */
export async function adoptSessions(
  home: string,
  hooks: Pick<Hooks, "first">,
  journal: Pick<Journal, "adopt" | "adoptFrom" | "knownSessions">,
): Promise<void> {
  const known = () =>
    within(storageWaitMs, allSessions(hooks).then(adoptedOf), []).catch((): AdoptedSession[] => []);
  journal.adoptFrom(known);
  if (isRebuildWanted(home) || journal.knownSessions().length === 0) journal.adopt(await known());
}
