// memoir without a wire: an event goes through capture into the journal, plugins answer it, the worker is woken.
import { userHome } from "../home/paths.ts";
import { isRebuildWanted } from "../home/rebuild-wanted.ts";
import type { Project } from "../sdk/model.ts";
import { createEventWay, type EventWay } from "./events/event-way.ts";
import { createFindingNotice } from "./events/finding-notice.ts";
import { type Forgetful, forgetRecords, resumeForgetting } from "./events/forget-records.ts";
import { withoutForgotten } from "./events/record-tombstones.ts";
import { createTranscriptRuntime } from "./events/recovery.ts";
import { createStorageNotice } from "./events/storage-notice.ts";
import { sweepForgotten } from "./events/sweep-forgotten.ts";
import { adoptSessions } from "./hooks/all-sessions.ts";
import { readLately } from "./lately.ts";
import { openParts, type Parts, type ResolvedOptions, resolveOptions } from "./parts/open-parts.ts";
import { createAnnounceLocal } from "./plugins/announce-local.ts";
import type { PluginWatch } from "./plugins/watch.ts";
import { watchInForce } from "./plugins/watch-in-force.ts";
import type { Runtime, RuntimeOptions } from "./runtime-types.ts";
import { type RuntimeStatus, readStatus } from "./status.ts";

export type { Runtime, RuntimeOptions } from "./runtime-types.ts";
export type { RuntimeStatus } from "./status.ts";

/** Opens the journal, starts plugins and worker. Rejects when home or journal cannot be used. */
export async function createRuntime(given: RuntimeOptions): Promise<Runtime> {
  const options = resolveOptions(given);
  const { log, now } = options;
  const startedAt = now();
  const parts = await openParts(options);
  const { journal, models, oversight, endless, plugins, worker } = parts;
  const events = createEventWay({
    ...{ journal, worker, hooks: plugins.hooks, endless, capture: parts.capture, log, now },
    notices: models.calls.notices,
    findings: [
      createFindingNotice(options.home),
      createStorageNotice(() => plugins.current().registry.infos),
    ],
    sessionWaitMs: options.sessionWaitMs ?? 700,
  });
  const forgetful = (): Forgetful => ({
    ...{ home: options.home, hooks: plugins.hooks, journal, endless, now },
    log: log.child("forget"),
  });
  await adoptSessions(options.home, plugins.hooks, journal);
  await resumeForgetting(forgetful());
  // An older memory may stand in the place of the one that things were forgotten from.
  if (journal.isBehind || (journal.hasForgotten() && isRebuildWanted(options.home)))
    await sweepForgotten({ ...forgetful(), journal });
  let watching: PluginWatch | undefined;
  let stopped: Promise<void> | undefined;

  return {
    home: options.home,
    hooks: plugins.hooks,
    worker,
    transcripts: createTranscriptRuntime(journal, worker, parts.captureNow),
    endless,
    projectOf: (cwd) => projectOf(cwd, parts, now),
    handle: createHandle(options, parts, events),
    reply: (event) =>
      plugins.use(async (own) => {
        const captured = await parts.capture(event, own);
        return "drop" in captured ? {} : await events.answer(captured.event, own);
      }),
    drain: (request) => worker.drain(request),
    retryParked: (ids) => worker.retryParked(ids),
    status: () => statusOf(options, parts, startedAt),
    lately: () => readLately(journal, now()),
    toldTo: (asked) => journal.toldTo(asked),
    forget: (ids, how) => forgetRecords(ids, forgetful(), how),
    purge: () => resumeForgetting(forgetful()),
    withoutForgotten: (records) => withoutForgotten(records, journal),
    usage: models.usage,
    testProviders: models.test,
    async watchPlugins(heard, times = {}) {
      watching = await watchInForce(plugins, heard, { ...times, log });
      return watching;
    },
    async reload() {
      await oversight.reread();
      await plugins.reload();
      await watching?.refresh();
      models.calls.reset();
    },
    stop() {
      stopped ??= parts.close();
      return stopped;
    },
  };
}

function createHandle(
  { home, env, log }: ResolvedOptions,
  { plugins, worker }: Parts,
  events: EventWay,
): Runtime["handle"] {
  const announceLocal = createAnnounceLocal({
    ...{ home, userHome: userHome(env), log },
    changed: () => plugins.reloadFiles(),
  });
  return async (event, original, gone) => {
    // Before a session's plugins are chosen: those of a project that changed must not be among them.
    const notice = events.isFresh(event) ? await announceLocal(event) : undefined;
    const release = worker.hold();
    try {
      return await plugins.use((own) => events.take(event, own, { original, notice, gone }));
    } finally {
      release();
    }
  };
}

/** Asks the capture plugins, with an event that is kept nowhere. */
async function projectOf(
  cwd: string,
  { captureNow }: Parts,
  now: () => number,
): Promise<Project | undefined> {
  const id = crypto.randomUUID();
  const about = { id, key: id, client: "memoir", session: id, time: now(), cwd };
  const captured = await captureNow({ ...about, name: "Other", clientEvent: "WhichProject" });
  return "drop" in captured ? undefined : captured.event.project;
}

function statusOf(
  { home, now, builtins }: ResolvedOptions,
  { journal, plugins, models, endless }: Parts,
  startedAt: number,
): Promise<RuntimeStatus> {
  const { file, registry, local } = plugins.current();
  return readStatus({
    ...{ home, startedAt, now, journal, builtins, file, registry, local, endless },
    hooks: plugins.hooks,
    models: models.calls.status(),
  });
}
