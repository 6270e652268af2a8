// The way of an event, in the order in which it goes: the capture plugins, the size of its transcript, the way itself (journal,
// worker, plugins), their replies as one, what the session got; and last what the person has to hear with it.

import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import {
  findingsFile,
  findingText,
  type KnownFinding,
  markShown,
  openFindings,
  pruneFindings,
} from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import type { ToolOriginal } from "../../sdk/endless.ts";
import {
  type ClientEvent,
  type ClientEventName,
  contextLimit,
  type Reply,
} from "../../sdk/events.ts";
import { within } from "../../sdk/within.ts";
import { cut, dropOldest, estimateTokens } from "../../text/text.ts";
import type { ConfigFile } from "../config/parse.ts";
import { problemText } from "../config/problems.ts";
import type { Endless } from "../endless/endless.ts";
import { unchangeableFields } from "../hooks/hook-table.ts";
import { isDrop } from "../hooks/hooks.ts";
import type { Appended } from "../journal/append.ts";
import type { Journal } from "../journal/journal.ts";
import { createDuplicates } from "../journal/seen-before.ts";
import type { Generation } from "../plugins/generations.ts";
import type { Answer, Captured, HandleResult, Hooks } from "../ports.ts";
import type { Worker } from "../worker/worker.ts";
import { withholdText } from "./redact-event.ts";

// An event on its way in: through the capture plugins, and without its text where they failed.

/** Runs the capture plugins. Fails closed: when one failed, or one is missing (`broken`), the text is withheld. */
export async function captureEvent(
  event: ClientEvent,
  hooks: Hooks,
  broken: boolean,
): Promise<Captured> {
  const { value, failed, by } = await hooks.reduce("capture", event);
  if (isDrop(value)) return { drop: String(value.drop), by: by ?? "capture" };
  // A user's plugin was held against it before; a built-in one only here.
  if (!isSameEvent(value, event))
    return { event: withholdText(event), failed: [...failed, "capture"] };
  return { event: broken || failed.length > 0 ? withholdText(value) : value, failed };
}

function isSameEvent(value: ClientEvent, event: ClientEvent): boolean {
  const given = value as unknown as Record<string, unknown>;
  const before = event as unknown as Record<string, unknown>;
  return unchangeableFields.every((field) => given[field] === before[field]);
}

// Notes how long the transcript was when an event came, so that whoever reads it later knows where that was.

/** How long the event's transcript is now; undefined where that is not to be noted. Never rejects; answers within about `waitMs`. */
type TranscriptSize = (event: ClientEvent) => Promise<number | undefined>;

const sized: ReadonlySet<ClientEventName> = new Set([
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStop",
  "Stop",
]);
/** Somebody waits for the answer to the event; a file on the user's own disk answers in microseconds. */
const waitMs = 25;
/** More would be hanging: a file system that does not answer must not take every thread that reads files. */
const mostAtOnce = 2;

/** Only for files named after the session. An event that is old (from the spool) would get a later size: it gets none. */
export function createTranscriptSize(
  now: () => number,
  size: (path: string) => Promise<number> = async (path) => (await stat(path)).size,
): TranscriptSize {
  let asked = 0;
  return async (event) => {
    const { transcriptPath: path, session, time } = event;
    if (path === undefined || event.transcriptBytes !== undefined || !sized.has(event.name))
      return undefined;
    if (basename(path) !== `${session}.jsonl` || now() - time > recentMs || asked >= mostAtOnce)
      return undefined;
    asked++;
    const answer = size(path)
      .catch(() => undefined)
      .finally(() => {
        asked--;
      });
    return within(waitMs, answer, undefined);
  };
}

// The way itself.

/** What an event meets on its way. */
interface EventWayDeps {
  journal: Journal;
  worker: Worker;
  hooks: Hooks;
  endless: Endless;
  capture(event: ClientEvent, own: Generation): Promise<Captured>;
  notices: Notices;
  /** What there is to say to the person besides: of memoir's own files, say. */
  findings: readonly FindingNotice[];
  log: Log;
  now: () => number;
  /** How long a new session waits for the work of earlier ones in its project, in ms. */
  sessionWaitMs: number;
}

/** What comes with an event. */
interface Accompanied {
  /** The tool use as the client sent it, unshortened. */
  original?: ToolOriginal | undefined;
  /** Something else that the person has to hear. */
  notice?: string | undefined;
  /** Aborted when nobody waits for the answer any more. */
  abandoned?: AbortSignal | undefined;
}

/** Takes events in and answers them, with the plugins of one generation. */
export type EventWay = ReturnType<typeof createEventWay>;

/** Somebody may still be waiting for the answer to an event this young; an older one comes from the spool. */
const recentMs = 5_000;

const shown: ReadonlySet<ClientEvent["name"]> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "Stop",
]);

/** Whether a client shows the answer to this event to the person at once. */
function isShown({ name, agent }: ClientEvent): boolean {
  return shown.has(name) && !agent;
}

function withSize(event: ClientEvent, transcriptBytes: number | undefined): ClientEvent {
  return transcriptBytes === undefined ? event : { ...event, transcriptBytes };
}

/** A tool use waits for others before anything is made of it. */
function gathers({ name }: ClientEvent): boolean {
  return name === "PostToolUse" || name === "PostToolUseFailure";
}

/** Nothing is taken in before the first `take`. Long because it is the way of an event, in the order in which it goes. */
export function createEventWay(deps: EventWayDeps) {
  const { journal, worker, hooks, endless, capture, notices, log, now, sessionWaitMs } = deps;
  const sizeOf = createTranscriptSize(now);
  const duplicates = createDuplicates(now);
  /** Whether somebody may still be waiting for its answer. */
  const isRecent = (event: ClientEvent) => now() - event.time <= recentMs;

  /** Resolves once the event is committed and answered; rejects only when it could not be committed. */
  async function take(
    event: ClientEvent,
    generation: Generation,
    { original, notice, abandoned }: Accompanied,
  ): Promise<HandleResult> {
    if (duplicates.isSecond(event)) {
      const systemMessage = isShown(event) ? duplicates.notice(event) : undefined;
      return { reply: systemMessage ? { systemMessage } : {}, accepted: "duplicate" };
    }
    // Asked first: the disk answers while the event is captured.
    const size = sizeOf(event);
    const captured = await capture(event, generation);
    if ("drop" in captured) {
      countDropped(event, captured.drop);
      endless.heard(event);
      return { reply: {}, accepted: "dropped", reason: captured.drop };
    }
    if (captured.event.withheld) journal.count("withheld");
    const { isNew, row } = await appended(withSize(captured.event, await size));
    if (isNew) worker.wake(captured.event.session, { gathers: gathers(captured.event), row });
    await waitForEarlierWork(captured.event);
    const release = endless.keepOriginal(original, event, captured.event, (again) =>
      capture(again, generation),
    );
    const given = await replyTo(captured.event, generation).finally(release);
    const isTaken = given.updatedToolOutput !== undefined && !abandoned?.aborted;
    endless.answered(captured.event, isTaken);
    endless.heard(captured.event);
    const wrongConfig = event.name === "SessionStart" ? configNotice(generation.file) : undefined;
    const reply = withNotice(captured.event, given, [wrongConfig, notice]);
    // Nobody waits for it any more, or the event came from the spool: no session reads the reply.
    if (!abandoned?.aborted && isRecent(captured.event))
      noteInjection(journal, captured.event, reply, generation.hooks);
    return { reply, accepted: isNew ? "committed" : "duplicate" };
  }

  function countDropped(event: ClientEvent, reason: string): void {
    if (!duplicates.isNewDrop(event)) return;
    journal.count(`drop:${reason}`);
    if (event.name !== "PostToolUse" && event.name !== "PostToolUseFailure") return;
    journal.count("settled:skipped");
    const { session, toolUseId } = event;
    const end = { session, toolUseId, outcome: "skipped" as const, reason, observations: [] };
    worker.settled(end);
    void hooks.parallel("settled", end);
  }

  /** What the disk did not take may stand in the journal all the same: its next delivery is a duplicate, and nobody would be woken for it. */
  async function appended(event: ClientEvent): Promise<Appended> {
    try {
      return await journal.append(event);
    } catch (error) {
      worker.wake(event.session);
      throw error;
    }
  }

  /** A session that starts right after another one should know what that one did. */
  async function waitForEarlierWork(event: ClientEvent): Promise<void> {
    if (event.name !== "SessionStart" || !event.project) return;
    if (!isRecent(event)) return;
    try {
      await worker.drain({ project: event.project.id, timeoutMs: sessionWaitMs });
    } catch (error) {
      log.warn("earlier work was not waited for", { error });
    }
  }

  /**
   * The plugins' reply to an event that was captured already; nothing is kept. The hook bears the event's name. Plugins of
   * any slot may answer it, most of them those of `context-injection` (`defaultSlots` in `plugins/registry.ts`), and listeners
   * (`builtins.ts`): `pre`, `normal`, `post`, and inside each in the order of that slot, the others behind.
   */
  async function replyTo(event: ClientEvent, generation: Generation): Promise<Reply> {
    const replies = await generation.hooks.sequence(event.name, event);
    const { reply, leftOut, noted } = mergeReplies(replies);
    const project = event.project?.id ?? event.cwd;
    for (const name of noted) journal.note({ project, time: event.time, name });
    if (leftOut.length > 0) log.warn("context left out: no room", { plugins: leftOut });
    return reply;
  }

  /** What has to be said once, where somebody reads it: not in the answer to an event out of the spool. */
  function withNotice(
    event: ClientEvent,
    reply: Reply,
    others: ReadonlyArray<string | undefined>,
  ): Reply {
    if (!isRecent(event) || !isShown(event)) return reply;
    const found = deps.findings.map((notice) => notice(event));
    const said = [notices.take(event), ...found, ...others].filter(Boolean);
    if (said.length === 0) return reply;
    const systemMessage = [reply.systemMessage, ...said].filter(Boolean).join("\n");
    return { ...reply, systemMessage };
  }

  return { take, replyTo, isRecent };
}

// Many plugins' replies → the one that the client gets.

/** Names that may be counted, so that counters stay few and hold no text. */
const isCount = /^[a-z][a-z-]{0,30}:[a-z][a-z-]{0,30}$/;
const mostNoted = 20;

const between = "\n\n";

/**
 * Contexts and messages are joined in order; of tool outputs the last counts. A context that does not fit
 * whole is left out, so that none is cut in the middle; `leftOut` names its plugin. `noted` is for the counters, not for the client.
 */
export function mergeReplies(answers: ReadonlyArray<Answer<Reply>>): {
  reply: Reply;
  leftOut: string[];
  noted: string[];
} {
  const reply: Reply = {};
  const contexts: string[] = [];
  const messages: string[] = [];
  const records: string[] = [];
  const traces: string[][] = [];
  const leftOut: string[] = [];
  const noted: string[] = [];
  const isTraced = answers.some(({ result }) => result.traces !== undefined);
  let used = 0;
  for (const { plugin, result } of answers) {
    if (typeof result.context === "string" && result.context.trim() !== "") {
      const wanted = result.context.length + (contexts.length > 0 ? between.length : 0);
      if (used + wanted > contextLimit) leftOut.push(plugin);
      else {
        contexts.push(result.context);
        records.push(...(result.records ?? []));
        if (isTraced) traces.push(...tracesOf(result.context, result.traces));
        used += wanted;
      }
    }
    if (result.omitted) reply.omitted = { ...reply.omitted, ...result.omitted };
    noted.push(...(result.noted ?? []).filter((name) => isCount.test(name)).slice(0, mostNoted));
    if (typeof result.systemMessage === "string" && result.systemMessage !== "")
      messages.push(result.systemMessage);
    if (result.updatedToolOutput !== undefined) reply.updatedToolOutput = result.updatedToolOutput;
  }
  if (contexts.length > 0) reply.context = contexts.join(between);
  if (records.length > 0) reply.records = [...new Set(records)];
  if (isTraced && contexts.length > 0) reply.traces = traces;
  if (messages.length > 0) reply.systemMessage = messages.join("\n");
  return { reply, leftOut, noted };
}

/** One for each of its lines, so that the traces of what is joined behind it stand where they belong; none where they do not fit the lines. */
function tracesOf(context: string, traces: string[][] = []): string[][] {
  const lines = context.match(/^- /gm)?.length ?? 0;
  return traces.length === lines ? traces : Array.from({ length: lines }, () => []);
}

// What the session got, for the journal.

/** Costs nothing now: it is written along with the next transaction. */
function noteInjection(
  journal: Pick<Journal, "inject">,
  { client, session, project, cwd, name, time }: ClientEvent,
  { context, records = [] }: Reply,
  hooks: Hooks,
): void {
  if (context === undefined) return;
  const given = { session, project: project?.id ?? cwd, event: name, time };
  const size = { characters: context.length, tokens: estimateTokens(context) };
  journal.inject({ client, ...given, ...size, records });
  void hooks.parallel("shown", { ...given, ids: records });
}

// What the person has to hear once, where they read it: faults of model calls, of memoir's own files, of storage and of config.

export type Notices = ReturnType<typeof createNotices>;

/** An empty list. */
export function createNotices() {
  let waiting: Array<{ text: string; session: string | undefined }> = [];
  return {
    /** Keeps a sentence; with `session`, for that session's user only. */
    add(text: string, session?: string): void {
      waiting.push({ text, session });
    },
    /** What this event's answer is to say, or undefined; said once. */
    take(event: ClientEvent): string | undefined {
      if (waiting.length === 0) return undefined;
      const mine = (session: string | undefined) =>
        session === undefined || session === event.session;
      const said = waiting.filter(({ session }) => mine(session));
      waiting = waiting.filter(({ session }) => !mine(session));
      return said.length > 0 ? said.map(({ text }) => text).join("\n") : undefined;
    },
  };
}

// Says at the next prompt what was found out about memoir's own files; twice, so that it is not overlooked.

/** What there is to say with the answer to an event that the person reads. */
type FindingNotice = (event: ClientEvent) => string | undefined;

/** The list is read again only when its file has changed. */
export function createFindingNotice(home: string): FindingNotice {
  // A list that cannot be shortened is read as it is.
  pruneFindings(home).catch(() => undefined);
  const file = findingsFile(home);
  let known: KnownFinding[] = [];
  let readAt = 0;
  /** Sessions that it was shown in, by finding. */
  const shown = new Map<string, Set<string>>();

  function reread(): void {
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (changedAt === readAt) return;
    readAt = changedAt;
    known = changedAt === 0 ? [] : openFindings(home);
  }

  return (event) => {
    if (event.name === "Stop") return undefined;
    reread();
    const fresh = known.filter(({ id }) => !shown.get(id)?.has(event.session));
    if (fresh.length === 0) return undefined;
    for (const { id } of fresh) shown.set(id, (shown.get(id) ?? new Set()).add(event.session));
    markShown(
      home,
      fresh.map(({ id }) => id),
    );
    return fresh.map((finding) => `memoir: ${findingText(finding)}`).join("\n");
  };
}

// Says that memory cannot be used where its storage plugin did not start: once in each session, for as long as that lasts.

const mostKept = 500;

/** What there is to say with the answer to an event. `why`: the reason why nothing is stored, as it is now. */
export function createStorageNotice(
  why: () => string | undefined,
): (event: ClientEvent) => string | undefined {
  const given = new Map<string, true>();
  return (event) => {
    if (event.name === "Stop" || given.has(event.session)) return undefined;
    const reason = why();
    if (reason === undefined) return undefined;
    given.set(event.session, true);
    dropOldest(given, mostKept);
    return `memoir: memory cannot be used, and this session gets none of it. ${reason} What happens meanwhile is kept, and stored once that is fixed; \`memoir doctor\` says more.`;
  };
}

// What a person has to hear of a config that is not in effect as written, at the start of a session.

/** Longer problems are whole in `memoir doctor`. */
const longestProblem = 200;

/** One line for the terminal, or undefined where nothing is wrong. */
export function configNotice(file: ConfigFile): string | undefined {
  const [first] = file.problems;
  if (!first) return undefined;
  const more = file.problems.length > 1 ? ` (and ${file.problems.length - 1} more)` : "";
  const what = `memoir: ${file.path}: ${cut(problemText(first), longestProblem)}${more}.`;
  return `${what} ${consequence(file)} \`memoir doctor\` says what to do.`;
}

function consequence({ broken, captureUnclear }: ConfigFile): string {
  if (captureUnclear)
    return "memoir can't tell what to leave out, so it stores no text until that is corrected.";
  if (broken) return "The previous settings stay in effect until it is fixed.";
  return "The rest of it is in effect.";
}
