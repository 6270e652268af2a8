// Everything the runtime knows about how it is doing, for `status`, `doctor` and the viewer.

import { errorMessage } from "../home/describe-error.ts";
import { findingText, recentFindings } from "../home/findings.ts";
import type { Models } from "./budget/open-models.ts";
import type { LoadPlugin } from "./builtins.ts";
import { problemText } from "./config/config.ts";
import type { Endless } from "./endless/endless.ts";
import type { Journal } from "./journal/journal.ts";
import { unknownPlugins } from "./plugins/describe.ts";
import type { Generations } from "./plugins/generations.ts";
import { restOf } from "./plugins/load-plugin.ts";
import type { RuntimeStatus } from "./status-schema.ts";

export type { RuntimeStatus } from "./status-schema.ts";

/** Who is asked. */
interface StatusSources {
  journal: Journal;
  models: Models;
  endless: Pick<Endless, "status">;
  plugins: Pick<Generations, "current" | "hooks">;
}

/** Asks everybody. Never rejects. */
export async function readStatus(
  {
    home,
    now,
    builtins,
  }: { home: string; now: () => number; builtins: Readonly<Record<string, LoadPlugin>> },
  { journal, models, endless, plugins }: StatusSources,
  startedAt: number,
): Promise<RuntimeStatus> {
  const { hooks } = plugins;
  const { file, registry, local } = plugins.current();
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
    local: [...local],
    models: models.calls.status(),
    endless: await endless.status(),
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

/** A part that could not be asked says why instead. */
async function orError<Value>(ask: () => Promise<Value>): Promise<Value | { error: string }> {
  try {
    return await ask();
  } catch (error) {
    return { error: errorMessage(error) };
  }
}
