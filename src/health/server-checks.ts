// Is the server at work: its version, its plugins, the journal, the storage, and what became of what was captured?

import type { RebuildProgress } from "../backfill/rebuild.ts";
import { version } from "../home/version.ts";
import { withoutPasswords } from "../privacy/passwords.ts";
import type { ModelStatus } from "../runtime/budget/model-calls.ts";
import type { EndlessStatus } from "../runtime/endless/endless.ts";
import { guard } from "../runtime/plugins/selection.ts";
import type { MeaningState, SearchIndexState } from "../sdk/storage.ts";
import type { GatewayStatus } from "../server/gateway/gateway.ts";
import type { ServerStatus } from "../server/schemas/status.ts";
import { ago, size } from "../text/amounts.ts";
import { plural } from "../text/text.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { failing, pausedParts } from "./failing.ts";

/** Work that waits longer than this is stuck. */
const stuckMs = 30 * 60_000;

/** Every check that a server's status allows. */
export function checkStatus(status: ServerStatus, now: number): Check[] {
  return [
    ...checkServer(status, now),
    ...checkPlugins(status, now),
    ...checkJournal(status, now),
    ...checkRefused(status),
    ...checkStorage(status, now),
    ...(status.rebuild ? [ok("memory", rebuildText(status.rebuild))] : []),
    ...checkCapture(status),
    ...checkModels(status.models),
    ...checkEndless({ ...status.endless, damaged: untold(status, status.endless.damaged) }),
    ...checkGateway(status.gateway),
  ];
}

/** Whether the spool got them, nobody can say here: those that it did not are counted apart. */
function checkRefused({ refused }: ServerStatus): Check[] {
  const { journal_unwritable: unwritable = 0 } = refused;
  if (unwritable === 0) return [];
  return [
    warn(
      "journal",
      `${plural(unwritable, "event was", "events were")} refused since the server's start: the journal could not be written`,
      "See whether the disk has room and may be written to; hooks keep such events in the spool where they can.",
    ),
  ];
}

function checkServer(status: ServerStatus, now: number): Check[] {
  const about = `memoir ${status.version}, pid ${status.pid}, started ${ago(status.startedAt, now)}`;
  if (status.version === version) return [ok("server", about)];
  return [
    warn(
      "server",
      `${about}; this is memoir ${version}`,
      "Run `memoir server start` with the one that you want.",
    ),
  ];
}

function checkPlugins(
  { plugins, subscriptions, textWithheld }: ServerStatus,
  now: number,
): Check[] {
  const failed = plugins.filter(({ state }) => state === "failed");
  const checks = failed.map(({ name, error }) =>
    fail("plugins", `${name}: ${error ?? "failed"}`, "See `memoir plugin list` and the log."),
  );
  if (textWithheld)
    checks.push(
      fail(
        "privacy",
        "a capture plugin is not in force as configured, so all text is withheld",
        "Correct `slots.capture` or the plugin named above, then run `memoir server stop`.",
      ),
    );
  if (plugins.some(({ name, state }) => name === guard && state === "disabled"))
    checks.push(
      warn(
        "privacy",
        "redaction is switched off: secrets and private parts are kept as they were typed and printed",
        `\`memoir plugin enable ${guard}\` switches it on, for what comes from then on.`,
      ),
    );
  const isOurs = (plugin: string) =>
    plugins.some(({ name, origin }) => name === plugin && origin === "built-in");
  for (const { plugin, text } of failing(subscriptions))
    checks.push(
      warn(
        "plugins",
        text,
        isOurs(plugin)
          ? "The log has more; please report it with those lines."
          : `Correct it, or switch it off: \`memoir plugin disable ${plugin}\`.`,
      ),
    );
  for (const { plugin, text } of pausedParts(plugins, subscriptions, now))
    checks.push(
      warn(
        "plugins",
        text,
        `See \`memoir plugin list\`; off: \`memoir plugin disable ${plugin}\`.`,
      ),
    );
  if (checks.length > 0) return checks;
  const running = plugins.filter(({ state }) => state === "running").length;
  return [ok("plugins", `${running} running`)];
}

/** Files that were set aside and that no finding tells of. */
function untold({ findings }: ServerStatus, damaged: readonly string[]): string[] {
  return damaged.filter((file) => !findings.some(({ aside }) => aside === file));
}

function checkJournal(status: ServerStatus, now: number): Check[] {
  const { journal } = status;
  if ("error" in journal) return [fail("journal", journal.error, "See the log.")];
  const { pendingEvents, parkedWork, parked, oldestPendingAt, bytes } = journal;
  const damaged = untold(status, journal.damaged);
  const checks: Check[] = [];
  const [last] = parked;
  if (parkedWork > 0)
    checks.push(
      fail(
        "journal",
        `${plural(parkedWork, "piece of work was", "pieces of work were")} given up${last ? `; the last: ${last.reason}` : ""}`,
        "Put right what the reason names, then run `memoir server retry`; `memoir status` lists them.",
      ),
    );
  if (oldestPendingAt !== null && now - oldestPendingAt > stuckMs)
    checks.push(
      warn(
        "journal",
        `${pendingEvents} events wait, the oldest since ${ago(oldestPendingAt, now)}`,
        "A session that is still open keeps its last prompt waiting; else see the log.",
      ),
    );
  if (damaged.length > 0)
    checks.push(
      warn("journal", `a damaged file was put aside: ${damaged.join(", ")}`, "Check that disk."),
    );
  return checks.length > 0 ? checks : [ok("journal", `${size(bytes)}, ${waiting(pendingEvents)}`)];
}

function waiting(events: number): string {
  if (events === 0) return "nothing waits";
  return `${plural(events, "event")} waiting for the end of a prompt`;
}

function checkStorage({ storage }: ServerStatus, now: number): Check[] {
  if ("error" in storage)
    return [fail("storage", storage.error, "See `memoir plugin list` and the log.")];
  const { sessions, observations, summaries, bytes, index, meaning, turns } = storage;
  return [
    ok(
      "storage",
      [
        plural(observations, "observation"),
        plural(summaries, "summary", "summaries"),
        plural(sessions, "session"),
        size(bytes),
      ].join(", "),
    ),
    ...checkIndex(index, now),
    ...checkMeaning(meaning, turns),
  ];
}

/** Nothing for a storage without an index of its own. */
function checkIndex(index: SearchIndexState | undefined, now: number): Check[] {
  if (!index) return [];
  if (index.isWhole) {
    const anew = index.madeAnewAt === undefined ? "" : `; made anew ${ago(index.madeAnewAt, now)}`;
    return [ok("search", `finds all of ${plural(index.records, "record")}${anew}`)];
  }
  return [
    warn(
      "search",
      `is being made anew: ${index.indexed} of ${plural(index.records, "record")}`,
      "Wait for it; `memoir memory reindex` begins again and shows how far it is.",
    ),
  ];
}

/** Nothing where words alone are meant to find. */
function checkMeaning(meaning: MeaningState | undefined, turns: number): Check[] {
  if (!meaning) return [];
  const { model, trouble } = meaning;
  if (trouble !== undefined)
    return [
      warn(
        "meaning",
        `words alone find: ${trouble}`,
        "Check the endpoint and `plugins.semantic-search` in config; it is asked again by itself.",
      ),
    ];
  const by = model === "" ? "" : ` by ${model}`;
  return [ok("meaning", `${meaning.turns} of ${plural(turns, "turn")}${by}`)];
}

/** "0 observations" must never stand there without its reason. */
function checkCapture({ journal, storage }: ServerStatus): Check[] {
  if ("error" in journal || "error" in storage) return [];
  const { counters, pendingEvents } = journal;
  const events = sum(counters, "event:");
  const dropped = sum(counters, "drop:");
  if (events === 0 && dropped === 0)
    return [
      warn(
        "capture",
        "no event was captured yet",
        "Work with your agent; sessions that were open before the install do not count until they start anew.",
      ),
    ];
  const about = `${plural(events, "event")} captured, ${dropped} left out`;
  if (storage.observations > 0) return [ok("capture", about)];
  const reasons = Object.entries(counters)
    .filter(([name]) => name.startsWith("drop:") || name.startsWith("skip:"))
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name, count]) => `${name.replace(/^(drop|skip):/, "")} (${count})`);
  const why = [
    ...(pendingEvents > 0 ? [`${pendingEvents} wait for their prompt to end`] : []),
    ...(reasons.length > 0 ? [`left out as ${reasons.join(", ")}`] : []),
  ];
  return [
    warn(
      "capture",
      `${about}, and no observation yet: ${why.join("; ") || "nothing in them was worth one"}`,
      "Routine tool uses give none; observations come when a prompt is done.",
    ),
  ];
}

function sum(counters: Readonly<Record<string, number>>, prefix: string): number {
  return Object.entries(counters).reduce(
    (total, [name, count]) => (name.startsWith(prefix) ? total + count : total),
    0,
  );
}

// Can what Endless Mode takes out be kept, and is what was kept whole?

/** Says nothing where nothing was ever kept. */
export function checkEndless({ kept, fileBytes, damaged, error }: EndlessStatus): Check[] {
  const checks: Check[] = [];
  if (error !== undefined)
    checks.push(
      fail(
        "endless",
        `what Endless Mode keeps cannot be used: ${error}`,
        "Free disk space or give memoir's home its write permission back; until then nothing is left out.",
      ),
    );
  if (damaged.length > 0)
    checks.push(
      warn("endless", `a damaged file was put aside: ${damaged.join(", ")}`, "Check that disk."),
    );
  if (checks.length > 0 || !kept) return checks;
  return [ok("endless", `${plural(kept.references, "original")} kept in ${size(fileBytes)}`)];
}

// Does the gateway listen where the client is led to, and does it reach the API?

/** No check while it is off. */
export function checkGateway(gateway: GatewayStatus | undefined): Check[] {
  if (!gateway?.enabled) return [];
  const { listening, error, port, upstream, requests, failed, unreached } = gateway;
  const off = "`memoir endless gateway off` leads the client past it.";
  if (!listening)
    return [
      fail("gateway", error ?? `it does not listen on port ${port}`, `Free the port. ${off}`),
    ];
  const about = `port ${port} → ${withoutPasswords(upstream)}, ${plural(requests, "request")}`;
  if (unreached > 0)
    return [warn("gateway", `${about}; ${unreached} did not reach it`, "Check the network.")];
  if (failed > 0)
    return [
      warn("gateway", `${about}; ${failed} passed as a strategy failed`, `See the log. ${off}`),
    ];
  return [ok("gateway", about)];
}

// May a model be asked, does one answer, and is there budget left?

/** Above this share of the day's tokens few calls find room. */
const nearlyAll = 0.95;

/** A provider that fails is a warning, not a failure: the heuristic does its work. */
export function checkModels({ providers, inForce, budget, error }: ModelStatus): Check[] {
  if (providers.length === 0) return [ok("models", "none is asked")];
  if (error) return [warn("models", error.message, error.fix)];
  const { dailyTokens, usedToday } = budget;
  const used = `${usedToday.toLocaleString("en")} of ${dailyTokens.toLocaleString("en")} tokens used today`;
  const checks: Check[] = [];
  if (inForce === null)
    for (const { name, error } of providers)
      if (error)
        checks.push(warn("models", `${name}: ${withoutName(error.message, name)}`, error.fix));
  if (usedToday >= dailyTokens * nearlyAll)
    checks.push(warn("models", used, "Raise `budget.dailyTokens`, or wait for tomorrow."));
  if (checks.length > 0) return checks;
  const names = providers.map(({ name }) => name).join(", ");
  return [ok("models", `${inForce ?? names} is asked; ${used}`)];
}

/** A provider's error where its name stands already: `anthropic (m) did not …` → `it did not …`. */
export function withoutName(message: string, name: string): string {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : undefined;
  return rest === undefined ? message : `it ${rest.replace(/^\([^)]*\) /, "")}`;
}

// What is said while memory that was lost is made again.

/** One line: how far it is, and what came of it so far. */
export function rebuildText({ sessions, records }: RebuildProgress): string {
  const { done, total } = sessions;
  return `what was lost is being made again: ${done} of ${plural(total, "session")} looked at, ${plural(records, "record")} so far`;
}
