// Is the server at work: its version, its plugins, the journal, the storage, and what became of what was captured?
import type { RebuildProgress } from "../backfill/rebuild.ts";
import { version } from "../home/version.ts";
import { withoutPasswords } from "../privacy/passwords.ts";
import { guard } from "../runtime/plugins/registry.ts";
import type { PluginInfo, SubscriptionInfo } from "../runtime/ports.ts";
import type { EndlessStatus } from "../runtime/status-schema.ts";
import type { ServerStatus } from "../server/schemas/status.ts";
import { ago, size } from "../text/amounts.ts";
import { plural } from "../text/text.ts";
import { type Check, type Checks, type Finding, fail, named, ok, warn } from "./check.ts";

interface Asked {
  status: ServerStatus;
  /** Epoch ms. */
  now: number;
}

/** Nothing of these waits: each looks at what the server said. */
const serverChecks = {
  server: checkServer,
  plugins: checkPlugins,
  privacy: checkPrivacy,
  projects: ({ status }) =>
    status.local
      .filter(({ state }) => state !== "trusted")
      .map(({ folder, state, fix }) => warn(`${folder}: ${state}, not run`, fix)),
  journal: checkJournal,
  waiting: checkWaiting,
  storage: checkStorage,
  search: checkIndex,
  meaning: checkMeaning,
  memory: ({ status }) => (status.rebuild ? ok(rebuildText(status.rebuild)) : undefined),
  capture: checkCapture,
  models: checkModels,
  sync: checkSync,
  endless: checkEndless,
  gateway: checkGateway,
} satisfies Checks<Asked>;

/** Every check that a server's status allows. */
export function checkStatus(status: ServerStatus, now: number): Check[] {
  return Object.entries(serverChecks).flatMap(([name, look]) => named(name, look({ status, now })));
}

const wrongOnes: ReadonlyArray<keyof typeof serverChecks> = [
  "plugins",
  "privacy",
  "projects",
  "journal",
  "storage",
  "sync",
  "endless",
];

/** What does not work as it should, in a line each; what is only to be known is left out. */
export function wrongIn(status: ServerStatus, now: number): string[] {
  return wrongOnes.flatMap((name) =>
    named(name, serverChecks[name]({ status, now }))
      .filter(({ state }) => state !== "ok")
      // A project's plugins wait for a person, who has to know for what.
      .map(({ message, fix }) => `${name}: ${message}${name === "projects" ? `. ${fix}` : ""}`),
  );
}

function checkServer({ status, now }: Asked): Finding {
  const about = `memoir ${status.version}, pid ${status.pid}, started ${ago(status.startedAt, now)}`;
  if (status.version === version) return ok(about);
  return warn(
    `${about}; this is memoir ${version}`,
    "Run `memoir server start` with the one that you want.",
  );
}

function checkPlugins({ status, now }: Asked): Finding[] {
  const { plugins, subscriptions } = status;
  const helpFor = (plugin: string) =>
    plugins.some(({ name, origin }) => name === plugin && origin === "built-in")
      ? "The log has more; please report it with those lines."
      : `Correct it, or switch it off: \`memoir plugin disable ${plugin}\`.`;
  const found: Finding[] = [];
  for (const { name, state, error, stray } of plugins) {
    if (state === "failed")
      found.push(fail(`${name}: ${error ?? "failed"}`, "See `memoir plugin list` and the log."));
    else if (error)
      found.push(warn(`${name}: its change is not in effect: ${error}`, helpFor(name)));
    if (stray) {
      const count = plural(stray.count, "error");
      found.push(
        warn(`${name}: ${count} that it caught nowhere; the last: ${stray.error}`, helpFor(name)),
      );
    }
  }
  for (const { plugin, text } of failing(subscriptions)) found.push(warn(text, helpFor(plugin)));
  for (const { plugin, text } of pausedParts(plugins, subscriptions, now))
    found.push(warn(text, `See \`memoir plugin list\`; off: \`memoir plugin disable ${plugin}\`.`));
  if (found.length > 0) return found;
  return [ok(`${plugins.filter(({ state }) => state === "running").length} running`)];
}

function checkPrivacy({ status: { plugins, textWithheld } }: Asked): Finding[] {
  const found: Finding[] = [];
  if (textWithheld)
    found.push(
      fail(
        "a capture plugin is not in effect as configured, so all text is withheld",
        "Correct `slots.capture` or the plugin named above, then run `memoir server stop`.",
      ),
    );
  if (plugins.some(({ name, state }) => name === guard && state === "disabled"))
    found.push(
      warn(
        "redaction is switched off: secrets and private parts are kept as they were typed and printed",
        `\`memoir plugin enable ${guard}\` switches it on, for what comes from then on.`,
      ),
    );
  return found;
}

/** A damaged file that was set aside, where no finding tells of it. */
function checkDamaged({ findings }: ServerStatus, damaged: readonly string[]): Finding[] {
  const untold = damaged.filter((file) => !findings.some(({ aside }) => aside === file));
  if (untold.length === 0) return [];
  return [warn(`a damaged file was put aside: ${untold.join(", ")}`, "Check that disk.")];
}

function checkJournal({ status }: Asked): Finding | Finding[] {
  const { journal, refused } = status;
  if ("error" in journal) return fail(journal.error, "See the log.");
  const { pendingEvents, parkedWork, parked, bytes } = journal;
  const found: Finding[] = [];
  if (parkedWork > 0) {
    const last = parked[0] ? `; the last: ${parked[0].reason}` : "";
    found.push(
      fail(
        `${plural(parkedWork, "piece of work was", "pieces of work were")} given up${last}`,
        "Fix what the reason names, then run `memoir server retry`; `memoir status` lists them.",
      ),
    );
  }
  found.push(...checkDamaged(status, journal.damaged));
  // Whether the spool got them, nobody can say here: those that it did not are counted apart.
  const { journal_unwritable: unwritable = 0 } = refused;
  if (unwritable > 0)
    found.push(
      warn(
        `${plural(unwritable, "event was", "events were")} refused since the server's start: the journal could not be written`,
        "See whether the disk has room and may be written to; hooks keep such events in the spool where they can.",
      ),
    );
  if (found.length > 0) return found;
  const waits =
    pendingEvents === 0
      ? "nothing waits"
      : `${plural(pendingEvents, "event")} waiting for the end of a prompt`;
  return ok(`${size(bytes)}, ${waits}`);
}

/** Work that waits longer than this may be stuck. */
const stuckMs = 30 * 60_000;

function checkWaiting({ status: { journal }, now }: Asked): Finding | undefined {
  if ("error" in journal) return undefined;
  const { pendingEvents, oldestPendingAt } = journal;
  if (oldestPendingAt === null || now - oldestPendingAt <= stuckMs) return undefined;
  return warn(
    `${pendingEvents} events wait, the oldest since ${ago(oldestPendingAt, now)}`,
    "A session that is still open keeps its last prompt waiting; else see the log.",
  );
}

function checkStorage({ status: { storage } }: Asked): Finding {
  if ("error" in storage) return fail(storage.error, "See `memoir plugin list` and the log.");
  const { sessions, observations, summaries, bytes } = storage;
  const counts = [
    plural(observations, "observation"),
    plural(summaries, "summary", "summaries"),
    plural(sessions, "session"),
    size(bytes),
  ];
  return ok(counts.join(", "));
}

/** Nothing for a storage without an index of its own. */
function checkIndex({ status: { storage }, now }: Asked): Finding | undefined {
  const index = "error" in storage ? undefined : storage.index;
  if (!index) return undefined;
  const records = plural(index.records, "record");
  const anew = index.madeAnewAt === undefined ? "" : `; rebuilt ${ago(index.madeAnewAt, now)}`;
  if (index.isWhole) return ok(`finds all of ${records}${anew}`);
  return warn(
    `is being rebuilt: ${index.indexed} of ${records}`,
    "Wait for it; `memoir memory reindex` begins again and shows how far it is.",
  );
}

/** Nothing where words alone are meant to find. */
function checkMeaning({ status: { storage } }: Asked): Finding | undefined {
  if ("error" in storage || !storage.meaning) return undefined;
  const { model, trouble, turns } = storage.meaning;
  if (trouble !== undefined)
    return warn(
      `words alone find: ${trouble}`,
      "Check the endpoint and `plugins.semantic-search` in config; it is asked again by itself.",
    );
  const by = model === "" ? "" : ` by ${model}`;
  return ok(`${turns} of ${plural(storage.turns, "turn")}${by}`);
}

/** "0 observations" must never stand there without its reason. */
function checkCapture({ status: { journal, storage } }: Asked): Finding | undefined {
  if ("error" in journal || "error" in storage) return undefined;
  const { counters, pendingEvents } = journal;
  const events = sum(counters, "event:");
  const dropped = sum(counters, "drop:");
  if (events === 0 && dropped === 0)
    return warn(
      "no event was captured yet",
      "Work with your agent; sessions that were open before the install do not count until you restart them.",
    );
  const about = `${plural(events, "event")} captured, ${dropped} left out`;
  if (storage.observations > 0) return ok(about);
  const reasons = Object.entries(counters)
    .filter(([name]) => /^(?:drop|skip):/.test(name))
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, count]) => `${name.slice("drop:".length)} (${count})`);
  const why: string[] = [];
  if (pendingEvents > 0) why.push(`${pendingEvents} wait for their prompt to end`);
  if (reasons.length > 0) why.push(`left out as ${reasons.join(", ")}`);
  return warn(
    `${about}, and no observation yet: ${why.join("; ") || "nothing in them was worth one"}`,
    "Routine tool uses give none; observations come when a prompt is done.",
  );
}

function sum(counters: Readonly<Record<string, number>>, prefix: string): number {
  const ours = Object.entries(counters).filter(([name]) => name.startsWith(prefix));
  return ours.reduce((total, [, count]) => total + count, 0);
}

/** Can what Endless Mode takes out be kept, and is what was kept whole? Says nothing where nothing was ever kept. */
function checkEndless({ status }: Asked): Finding[] {
  const { kept, fileBytes, damaged, error }: EndlessStatus = status.endless;
  const found: Finding[] = [];
  if (error !== undefined)
    found.push(
      fail(
        `what Endless Mode keeps cannot be used: ${error}`,
        "Free disk space or give memoir's home its write permission back; until then nothing is left out.",
      ),
    );
  found.push(...checkDamaged(status, damaged));
  if (found.length > 0 || !kept) return found;
  return [ok(`${plural(kept.references, "original")} kept in ${size(fileBytes)}`)];
}

/** Is memory that is shared exchanged? Nothing where none is. What waits is sent by itself once the hub is there. */
function checkSync({ status: { sync }, now }: Asked): Finding[] {
  if (!sync) return [];
  const { lastAt, trouble, wrong } = sync;
  const fix = "`memoir sync status` says more";
  const away =
    trouble === null ? [] : [warn(trouble, `${fix}; what is new waits, and is sent then.`)];
  const found = [...away, ...wrong.map((text) => warn(text, `${fix}.`))];
  if (found.length > 0) return found;
  return [ok(lastAt === null ? "not synced yet" : `last synced ${ago(lastAt, now)}`)];
}

/** Does the gateway listen where the client is led to, and does it reach the API? Nothing while it is off. */
function checkGateway({ status: { gateway } }: Asked): Finding | undefined {
  if (!gateway?.enabled) return undefined;
  const { listening, error, port, upstream, requests, failed, unreached } = gateway;
  const off = "`memoir endless gateway off` leads the client past it.";
  if (!listening)
    return fail(error ?? `it does not listen on port ${port}`, `Free the port. ${off}`);
  const about = `port ${port} → ${withoutPasswords(upstream)}, ${plural(requests, "request")}`;
  if (unreached > 0) return warn(`${about}; ${unreached} did not reach it`, "Check the network.");
  if (failed > 0)
    return warn(`${about}; ${failed} passed as a strategy failed`, `See the log. ${off}`);
  return ok(about);
}

/** Above this share of the day's tokens few calls find room. */
const nearlyAll = 0.95;

/**
 * May a model be asked, does one answer, and is there budget left? A provider that fails is a warning, not a failure: the
 * heuristic does its work.
 */
function checkModels({ status: { models } }: Asked): Finding | Finding[] {
  const { providers, inForce, budget, error } = models;
  if (providers.length === 0) return ok("none in use");
  if (error) return warn(error.message, error.fix);
  const { dailyTokens, usedToday } = budget;
  const used = `${usedToday.toLocaleString("en")} of ${dailyTokens.toLocaleString("en")} tokens used today`;
  const found: Finding[] = [];
  for (const { name, error } of inForce === null ? providers : [])
    if (error) found.push(warn(`${name}: ${withoutName(error.message, name)}`, error.fix));
  if (usedToday >= dailyTokens * nearlyAll)
    found.push(warn(used, "Raise `budget.dailyTokens`, or wait for tomorrow."));
  if (found.length > 0) return found;
  const names = providers.map(({ name }) => name).join(", ");
  return ok(`${inForce ?? names} is asked; ${used}`);
}

/** A provider's error where its name stands already: `anthropic (m) did not …` → `it did not …`. */
export function withoutName(message: string, name: string): string {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : undefined;
  return rest === undefined ? message : `it ${rest.replace(/^\([^)]*\) /, "")}`;
}

/** While what a damage took is made again: how far it is, and what came of it so far. */
export function rebuildText({ sessions, records }: RebuildProgress): string {
  const { done, total } = sessions;
  return `what was lost is being made again: ${done} of ${plural(total, "session")} looked at, ${plural(records, "record")} so far`;
}

// Which plugins' handlers failed, in one line each.

/** A handler that failed since the server started. */
interface Failing {
  plugin: string;
  /** `plugin shy failed in Stop: boom (2 of 7 calls)`. */
  text: string;
}

/** Every handler that failed. Models and hubs are left out: what became of their calls is shown elsewhere. */
export function failing(
  subscriptions: ReadonlyArray<
    Pick<SubscriptionInfo, "plugin" | "calls" | "failures" | "lastError"> & { hook: string }
  >,
): Failing[] {
  return subscriptions
    .filter(({ failures, hook }) => failures > 0 && hook !== "complete" && !hook.startsWith("hub."))
    .map(({ plugin, hook, calls, failures, lastError }) => ({
      plugin,
      text: `${lastError ?? `plugin ${plugin} failed in ${hook}`} (${failures} of ${calls} calls)`,
    }));
}

// Which plugins are passed over for a while, why, for how long, and who does their work meanwhile, in one line each.

/** A part of a plugin that is paused. */
export interface PausedPart {
  plugin: string;
  /** `plugin shy is paused in Stop for another 40 s; at once: memoir plugin enable shy`. */
  text: string;
}

/** Every pause. The error is shown here only where no subscription shows it: after a restart, say. */
export function pausedParts(
  plugins: readonly PluginInfo[],
  subscriptions: readonly SubscriptionInfo[],
  now: number,
): PausedPart[] {
  const shown = new Set(subscriptions.map(({ lastError }) => lastError));
  return plugins.flatMap(({ name, paused = [] }) =>
    paused.map(({ part, error, until }) => {
      const standsIn = plugins.find(({ standby }) => standby?.some((slot) => slot === part));
      const where = part === "everything" ? "" : ` in ${part}`;
      const texts = [
        `plugin ${name} is paused${where} for another ${span(until - now)}`,
        ...(shown.has(error) ? [] : [error]),
        ...(standsIn ? [`${standsIn.name} does its work meanwhile`] : []),
        `at once: \`memoir plugin enable ${name}\``,
      ];
      return { plugin: name, text: texts.join("; ") };
    }),
  );
}

/** `40 s`, `9 min`, `1 h`. */
function span(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
