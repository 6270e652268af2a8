// Everything the runtime knows about how it is doing, for `status`, `doctor` and the viewer.

import { errorMessage } from "../home/describe-error.ts";
import { findingText, recentFindings } from "../home/findings.ts";
import type { StorageStats } from "../sdk/storage.ts";
import type { ModelStatus } from "./budget/model-calls.ts";
import type { LoadPlugin } from "./builtins.ts";
import { type ConfigFile, type ConfigProblem, problemText } from "./config/config.ts";
import type { Endless, EndlessStatus } from "./endless/endless.ts";
import type { Journal } from "./journal/journal.ts";
import { unknownPlugins } from "./plugins/describe.ts";
import { restOf } from "./plugins/load-plugin.ts";
import type { Registry } from "./plugins/registry.ts";
import type { Hooks, JournalStatus, LocalState, PluginInfo, SubscriptionInfo } from "./ports.ts";

/** A part that could not be asked says why instead. */
type OrError<Value> = Value | { error: string };

export interface RuntimeStatus {
  home: string;
  /** Epoch ms. */
  startedAt: number;
  uptimeMs: number;
  config: {
    path: string;
    /** The file is not JSON; what was in force before (or the defaults) is. */
    broken: boolean;
    /** What is wrong, each with its path and in one line. */
    problems: Array<ConfigProblem & { text: string }>;
  };
  /** A capture plugin is not in force as configured: all text is withheld until it is. */
  textWithheld: boolean;
  plugins: PluginInfo[];
  subscriptions: SubscriptionInfo[];
  /** Projects' plugins that the user allowed once. */
  local: readonly LocalState[];
  journal: OrError<JournalStatus>;
  storage: OrError<StorageStats>;
  models: ModelStatus;
  endless: EndlessStatus;
  /** What was found out about memoir's own files, and nobody marked as seen; oldest first. */
  findings: FindingStatus[];
}

/** A finding as it is told. */
interface FindingStatus {
  /** Epoch ms. */
  time: number;
  file: string;
  /** Where the file stands that was set aside. */
  aside?: string;
  text: string;
}

interface StatusSources {
  home: string;
  startedAt: number;
  now: () => number;
  file: ConfigFile;
  registry: Registry;
  local: readonly LocalState[];
  hooks: Hooks;
  journal: Journal;
  builtins: Readonly<Record<string, LoadPlugin>>;
  models: ModelStatus;
  endless: Pick<Endless, "status">;
}

/** Asks everybody. Never rejects. */
export async function readStatus(sources: StatusSources): Promise<RuntimeStatus> {
  const { home, startedAt, now, file, registry, hooks, journal, builtins } = sources;
  const shown = new Set(registry.infos.map(({ name }) => name));
  const known = [...shown, ...Object.keys(builtins)];
  const problems = [...file.problems, ...unknownPlugins(Object.keys(file.config.plugins), known)];
  return {
    home,
    startedAt,
    uptimeMs: now() - startedAt,
    config: {
      path: file.path,
      broken: file.broken,
      problems: problems.map((problem) => ({ ...problem, text: problemText(problem) })),
    },
    textWithheld: registry.captureBroken || file.captureUnclear,
    plugins: [...registry.infos, ...(await restOf(builtins, shown))],
    subscriptions: hooks.subscriptions(),
    local: sources.local,
    models: sources.models,
    endless: await sources.endless.status(),
    findings: recentFindings(home, now()).map((finding) => ({
      time: finding.time,
      file: finding.file,
      ...(finding.aside !== undefined && { aside: finding.aside }),
      text: findingText(finding),
    })),
    journal: await orError(async () => journal.status()),
    storage: await orError(async () => {
      const answer = await hooks.first("storage.stats", {});
      return answer?.result ?? { error: "no storage plugin answered" };
    }),
  };
}

async function orError<Value>(ask: () => Promise<Value>): Promise<OrError<Value>> {
  try {
    return await ask();
  } catch (error) {
    return { error: errorMessage(error) };
  }
}
