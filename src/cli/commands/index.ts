// Every command, in the order of the help, and what does its work: nothing of it is loaded before it is called.
import type { AnyWork } from "./build.ts";
import type { Declared, WorkOf } from "./declared.ts";
import { endlessCommands } from "./endless.ts";
import { historyCommands } from "./history.ts";
import { carryCommands, correctCommands, lookCommands, tellCommands } from "./memory.ts";
import { pluginCommands } from "./plugins.ts";
import { openCommands, serverCommands } from "./server.ts";
import { configCommands, setupCommands } from "./setup.ts";

const { search, show, sessions, context, ...looking } = lookCommands;
const { install, doctor, redact, ...setup } = setupCommands;
const { config, provider } = configCommands;
const { backfill, stats, transcript } = historyCommands;
const { status, start, stop, retry, ...run } = serverCommands;
const { endless, recall } = endlessCommands;
const { open } = openCommands;

/** What most people type. */
const everyday = {
  ...{ install, status, search, show, sessions, context, open, backfill, doctor, config },
} as const satisfies Declared;

/** The rest, below a word for each thing. */
const topics = {
  ...pluginCommands,
  memory: {
    does: "look further into memory, correct it, delete from it, back it up",
    usually: "stats",
    examples: ["memoir memory timeline --since today", "memoir memory pin m4"],
    commands: { ...looking, stats, ...correctCommands, redact, ...carryCommands },
  },
  session: { ...transcript, examples: ["memoir session dump --last"] },
  server: {
    does: "start and stop the server; it starts by itself",
    usually: "status",
    examples: ["memoir server stop"],
    commands: { status: { ...status, examples: ["memoir server status"] }, start, stop, retry },
  },
  endless,
} as const satisfies Declared;

/** Seldom typed by hand, or typed by programs: the first help leaves them out. */
export const others = {
  ...{ ...setup, provider, recall, ...tellCommands, ...run },
} as const satisfies Declared;

/** The first help: commands by their heading. */
export const sections: Readonly<Record<string, Declared>> = {
  "Every day:": everyday,
  "By topic:": topics,
};

/** All of them by name, those that the first help leaves out too. */
export const commands: Declared = { ...everyday, ...topics, ...others };

/** What commands are called now that were once called otherwise; their old names go with the next version. */
export const moved: Readonly<Record<string, readonly string[]>> = {
  transcript: ["session"],
  ...inTopic("memory", topics.memory.commands),
  ...inTopic("server", { start, stop, retry }),
};

function inTopic(topic: string, commands: Declared) {
  return Object.fromEntries(Object.keys(commands).map((name) => [name, [topic, name]]));
}

const load = {
  config: () => import("../setup/config.ts"),
  gateway: () => import("../endless/gateway.ts"),
  provider: () => import("../models/provider.ts"),
  tell: () => import("../memory/store-memory.ts"),
};

const everydayWork: WorkOf<typeof everyday> = {
  install: async () => (await import("../setup/install.ts")).install,
  status: async () => (await import("../server/status.ts")).status,
  search: async () => (await import("../memory/search.ts")).search,
  show: async () => (await import("../memory/show.ts")).show,
  sessions: async () => (await import("../memory/sessions.ts")).sessions,
  context: async () => (await import("../memory/context.ts")).context,
  open: async () => (await import("../server/open.ts")).open,
  backfill: async () => (await import("../history/backfill.ts")).backfill,
  doctor: async () => async (options, terminal) =>
    options.daily
      ? (await import("../setup/doctor/daily-check.ts")).dailyCheck(terminal)
      : (await import("../setup/doctor.ts")).doctor(options, terminal),
  config: {
    show: async () => (await load.config()).showConfig,
    get: async () => (await load.config()).getConfig,
    set: async () => (await load.config()).setConfig,
    unset: async () => (await load.config()).unsetConfig,
    path: async () => (await load.config()).configPath,
    schema: async () => (await load.config()).configSchema,
  },
};

const topicWork: WorkOf<typeof topics> = {
  plugin: {
    list: async () => (await import("../plugins/list.ts")).listPlugins,
    info: async () => (await import("../plugins/info.ts")).showPlugin,
    enable: async () => (await import("../plugins/switch.ts")).switchPlugin.bind(undefined, true),
    disable: async () => (await import("../plugins/switch.ts")).switchPlugin.bind(undefined, false),
    new: async () => (await import("../plugins/new.ts")).newPlugin,
    check: async () => (await import("../plugins/check.ts")).checkOne,
    test: async () => (await import("../plugins/test.ts")).testPlugin,
    dev: async () => (await import("../plugins/dev.ts")).devPlugin,
    docs: async () => (await import("../plugins/docs.ts")).printDocs,
    add: async () => (await import("../plugins/add.ts")).addPlugin,
    remove: async () => (await import("../plugins/remove.ts")).removePlugin,
    trust: async () => (await import("../plugins/trust.ts")).trustProject,
  },
  memory: {
    timeline: async () => (await import("../memory/timeline.ts")).timeline,
    related: async () => (await import("../memory/related.ts")).related,
    reindex: async () => (await import("../memory/reindex.ts")).reindex,
    forget: async () => (await import("../memory/forget.ts")).forget,
    prune: async () => (await import("../memory/prune.ts")).prune,
    edit: async () => (await import("../memory/edit.ts")).edit,
    merge: async () => (await import("../memory/mark.ts")).merge,
    pin: marks("pin"),
    unpin: marks("unpin"),
    hide: marks("hide"),
    unhide: marks("unhide"),
    confirm: marks("confirm"),
    redact: async () => (await import("../setup/redact.ts")).redact,
    backup: async () => (await import("../memory/backup.ts")).backup,
    restore: async () => (await import("../memory/restore.ts")).restore,
    export: async () => (await import("../memory/export.ts")).exportMemory,
    import: async () => (await import("../memory/import.ts")).importMemory,
    stats: async () => (await import("../history/stats.ts")).stats,
  },
  session: {
    dump: async () => (await import("../history/transcript/print.ts")).dumpTranscript,
    markdown: async () => (await import("../history/transcript/print.ts")).transcriptMarkdown,
    context: async () => (await import("../history/transcript/context.ts")).transcriptContext,
    examples: async () => (await import("../history/transcript/print.ts")).transcriptExamples,
    stats: async () => (await import("../history/transcript/stats.ts")).transcriptStats,
    validate: async () => (await import("../history/transcript/stats.ts")).validateTranscripts,
    list: async () => (await import("../history/transcript/find.ts")).listTranscripts,
  },
  server: {
    status: async () => (await import("../server/status.ts")).status,
    start: async () => (await import("../server/start-stop.ts")).start,
    stop: async () => (await import("../server/start-stop.ts")).stop,
    retry: async () => (await import("../server/start-stop.ts")).retry,
  },
  endless: {
    on: async () => (await import("../endless/switch.ts")).switchEndless.bind(undefined, true),
    off: async () => (await import("../endless/switch.ts")).switchEndless.bind(undefined, false),
    gateway: {
      on: async () => (await load.gateway()).gatewayOn,
      off: async () => (await load.gateway()).gatewayOff,
      status: async () => (await import("../endless/gateway-status.ts")).gatewayStatus,
    },
    status: async () => (await import("../endless/status.ts")).endlessStatus,
    metrics: async () => (await import("../endless/metrics.ts")).endlessMetrics,
    restore: async () => (await import("../endless/restore.ts")).restoreSession,
  },
};

function marks(verb: "pin" | "unpin" | "hide" | "unhide" | "confirm") {
  return async () => (await import("../memory/mark.ts")).mark.bind(undefined, verb);
}

const otherWork: WorkOf<typeof others> = {
  uninstall: async () => (await import("../setup/uninstall.ts")).uninstall,
  completions: async () => {
    const { printCompletions } = await import("../setup/completions.ts");
    return (shell, options, terminal) => printCompletions(shell, commands, options, terminal);
  },
  upgrade: async () => (await import("../setup/upgrade/upgrade.ts")).upgrade,
  demo: async () => (await import("../setup/demo.ts")).demo,
  version: async () => (await import("../setup/version.ts")).printVersion,
  provider: {
    list: async () => (await load.provider()).listProviders,
    test: async () => (await load.provider()).testProviders,
    key: async () => (await import("../models/provider-key.ts")).providerKey,
  },
  recall: async () => (await import("../endless/recall.ts")).recall,
  "store-memory": async () => (await load.tell()).storeMemory,
  "update-session-metadata": async () => (await load.tell()).updateSessionMetadata,
  "store-overview": async () => (await load.tell()).storeOverview,
  serve: async () => async (options) =>
    options.standIn
      ? (await import("../server/serve.ts")).serveStandIn()
      : (await import("../server/serve.ts")).serve(options),
  mcp: async () => (await import("../server/mcp.ts")).serveMcp,
  hook: async () => async () => 0,
};

/** What does the work of each. */
export const work: AnyWork = { ...everydayWork, ...topicWork, ...otherWork };
