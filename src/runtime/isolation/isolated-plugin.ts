// The door of isolation: what a user's plugin is, asked in a worker that is thrown away, and the plugin as one that runs in a worker of its own.
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { isMigrated } from "../../home/database/plugin-data.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { memoirPaths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { version } from "../../home/version.ts";
import { isDeno } from "../../host/engine.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { HookFilter } from "../../sdk/handlers.ts";
import { type HookName, hookKinds } from "../../sdk/hooks.ts";
import type { OperationCaller } from "../../sdk/operation.ts";
import { type AnyPlugin, sdkVersion, slotNames } from "../../sdk/plugin.ts";
import { within } from "../../sdk/within.ts";
import { field } from "../../text/text.ts";
import { type Brings, BringsSchema } from "../hooks/parts.ts";
import { checkClients } from "../plugins/check-client.ts";
import { fingerprint } from "../plugins/find.ts";
import type { StrayInfo } from "../ports.ts";
import { whereThrown } from "./thrown.ts";
import type { Options } from "./wire.ts";
import { type PackedResponse, packRequest, unpackResponse } from "./wire.ts";
import {
  type CallContext,
  createPluginWorker,
  openThread,
  type PluginWorker,
} from "./worker-thread.ts";

/** A plugin's code, wherever it runs. */
export interface PluginCode {
  /** What it declares. Its handlers are there once it is bound. */
  plugin: AnyPlugin;
  /** Options by its own schema. Rejects when it cannot be asked. */
  check(options: Options): Promise<Checked>;
  /** The plugin with these options, ready to be started. */
  bind(options: Options, checked: Checked): BoundPlugin;
}

export interface BoundPlugin {
  plugin: AnyPlugin;
  /** What the host shows as its config. */
  config: unknown;
  /** Ends what a start that came to nothing has opened; absent where `stop` does. */
  abandon?(): void;
  /** Errors of it that nobody caught; absent where nobody can say whose they are. */
  stray?: (() => StrayInfo | undefined) | undefined;
}

/** Where a plugin is, and how long its modules may take to load. */
interface Subject {
  source: string;
  home: string;
  deadlineMs: number;
}

/** What a plugin is. Rejects with plugin_invalid, plugin_sdk_version or plugin_deadline. */
export async function describeIsolated(subject: Subject): Promise<Described> {
  return (await answersOf(subject, {})).described;
}

/** The plugin, without importing it here; `maxBytes` is what its worker may hold, `name` another name for it. Rejects as `describeIsolated`. */
export async function loadIsolated(
  subject: Subject & { maxBytes: number; name?: string | undefined },
): Promise<PluginCode> {
  const { source, maxBytes, name } = subject;
  const own = await describeIsolated(subject);
  const described = name === undefined ? own : { ...own, name };
  return {
    plugin: asPlugin(described, {}),
    async check(options) {
      const { checked } = await answersOf(subject, options);
      const path = (at: string) => at.replace(`plugins.${own.name}`, `plugins.${described.name}`);
      const problems = checked.problems.map((one) => ({ ...one, path: path(one.path) }));
      return { ...checked, problems };
    },
    bind(options, { config, deadlines }) {
      const plugin = described.name;
      const worker = createPluginWorker({ plugin, source, name, options, maxBytes });
      return {
        plugin: asPlugin(described, deadlines, worker),
        config: { ...(typeof config === "object" ? config : undefined) },
        abandon: worker.end,
        stray: worker.stray,
      };
    },
  };
}

/** A person or an agent waits for these: the worker is there before the first call. Others begin with it. */
function isWaitedFor(hook: HookName): boolean {
  return hook === "capture" || hook === "request" || hookKinds[hook] === "sequence";
}

function asPlugin(
  { name, description, sdk, slot, events, clients, hasStart, hooks, brings, places }: Described,
  deadlines: Checked["deadlines"],
  worker?: PluginWorker,
): AnyPlugin {
  const subscriptions = hooks.map(({ hook, deadlineMs, ...declared }) => [
    hook,
    {
      ...declared,
      deadlineMs: deadlineMs === "config" ? deadlines[hook] : deadlineMs,
      handler: (input: unknown, ctx: CallContext) => worker?.call(hook, input, ctx),
    },
  ]);
  const plugin = {
    name,
    description,
    sdk,
    ...(slot !== undefined && { slot }),
    ...(events !== undefined && { events }),
    ...(clients !== undefined && { clients }),
    hooks: Object.fromEntries(subscriptions),
    ...(brings && standIns(brings, worker)),
    places,
    /** One that only answers hooks is warmed up a little later. */
    async start(context: PluginContext) {
      if (!worker) return;
      const ready = worker.begin(context);
      const { data } = brings ?? {};
      // A migration that fails is the plugin's failed start; where there is none to run, its worker need not be there.
      const migrates = data && !(await isMigrated(data, memoirPaths(context.home), name));
      if (hasStart || migrates) await ready();
      else if (hooks.some(({ hook }) => isWaitedFor(hook))) warm(ready);
    },
    stop: () => worker?.stop(),
  };
  return plugin as unknown as AnyPlugin;
}

/** The parts of a plugin, each answered by its worker. */
function standIns(brings: Brings, worker: PluginWorker | undefined) {
  const ask = async (part: string, asked: object, ctx: CallContext): Promise<unknown> =>
    field(await worker?.call(part, asked, ctx), "answer");
  const each = <Of extends object>(
    all: Readonly<Record<string, Of>>,
    made: (name: string) => object,
  ) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, { ...one, ...made(name) }]));
  const { operations, routes, panels, schedules, ...data } = brings;
  return {
    ...data,
    ...(schedules && {
      schedules: each(schedules, (name) => ({
        run: (due: object, ctx: CallContext) => ask(`schedules.${name}`, due, ctx),
      })),
    }),
    ...(operations && {
      operations: each(operations, (name) => ({
        run: (input: object, { caller, ...ctx }: CallContext & { caller: OperationCaller }) =>
          ask(`operations.${name}`, { input, caller }, ctx),
      })),
    }),
    ...(routes && {
      async routes(request: Request, ctx: CallContext) {
        const answer = (await ask(
          "routes",
          { request: await packRequest(request) },
          ctx,
        )) as PackedResponse;
        return unpackResponse(answer, (step, stream) =>
          worker?.call(`routes.${step}`, { stream }, { signal: AbortSignal.timeout(chunkMs) }),
        );
      },
    }),
    ...(panels && {
      panels: each(panels, (name) => ({
        html: (ctx: CallContext) => ask(`panels.${name}`, {}, ctx),
      })),
    }),
  };
}

/** How long one piece of a route's answer may be waited for. */
const chunkMs = 30_000;

// Workers that nobody waits for are spawned one after the other, so that many plugins do not slow down a start.

let last: Promise<unknown> = Promise.resolve();

/** Does the work after all that was given before. What it rejects with is for whoever asks it again. */
function warm(work: () => Promise<unknown>): void {
  last = last.then(work).catch(() => undefined);
}

// What plugins said about themselves, kept on disk by the content of their files, so that nobody imports them to ask again.

const DescribedSchema = v.object({
  name: v.string(),
  description: v.string(),
  sdk: v.number(),
  slot: v.exactOptional(v.union([v.picklist(slotNames), v.array(v.picklist(slotNames))])),
  events: v.exactOptional(v.array(v.string())),
  clients: v.exactOptional(
    v.custom<NonNullable<AnyPlugin["clients"]>>((clients) => checkClients(clients).length === 0),
  ),
  hooks: v.array(
    v.object({
      hook: v.custom<HookName>((hook) => Object.hasOwn(hookKinds, String(hook))),
      order: v.exactOptional(v.picklist(["pre", "normal", "post"])),
      filter: v.exactOptional(v.custom<HookFilter>((filter) => typeof filter === "object")),
      /** Milliseconds; `config` when the plugin computes it from its config. */
      deadlineMs: v.exactOptional(v.union([v.number(), v.literal("config")])),
      /** `file:line` where the plugin's file names the hook; absent when it does not. */
      place: v.exactOptional(v.string()),
    }),
  ),
  /** What it brings beside hooks, and where its file names each part of that. */
  brings: v.exactOptional(BringsSchema),
  places: v.exactOptional(v.record(v.string(), v.string())),
  /** Its options as JSON schema; absent when it takes none. */
  config: v.exactOptional(v.record(v.string(), v.unknown())),
  hasStart: v.boolean(),
  /** How long its modules took to load. */
  importMs: v.number(),
});
const CheckedSchema = v.object({
  problems: v.array(
    v.object({ path: v.string(), message: v.string(), fix: v.exactOptional(v.string()) }),
  ),
  /** Parsed, defaults filled in; absent when there are problems or it cannot be cloned. */
  config: v.optional(v.unknown()),
  /** Deadlines that depend on the config. */
  deadlines: v.record(v.string(), v.number()),
});
/** What is kept of one plugin: its answers, by the text of the options that they are about. */
const EntrySchema = v.object({
  key: v.string(),
  described: DescribedSchema,
  checks: v.record(v.string(), CheckedSchema),
});

/** A plugin as data, made by importing it in a worker that is thrown away. */
export type Described = v.InferOutput<typeof DescribedSchema>;
/** What a plugin makes of its options. */
export type Checked = v.InferOutput<typeof CheckedSchema>;
type Kept = v.InferOutput<typeof EntrySchema>;

/** Change it when the shape of what is kept changes. */
const format = 5;
/** Options differ from time to time; the last few are kept. */
const maxChecks = 8;
const lockFiles = ["package.json", "bun.lock", "bun.lockb", "package-lock.json", "deno.lock"];

/** A word for the present state of a plugin's files and of what it depends on. */
async function stateOf(source: string): Promise<string> {
  const hash = createHash("sha256");
  hash.update(`${format} ${version} ${sdkVersion} ${isDeno ? "deno" : "bun"}\0`);
  hash.update(await fingerprint(source));
  for (const name of lockFiles) {
    const text = await readFileText(join(dirname(source), name)).catch(() => "");
    hash.update(`${name}\0${text}\0`);
  }
  return hash.digest("hex").slice(0, 32);
}

function entryPath(home: string, source: string): string {
  const name = createHash("sha256").update(source).digest("hex").slice(0, 24);
  return join(memoirPaths(home).cache, "plugins", `${name}.json`);
}

/** What is kept about a plugin, of whatever state; undefined when nothing is, or it is not whole. Never rejects. */
async function readEntry(home: string, source: string): Promise<Kept | undefined> {
  try {
    return v.parse(EntrySchema, JSON.parse(await readFileText(entryPath(home, source))));
  } catch {
    return undefined;
  }
}

/** What a plugin says of itself and of these options: kept from an earlier time, else asked now and kept. */
async function answersOf(subject: Subject, options: Options): Promise<Answers> {
  const { home, source } = subject;
  const key = await stateOf(source);
  const entry = await readEntry(home, source);
  const kept = entry?.key === key ? entry : undefined;
  const text = JSON.stringify(options);
  const checked = kept?.checks[text];
  if (kept && checked) return { described: kept.described, checked };
  const answers = await askThrowAway(subject, options);
  const checks = Object.entries({ ...kept?.checks, [text]: answers.checked }).slice(-maxChecks);
  const next: Kept = { key, described: answers.described, checks: Object.fromEntries(checks) };
  try {
    const path = entryPath(home, source);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await atomicWrite(path, JSON.stringify(next));
  } catch {
    // A home that cannot be written costs time, nothing else.
  }
  return answers;
}

/** The slots of a plugin when it could be loaded last, whatever became of its files; empty when that is not known. */
export async function lastSlots(home: string, source: string): Promise<readonly string[]> {
  return [(await readEntry(home, source))?.described.slot ?? []].flat();
}

// A worker for one question: it describes a plugin and checks options, and is thrown away. A few at a time.

/** What such a worker answers. */
export interface Answers {
  described: Described;
  checked: Checked;
}

/** On a busy machine a new worker takes its time, which is not its plugin's fault. */
const spawnMs = 30_000;
/** Each costs a thread and the SDK's modules: more at once would only be slower. */
const atOnce = 4;
let running = 0;
const waiting: Array<() => void> = [];

async function askThrowAway(subject: Subject, options: Options): Promise<Answers> {
  if (running >= atOnce) await new Promise<void>((go) => waiting.push(go));
  running++;
  try {
    return await askOnce(subject, options);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function askOnce({ source, home, deadlineMs }: Subject, options: Options): Promise<Answers> {
  let stray: string | undefined;
  let ended: string | undefined;
  const thread = openThread({
    plugin: source,
    source,
    home,
    stray({ message, place }) {
      stray = place === undefined ? message : `${message} (${place})`;
    },
    ended({ why, place }) {
      ended = place === undefined ? why : `${why} (${place})`;
    },
  });
  try {
    // Answered before the plugin is imported: from then on the time is the plugin's.
    if ((await thread.ping(spawnMs)) === undefined)
      thread.fail("plugin_ended", "its worker did not start");
    const asked = thread.ask("describe", [options]);
    return (await within(deadlineMs, asked, tooLate(source, deadlineMs))) as Answers;
  } catch (error) {
    if (ended !== undefined)
      throw new MemoirError("plugin_invalid", `${source} cannot be loaded: ${stray ?? ended}`, {
        fix: "A plugin's module only says what the plugin is; remove what ends the program.",
      });
    if (error instanceof MemoirError) throw error;
    const message = `${source} cannot be described: ${errorMessage(error)}${whereThrown(error)}`;
    throw new MemoirError("plugin_invalid", message);
  } finally {
    thread.end();
  }
}

/** A module that was not there in time. */
export function tooLate(source: string, deadlineMs: number): MemoirError {
  return new MemoirError("plugin_deadline", `${source} was not loaded within ${deadlineMs} ms`, {
    fix: "Let the plugin's module wait for nothing; `start` is the place to open and to connect.",
  });
}
