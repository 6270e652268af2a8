// What config.json may hold. Every key is optional; its default is part of the schema and never written to disk.
import * as v from "valibot";
import { logLevels } from "../../home/log.ts";
import { flagOption, wholeNumber as whole, wholeOption } from "../../sdk/options.ts";

const reference = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.description(
    "A built-in plugin's name, a path (`~` and paths relative to this file work), or an npm package.",
  ),
);
const stack = (what: string) =>
  described(
    v.array(reference),
    `${what} In order; "..." stands for the built-in ones. Set, it replaces them.`,
  );
const ordered = (what: string) =>
  described(v.union([reference, v.array(reference)]), `${what} The first that works.`);
const one = (what: string) => described(reference, what);

/** A part of the file, which may be left out. */
function section<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.optional(described(schema, description), {} as v.InferInput<Schema>);
}

/** What may be set, in words. */
function described<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description<v.InferOutput<Schema>, string>(description));
}

/** The same of what need not be set, with what holds then. */
function option<Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  otherwise: () => v.InferInput<Schema>,
) {
  return v.optional(described(schema, description), otherwise);
}

/** `slots`: who does what. */
const SlotsSchema = v.strictObject({
  capture: v.optional(stack("What is captured, cleaned and redacted before anything is written.")),
  observation: v.optional(ordered("Turns tool uses into observations.")),
  summarization: v.optional(ordered("Writes summaries and titles.")),
  "context-injection": v.optional(stack("What is injected into a session.")),
  "endless-mode": v.optional(
    v.pipe(v.union([reference, v.array(reference)]), v.description("What keeps a session short.")),
  ),
  storage: v.optional(one("Where the memory is kept.")),
  hub: v.optional(one("Through which other homes share memory; nothing by default.")),
  provider: v.optional(
    ordered(
      'Which model is asked, where a strategy asks one; "auto" stands for every built-in provider.',
    ),
  ),
});

const ServerSchema = v.strictObject({
  port: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(65_535),
      v.description("Loopback TCP port; 0 takes a free one, the same each time where it can."),
    ),
    0,
  ),
});

const JournalSchema = v.strictObject({
  keepDays: wholeOption("Days for which events are kept after their work is done", 0, 3_650, 7),
});

const ContextSchema = v.strictObject({
  enabled: flagOption(
    "Read the client's transcript, so observations know what was asked and thought.",
    true,
  ),
});

const WorkerSchema = v.strictObject({
  concurrency: wholeOption("Sessions worked on at the same time", 1, 64, 4),
  idleMinutes: wholeOption("Minutes after which a silent session is summarized", 1, 10_080, 30),
  retrySeconds: option(
    v.pipe(v.array(whole("Seconds", 0, 86_400)), v.minLength(1)),
    "Waits before each further attempt; after the last, work is parked.",
    () => [1, 5, 30, 120, 600],
  ),
  context: section(
    ContextSchema,
    "The conversation around tool uses, from the client's transcript.",
  ),
});

const dollars = v.pipe(v.number(), v.minValue(0));

const BudgetSchema = v.strictObject({
  dailyTokens: wholeOption(
    "Tokens of all kinds that models may take in one day; a hard limit",
    0,
    1_000_000_000_000,
    1_000_000,
  ),
  sessionTokens: wholeOption(
    "Tokens of all kinds that models may take for one session; a hard limit",
    0,
    1_000_000_000_000,
    300_000,
  ),
  monthlyDollars: v.exactOptional(
    described(
      dollars,
      "US dollars that models may take in one month, at list prices; without it only tokens are limited. A call begins while less is spent; calls of a model without a known price cost nothing here.",
    ),
  ),
  prices: option(
    v.record(
      v.string(),
      v.strictObject({
        input: v.exactOptional(dollars),
        output: v.exactOptional(dollars),
        cacheRead: v.exactOptional(dollars),
        cacheWrite: v.exactOptional(dollars),
      }),
    ),
    "US dollars per million tokens, by the beginning of a model's id.",
    () => ({}),
  ),
});

const WatchSchema = v.strictObject({
  enabled: flagOption(
    "Whether sessions whose hooks did not fire are taken from their transcripts, in folders where hooks fire.",
    true,
  ),
});

const strategies = v.array(reference);

const GatewaySchema = v.strictObject({
  enabled: flagOption("Listen for clients' requests to their model.", false),
  port: wholeOption("The gateway's loopback port; it stays the same", 1, 65_535, 47_811),
  upstream: v.optional(
    v.pipe(v.string(), v.url(), v.description("Where requests are sent on to.")),
    "https://api.anthropic.com",
  ),
});

const EndlessSchema = v.strictObject({
  everywhere: option(strategies, "Strategies that work in every project.", () => []),
  projects: option(
    v.record(v.string(), strategies),
    "Strategies by project id; counts instead of `everywhere`.",
    () => ({}),
  ),
  sessions: option(
    v.record(v.string(), strategies),
    "Strategies by session id; counts instead of the project's.",
    () => ({}),
  ),
  holdOut: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description("Share of sessions that stay untouched, for an honest comparison (0 to 1)."),
    ),
    0,
  ),
  keepDays: wholeOption("Days for which removed content can be recalled", 1, 3_650, 30),
  keepBytes: wholeOption(
    "Bytes on disk that it may take, compressed",
    1_000_000,
    1_000_000_000_000,
    1_000_000_000,
  ),
  gateway: section(GatewaySchema, "Between a client and its model's API."),
});

const IsolationSchema = v.strictObject({
  memoryMb: wholeOption(
    "Megabytes that the worker of one plugin of yours may hold",
    16,
    65_536,
    512,
  ),
  loadSeconds: wholeOption("Seconds that the modules of a plugin of yours may load", 1, 60, 5),
});

const UpgradeSchema = v.strictObject({
  from: v.exactOptional(
    described(
      v.pipe(v.string(), v.url()),
      "The folder of releases that `memoir upgrade` fetches from, instead of memoir's own.",
    ),
  ),
  signedBy: v.exactOptional(
    described(
      v.pipe(
        v.string(),
        v.regex(/^RW[\w+/]{54}$/, "has to be a minisign public key: RW and 54 more characters"),
      ),
      "The minisign public key that these releases are signed with, instead of memoir's own.",
    ),
  ),
  daily: flagOption(
    "Whether the server looks once a day which version is the latest; `memoir doctor` then says so.",
    false,
  ),
});

const BackupSchema = v.strictObject({
  daily: flagOption(
    "Whether a backup is made every day, while the server has nothing else to do.",
    true,
  ),
  keepDays: wholeOption("Days of which the newest daily backup is kept", 1, 365, 7),
  keepWeeks: wholeOption(
    "Weeks before these days of which the newest daily backup is kept",
    0,
    520,
    4,
  ),
  maxBytes: wholeOption(
    "Bytes of all backups together: the oldest that memoir made by itself go first, the newest whole one never",
    1_000_000,
    1_000_000_000_000,
    10_000_000_000,
  ),
});

const keptDays = wholeOption(
  "Days after its last activity for which memory keeps a session; 0 is forever",
  0,
  36_500,
  0,
);
const keptBytes = wholeOption(
  "Bytes that memory may take; beyond it the oldest sessions go; 0 is any",
  0,
  1e15,
  0,
);

const MemoryRetentionSchema = v.strictObject({
  days: keptDays,
  bytes: keptBytes,
  projects: option(
    v.record(
      v.string(),
      v.strictObject({
        days: v.exactOptional(whole("Counts instead of `days`; 0 is forever", 0, 36_500)),
        bytes: v.exactOptional(whole("Bytes that the project may take by itself", 0, 1e15)),
      }),
    ),
    "Rules by project: its id or name, in which `*` stands for anything.",
    () => ({}),
  ),
});

const RetentionSchema = v.strictObject({
  memory: section(
    MemoryRetentionSchema,
    "What memory forgets by itself; nothing, unless you say so.",
  ),
  setAsideDays: wholeOption(
    "Days for which damaged files that were set aside are kept; 0 is forever",
    0,
    36_500,
    90,
  ),
  rejectedDays: wholeOption(
    "Days for which files of the spool that were no events are kept; 0 is forever",
    0,
    36_500,
    30,
  ),
});

const LogSchema = v.strictObject({
  level: v.optional(v.pipe(v.picklist(logLevels), v.description("How much is logged.")), "info"),
});

// Which regular expressions config takes: those that a linear engine can run.

/** Look-ahead, look-behind and references to groups: what no linear engine has. */
const refused = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

/** True for an expression that can be read and has nothing that could take more than linear time. */
function isLinearPattern(pattern: string): boolean {
  // Doubled backslashes stand for themselves: `\\\\1` is no reference.
  if (refused.test(pattern.replaceAll("\\\\", ""))) return false;
  try {
    // Flags in front are those of the linear engine, which JavaScript's has not.
    new RegExp(pattern.replace(/^\(\?[ims]{1,3}\)/, ""));
    return true;
  } catch {
    return false;
  }
}

/** An expression that takes linear time whatever the text is; see `isLinearPattern`. */
const pattern = (description: string) =>
  v.pipe(
    v.string(),
    v.nonEmpty(),
    v.maxLength(1_000),
    v.check(
      isLinearPattern,
      "a regular expression without look-around and back-references, so it takes linear time",
    ),
    v.description(description),
  );

const PrivacySchema = v.strictObject({
  redact: section(
    v.strictObject({
      rules: option(
        v.record(
          v.pipe(
            v.string(),
            v.regex(/^[a-z][a-z0-9-]{0,39}$/, "a name of small letters, digits and hyphens"),
          ),
          pattern("What goes; with a group, only what the first one holds."),
        ),
        "Rules of your own, beside the built-in ones: an expression by the name used in the mark, `[redacted:<name>]`.",
        () => ({}),
      ),
      allow: option(
        v.array(pattern("What stays.")),
        "What matches one of these expressions as a whole is never removed.",
        () => [],
      ),
    }),
    "What is removed from every text before it is stored, beside the built-in rules.",
  ),
});

/** One entry of `plugins`; what stands beside `enabled` is the plugin's own business. */
const PluginEntrySchema = v.looseObject({
  enabled: v.optional(described(v.boolean(), "False leaves the plugin out.")),
  inProcess: v.optional(
    described(v.boolean(), "True runs a plugin of yours inside the server instead of in a worker."),
  ),
  plugin: v.optional(
    described(
      reference,
      "Another plugin, of which this name is a second one with options of its own.",
    ),
  ),
});

/** The whole file. */
export const ConfigSchema = v.strictObject({
  $schema: v.optional(v.pipe(v.string(), v.description("For editors."))),
  slots: section(SlotsSchema, "Who fills each slot."),
  plugins: v.optional(
    v.pipe(v.record(v.string(), PluginEntrySchema), v.description("Options by plugin name.")),
    {},
  ),
  listeners: option(
    v.array(reference),
    "Plugins that fill no slot, beside the built-in ones.",
    () => [],
  ),
  server: section(ServerSchema, "The local server."),
  journal: section(JournalSchema, "The local record of events."),
  worker: section(WorkerSchema, "Work in the background."),
  budget: section(BudgetSchema, "What models may take."),
  watch: section(WatchSchema, "Sessions without hooks."),
  endless: section(EndlessSchema, "Where Endless Mode works, and what it keeps."),
  isolation: section(IsolationSchema, "The workers that plugins of yours run in."),
  upgrade: section(UpgradeSchema, "Where newer versions lie."),
  backup: section(BackupSchema, "Copies of memoir's own files."),
  retention: section(
    RetentionSchema,
    "How long memory, and files that nothing else bounds, are kept.",
  ),
  privacy: section(PrivacySchema, "What is never kept."),
  log: section(LogSchema, "The log file."),
});

/** What the user wrote: any part of it may be missing. */
export type UserConfig = v.InferInput<typeof ConfigSchema>;
/** What is in force: defaults filled in (who fills a slot by default is `defaultSlots`' business). */
export type Config = v.InferOutput<typeof ConfigSchema>;
