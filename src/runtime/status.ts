// How the runtime is doing, for `status`, `doctor` and the viewer; and what goes on now, for somebody who looks at it: sessions, what was
// captured and what became of it, what waits, what sessions were given.

import { aboutTool } from "../evidence/tools.ts";
import { errorMessage } from "../home/describe-error.ts";
import { findingText, recentFindings } from "../home/findings.ts";
import type { ClientEvent } from "../sdk/events.ts";
import { pathBelow } from "../text/paths.ts";
import { cut } from "../text/text.ts";
import type { Models } from "./budget/model-calls.ts";
import type { LoadPlugin } from "./builtins.ts";
import { problemText } from "./config/config.ts";
import type { Endless } from "./endless/endless.ts";
import type { GivenText } from "./journal/counts.ts";
import type { LateEvent } from "./journal/events.ts";
import type { Journal } from "./journal/journal.ts";
import type { OpenSession } from "./journal/sessions.ts";
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

// What goes on now, for somebody who looks at it: sessions, what was captured and what became of it, what waits, what sessions were given.

/** Everything at a moment. */
export interface Lately {
  sessions: OpenSession[];
  /** The newest first. */
  happened: Array<LateEvent & { about: string }>;
  /** What the session was given that was given something last; the newest first. */
  told: GivenText[];
  waiting: {
    events: number;
    work: number;
    underWay: number;
    parked: number;
    oldestAt: number | null;
  };
  /** Events that were taken since the journal was made. */
  taken: number;
  /** What capture plugins left out since then, by reason. */
  leftOut: Record<string, number>;
}

/** Without a word for so long a session counts as left. */
const openMs = 60 * 60_000;
const mostEvents = 30;
/** A larger event is shown by its name: it would have to be read whole for a line. */
const mostBytes = 64 * 1024;
const longestAbout = 200;

/** Asked while somebody looks on. */
export function readLately(journal: Journal, now: number): Lately {
  const { happened, sessions, given } = journal.lately(now - openMs, mostEvents);
  const { counters, ...status } = journal.status();
  const counted = (prefix: string) =>
    Object.entries(counters)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, n]): [string, number] => [name.slice(prefix.length), n]);
  return {
    sessions,
    told: given,
    happened: happened.map((one) => {
      const event = journal.lateText(one.seq, mostBytes);
      return { ...one, about: event ? cut(aboutEvent(event), longestAbout) : "…" };
    }),
    waiting: {
      events: status.pendingEvents,
      work: status.pendingWork,
      underWay: status.leasedWork,
      parked: status.parkedWork,
      oldestAt: status.oldestPendingAt,
    },
    taken: counted("event:").reduce((sum, [, n]) => sum + n, 0),
    leftOut: Object.fromEntries(counted("drop:")),
  };
}

/** An event in a line. */
function aboutEvent(event: ClientEvent): string {
  switch (event.name) {
    case "UserPromptSubmit":
      return event.prompt;
    case "PostToolUse":
    case "PostToolUseFailure": {
      const relative = (path: string) => pathBelow(event.cwd, path) || path;
      return (
        aboutTool(
          { id: event.toolUseId, name: event.toolName, input: event.toolInput },
          relative,
        ) || event.toolName
      );
    }
    case "Stop":
      return event.lastAssistantMessage ?? "";
    case "SessionStart":
      return event.source;
    default:
      return "";
  }
}
