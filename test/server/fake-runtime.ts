// A runtime that remembers what it was asked, for tests of what stands around it.
import { backfill } from "../../src/features/backfill.ts";
import { endless } from "../../src/features/endless.ts";
import { sync } from "../../src/features/sync.ts";
import type { Hooks, SubscriptionInfo } from "../../src/runtime/ports.ts";
import type { RuntimeStatus } from "../../src/runtime/status.ts";
import type { Contribution } from "../../src/runtime/status-schema.ts";
import type { ClientEvent, Reply } from "../../src/sdk/events.ts";
import type { HookInput, HookName, HookOutput } from "../../src/sdk/hooks.ts";
import type { ServerRuntime } from "../../src/server/life/server-runtime.ts";
import type { ServerPart } from "../../src/server/schemas/status.ts";

type Answers = { [Name in HookName]?: (input: HookInput<Name>) => HookOutput<Name> };

export interface FakeRuntime extends ServerRuntime {
  handled: ClientEvent[];
  previewed: ClientEvent[];
  calls: string[];
  drains: object[];
}

export interface FakeOptions {
  reply?: Reply;
  answers?: Answers;
  subscriptions?: SubscriptionInfo[];
  handle?(event: ClientEvent): Promise<void>;
}

const noUsage = {
  calls: 0,
  failed: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  tokens: 0,
  cost: 0,
  unpriced: 0,
};

/** A runtime at rest, with one plugin. */
const quietStatus: RuntimeStatus = {
  home: "/h",
  startedAt: 1,
  uptimeMs: 5,
  config: { path: "/h/config.json", broken: false, problems: [] },
  textWithheld: false,
  plugins: [
    {
      name: "sqlite",
      description: "Keeps records.",
      slots: ["storage"],
      fills: ["storage"],
      origin: "built-in",
      state: "running",
    },
  ],
  subscriptions: [],
  local: [],
  journal: { error: "not asked" },
  storage: { error: "not asked" },
  models: {
    providers: [],
    inForce: null,
    budget: { dailyTokens: 1, sessionTokens: 1, day: "2026-11-21", usedToday: 0 },
  },
  findings: [],
  endless: { kept: null, fileBytes: 0, damaged: [] },
};

/** What a server beside it says of itself. */
export const quietServer: ServerPart = {
  pid: 7,
  port: 8,
  socket: null,
  version: "1.2.3",
  startedAt: 1,
  home: "/h",
  refused: {},
  spool: { waiting: 0 },
};

const unforeseen = (): Promise<never> => Promise.reject(new Error("not foreseen by the test"));

/** What memoir's own features bring; their doors bring the work. */
export const ownParts: FakeRuntime["parts"] = {
  list: () =>
    [endless, sync, backfill].flatMap(({ name: plugin, operations }) =>
      Object.keys(operations).map((name): Contribution => {
        const figures = { calls: 0, failures: 0, p50: null, p99: null };
        return {
          plugin,
          part: `operations.${name}`,
          kind: "operations",
          name,
          deadlineMs: 1,
          ...figures,
        };
      }),
    ),
  call: async (_plugin, _part, asked) => (asked as { work(): unknown }).work(),
};

/** Every event is accepted once; repeated keys are duplicates. */
export function fakeRuntime(options: FakeOptions = {}): FakeRuntime {
  const { reply = {}, answers = {}, subscriptions = [] } = options;
  const keys = new Set<string>();
  const hooks: Hooks = {
    parallel: async () => {},
    sequence: async () => [],
    reduce: async (_name, value) => ({ value: value as never, failed: [] }),
    async first(name, input) {
      const answer = answers[name] as ((input: unknown) => never) | undefined;
      return answer && { plugin: "fake", result: answer(input) };
    },
    subscriptions: () => subscriptions,
  };
  const runtime: FakeRuntime = {
    home: "/h",
    withoutForgotten: (records) => records,
    hooks,
    isOff: () => false,
    parts: ownParts,
    handled: [],
    previewed: [],
    calls: [],
    drains: [],
    async handle(event) {
      await options.handle?.(event);
      const known = keys.has(event.key);
      if (!known) {
        keys.add(event.key);
        runtime.handled.push(event);
      }
      return { reply, accepted: known ? "duplicate" : "committed" };
    },
    async reply(event) {
      runtime.previewed.push(event);
      return reply;
    },
    async drain(scope) {
      runtime.drains.push(scope);
      return true;
    },
    retryParked(ids) {
      runtime.calls.push(`retry ${ids ?? "all"}`);
      return ids?.length ?? 3;
    },
    transcripts: {
      recover: async (events) => events.map(() => "committed" as const),
      isNew: async () => true,
      capture: async (event) => ({ event, failed: [] }),
      past: {
        sessions: () => [],
        prompts: () => ({
          ...{ count: 0, texts: [], whole: new Set(), waiting: new Set() },
          isForgotten: () => false,
        }),
        adopt: () => {},
        remember: () => {},
        add: async () => false,
        makeAgain: () => 0,
        isOpen: () => false,
      },
      workOn: () => {},
      drain: async () => true,
      marks: () => new Map(),
      mark: () => {},
      release: () => {},
      heard: () => [],
      injections: () => [],
      noted: () => [],
    },
    endless: {
      recall: () => unforeseen(),
      recallValue: () => unforeseen(),
      takenOut: async () => [],
      metrics: () => unforeseen(),
    },
    projectOf: async () => undefined,
    complete: () => unforeseen(),
    usage: () => ({ total: noUsage, byDay: [], byProject: [], byModel: [], byPurpose: [] }),
    async testProviders(name) {
      runtime.calls.push(`test ${name ?? "all"}`);
      return [];
    },
    purge: async () => undefined,
    forget: async (ids) => answers["storage.delete"]?.({ ids: [...ids] }) ?? { deleted: [] },
    status: async () => quietStatus,
    lately: () => ({
      ...{ sessions: [], happened: [], told: [], taken: 0, leftOut: {} },
      waiting: { events: 0, work: 0, underWay: 0, parked: 0, oldestAt: null },
    }),
    toldTo: () => [],
    async reload() {
      runtime.calls.push("reload");
    },
    async stop() {
      runtime.calls.push("stop");
    },
  };
  return runtime;
}
