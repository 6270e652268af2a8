// How the runtime is doing, as `status`, `doctor` and the page show it. The types are the schemas': what a part says of itself is written once.
import * as v from "valibot";
import { clientEventNames, type HookName, hookKinds } from "../sdk/hooks.ts";
import type { Input } from "../sdk/operation.ts";
import { slotNames } from "../sdk/plugin.ts";
import { StatsSchema } from "./hooks/hook-table.ts";

const slots = v.array(v.picklist(slotNames));
const strings = v.exactOptional(v.pipe(v.array(v.string()), v.readonly()));
const counts = v.record(v.string(), v.number());

/** One plugin as `plugin list` shows it. */
export const PluginSchema = v.object({
  name: v.string(),
  description: v.string(),
  slots,
  /** Slots it fills now. */
  fills: slots,
  origin: v.picklist(["built-in", "file", "package"]),
  source: v.exactOptional(v.string()),
  /** `enabled`: it will run once a server does. `waiting`: it was dropped in, and its slot has to be given to it. */
  state: v.picklist(["running", "enabled", "waiting", "disabled", "failed"]),
  /** Why it failed; of a running one, why its changed file is not in effect. */
  error: v.exactOptional(v.string()),
  /** It runs for these projects only. */
  projects: strings,
  /** Its rules of redaction and its data, in words: `redaction staff-id`, `data`. */
  brings: strings,
  /** Errors of it that nobody caught, outside of any call: how many, and the last that was reported in full. */
  stray: v.exactOptional(v.object({ count: v.number(), error: v.string(), at: v.number() })),
  /** Parts of it (a slot, a hook, or `everything`) that are passed over until a time, because they kept failing. */
  paused: v.exactOptional(
    v.array(
      v.object({
        part: v.string(),
        hook: v.string(),
        error: v.string(),
        at: v.number(),
        until: v.number(),
      }),
    ),
  ),
  /** Slots whose work it does while those who fill them are paused. */
  standby: v.exactOptional(slots),
});
export type PluginInfo = v.InferOutput<typeof PluginSchema>;
export type StrayInfo = NonNullable<PluginInfo["stray"]>;
export type PauseInfo = NonNullable<PluginInfo["paused"]>[number];

/** How calls of a hook's handler or of a part fare. */
const calledEntries = {
  deadlineMs: v.number(),
  calls: v.number(),
  failures: v.number(),
  /** Milliseconds over the last calls; null before the first. */
  p50: v.nullable(v.number()),
  p99: v.nullable(v.number()),
  lastError: v.exactOptional(v.string()),
};

/** One subscription as `plugin list` shows it. */
export const SubscriptionSchema = v.object({
  plugin: v.string(),
  hook: v.picklist(Object.keys(hookKinds) as HookName[]),
  kind: v.picklist(["parallel", "sequence", "reduce", "first"]),
  order: v.picklist(["pre", "normal", "post"]),
  filter: v.exactOptional(
    v.object({
      event: v.exactOptional(v.pipe(v.array(v.picklist(clientEventNames)), v.readonly())),
      tool: strings,
      client: strings,
      project: strings,
    }),
  ),
  ...calledEntries,
});
export type SubscriptionInfo = v.InferOutput<typeof SubscriptionSchema>;

const DoorsSchema = v.pipe(
  v.array(v.picklist(["command", "route", "tool", "panel"])),
  v.readonly(),
);

/** What a plugin brings beside hooks, as `plugin list` shows it. */
export const ContributionSchema = v.object({
  plugin: v.string(),
  /** `operations.<name>`, `routes`, `panels.<name>`, `schedules.<name>`. */
  part: v.string(),
  kind: v.picklist(["operations", "routes", "panels", "schedules"]),
  name: v.exactOptional(v.string()),
  does: v.exactOptional(v.string()),
  more: v.exactOptional(v.string()),
  examples: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  /** What an operation answers, as JSON Schema. */
  answers: v.exactOptional(v.record(v.string(), v.unknown())),
  takes: v.exactOptional(
    v.record(
      v.string(),
      v.custom<Input>((one) => typeof one === "object"),
    ),
  ),
  for: v.exactOptional(DoorsSchema),
  /** Those of one of memoir's own operations, which have names of their own: its `for` is empty. */
  ownDoors: v.exactOptional(DoorsSchema),
  changes: v.exactOptional(v.picklist(["adds", "deletes"])),
  title: v.exactOptional(v.string()),
  /** When a schedule is due, one of them. */
  at: v.exactOptional(v.string()),
  every: v.exactOptional(v.string()),
  idle: v.exactOptional(v.string()),
  /** Why it is not offered. */
  refused: v.exactOptional(v.string()),
  ...calledEntries,
  place: v.exactOptional(v.string()),
});
export type Contribution = v.InferOutput<typeof ContributionSchema>;

/** A folder of a project that brings plugins. */
export const LocalSchema = v.object({
  /** `<project>/.memoir/plugins`, its real path. */
  folder: v.string(),
  /** `Project.id` for whose events they were allowed; absent before that. */
  project: v.exactOptional(v.string()),
  /** Only `trusted` ones run; `changed` ones were, until a file became another. */
  state: v.picklist(["trusted", "changed", "untrusted", "unreadable"]),
  /** Of what it holds now. */
  hash: v.exactOptional(v.string()),
  error: v.exactOptional(v.string()),
  /** What to do; empty for a trusted one. */
  fix: v.string(),
});
export type LocalState = v.InferOutput<typeof LocalSchema>;

/** A piece of work that failed for good. */
export const ParkedSchema = v.object({
  id: v.number(),
  kind: v.picklist(["prompt", "turn", "observe", "summarize-prompt", "summarize-session"]),
  session: v.string(),
  reason: v.string(),
  at: v.number(),
});
export type Parked = v.InferOutput<typeof ParkedSchema>;
export type WorkKind = Parked["kind"];

const JournalSchema = v.object({
  /** Events committed and not yet in any finished work. */
  pendingEvents: v.number(),
  pendingWork: v.number(),
  leasedWork: v.number(),
  parkedWork: v.number(),
  /** Newest first, at most 20. */
  parked: v.array(ParkedSchema),
  /** Kinds of hints that a plugin kept back in the last week, since nobody used them. */
  silent: v.array(v.object({ project: v.string(), kind: v.string(), keptBack: v.number() })),
  /** Since the journal was made: events by name, tool uses by outcome, drops and skips by reason. */
  counters: counts,
  oldestPendingAt: v.nullable(v.number()),
  /** The file and its write-ahead log. */
  bytes: v.number(),
  /** Files of earlier journals that were found damaged and put aside; nothing deletes them. */
  damaged: v.array(v.string()),
});
export type JournalStatus = v.InferOutput<typeof JournalSchema>;
export type SilentKind = JournalStatus["silent"][number];

/** A fault in words, with what to do. */
export const FaultSchema = v.object({ code: v.string(), message: v.string(), fix: v.string() });

const models = v.object({
  /** In the order in which they are asked. */
  providers: v.array(
    v.object({
      name: v.string(),
      /** `untried` since the start or the last change of config. */
      state: v.picklist(["untried", "works", "failing", "paused"]),
      /** The model of its last answer. */
      model: v.exactOptional(v.string()),
      /** Epoch ms of its last answer or failure. */
      at: v.exactOptional(v.number()),
      /** What went wrong last, and what to do; absent while it works. */
      error: v.exactOptional(FaultSchema),
      /** Epoch ms. */
      pausedUntil: v.exactOptional(v.number()),
    }),
  ),
  /** The provider that the next call goes to; null when there is none that may be asked. */
  inForce: v.nullable(v.string()),
  budget: v.object({
    dailyTokens: v.number(),
    sessionTokens: v.number(),
    day: v.string(),
    usedToday: v.number(),
    monthlyDollars: v.exactOptional(v.number()),
    spentThisMonth: v.exactOptional(v.number()),
  }),
  /** Why no model is asked, whatever providers there are; absent when nothing is in the way. */
  error: v.exactOptional(v.object({ message: v.string(), fix: v.string() })),
});
/** What `status` says about models. */
export type ModelsStatus = v.InferOutput<typeof models>;

const endless = v.object({
  /** Null where nothing was ever kept. */
  kept: v.nullable(
    v.object({
      contents: v.number(),
      references: v.number(),
      /** Of the JSON texts. */
      characters: v.number(),
      /** Compressed. */
      bytes: v.number(),
      /** Epoch ms; null where nothing is. */
      oldestAt: v.nullable(v.number()),
    }),
  ),
  /** The file and its write-ahead log. */
  fileBytes: v.number(),
  /** Files that were found damaged and put aside. */
  damaged: v.array(v.string()),
  error: v.exactOptional(v.string()),
});
/** What `status` and `doctor` say about Endless Mode. */
export type EndlessStatus = v.InferOutput<typeof endless>;

/** A part that could not be asked says why instead. */
const unasked = v.object({ error: v.string() });

/** All of it. */
export const RuntimeStatusSchema = v.object({
  home: v.string(),
  /** Epoch ms. */
  startedAt: v.number(),
  uptimeMs: v.number(),
  config: v.object({
    path: v.string(),
    /** The file is not JSON; what was in force before (or the defaults) is. */
    broken: v.boolean(),
    /** What is wrong, each with its path and in one line. */
    problems: v.array(
      v.object({
        path: v.string(),
        message: v.string(),
        fix: v.exactOptional(v.string()),
        text: v.string(),
      }),
    ),
  }),
  /** A capture plugin is not in effect as configured: all text is withheld until it is. */
  textWithheld: v.boolean(),
  plugins: v.array(PluginSchema),
  subscriptions: v.array(SubscriptionSchema),
  /** Projects' plugins that the user allowed once. */
  local: v.array(LocalSchema),
  journal: v.union([JournalSchema, unasked]),
  storage: v.union([StatsSchema, unasked]),
  models,
  endless,
  /** What was found out about memoir's own files, and nobody marked as seen; oldest first. */
  findings: v.array(
    v.object({
      /** Epoch ms. */
      time: v.number(),
      file: v.string(),
      /** Where the file stands that was set aside. */
      aside: v.exactOptional(v.string()),
      text: v.string(),
    }),
  ),
});
export type RuntimeStatus = v.InferOutput<typeof RuntimeStatusSchema>;
