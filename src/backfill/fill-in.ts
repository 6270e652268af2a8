// What a client's hooks leave out and its transcript has by then: the prompt, ids of tool uses, tools that failed, the last words;
// and whole sessions whose hooks did not fire.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { ClientTranscripts } from "../clients/adapter.ts";
import { adapterOf, clientOf, recordedForm } from "../clients/index.ts";
import { SessionEvents } from "../clients/normal/transcript-events.ts";
import type { Log } from "../home/log.ts";
import type { Environment } from "../home/paths.ts";
import { trustedTranscript } from "../runtime/context/read-contexts.ts";
import type { HeardSession, TranscriptMark } from "../runtime/journal/sessions.ts";
import type { ClientEvent } from "../sdk/events.ts";
import { within } from "../sdk/within.ts";
import { dropOldest, textField } from "../text/text.ts";
import type { SessionFiles } from "../transcript/discover.ts";
import type { LineParser } from "../transcript/parse-entry.ts";
import { readTail, type TailPosition } from "../transcript/read.ts";
import type { TranscriptToolUse } from "../transcript/tool-uses.ts";
import { feedSession, isRead, overMs, type Recoverer } from "./feed-session.ts";
import { foldersOf, sessionsIn } from "./plan.ts";

interface FillInDeps {
  runtime: Pick<Recoverer, "recover" | "workOn">;
  env: Environment;
  log: Log;
  /** How long an event waits for its transcript, in ms. */
  waitMs?: number;
}

/** Makes an event whole before it is taken in. Never rejects: what cannot be read leaves the event as it came. */
type FillIn = (event: ClientEvent) => Promise<ClientEvent>;

type Use = Pick<TranscriptToolUse, "id" | "name" | "input">;
/** One that a hook reported. `at`: the client's own word for when, where it has one. */
type ReportedUse = Use & { at: string };

/** One that ended, and by which event and when the transcript tells of it. */
type EndedUse = Use & { event: ClientEvent["name"]; time: number };

/** A session whose transcript is followed. */
interface Followed {
  events: SessionEvents;
  /** The events of a file that was written anew. */
  begin(): SessionEvents;
  parse: LineParser | undefined;
  folder: string;
  reaches: ClientTranscripts["reaches"];
  /** What was before its first hook is `memoir backfill`'s, which asks. */
  since: number;
  position?: TailPosition;
  /** Tool uses that ended and that no hook reported so far, oldest first. */
  ended: ClientEvent[];
  /** The newest of those that ended, by id: a hook may tell of one late, beside others or long after. */
  outcomes: Map<string, ClientEvent>;
  /** The hooks tell every prompt. */
  tellsPrompts: boolean;
  /** What every finished tool use was, by id, the newest last. */
  finished: Map<string, EndedUse>;
  /** Finished tool uses that a hook reported, by id, the newest last. */
  claimed: Map<string, ReportedUse>;
}

const mostFollowed = 100;
const mostClaimed = 200;
/** As many as run beside each other at most, whose outputs may be long. */
const mostOutcomes = 20;
/** Between two looks at a file whose lines come late. */
const pauseMs = 30;
/** Without their outputs: as many as wait in the spool while no server runs. */
const mostEnded = 500;
/** The line of a prompt may stand in the file before the first hook runs. */
const slackMs = 5_000;

/** For clients whose transcripts are said to fill in; events of all others go through untouched. */
export function createFillIn({ runtime, env, log, waitMs = 500 }: FillInDeps): FillIn {
  const followed = new Map<string, Followed>();
  /** Reads of one session go one after the other. */
  let turn: Promise<unknown> = Promise.resolve();

  async function follow(event: ClientEvent): Promise<Followed | undefined> {
    const path = pathOf(event);
    const key = `${event.client}:${event.session}:${path}`;
    const known = followed.get(key);
    if (known) return known;
    const begun = await begin(event, path, env);
    if (!begun) return undefined;
    followed.set(key, begun);
    dropOldest(followed, mostFollowed);
    return begun;
  }

  /** Takes in what is new in the file, but for tool uses that a hook may still tell of. */
  async function read(one: Followed, event: ClientEvent): Promise<ClientEvent> {
    const path = pathOf(event);
    const until = performance.now() + waitMs;
    const find = () => trustedTranscript(path, event.session, [one.folder]);
    let file = await find();
    while (!file && isAwaited(event, one) && performance.now() < until) {
      await pause(pauseMs);
      file = await find();
    }
    if (!file) return event;
    const found = await readUntil(file.path, one, event, until);
    const news = found.filter(({ name, time }) => time >= one.since && isFilledIn.has(name));
    for (const reported of news) {
      if (!("toolUseId" in reported)) continue;
      one.ended.push(reported);
      one.outcomes.set(reported.toolUseId, reported);
      const { toolUseId: id, toolName, toolInput: input, name, time } = reported;
      one.finished.set(id, { id, name: toolName, input, event: name, time });
    }
    dropOldest(one.outcomes, mostOutcomes);
    dropOldest(one.finished, mostEnded);
    const whole = complete(event, one);
    const isWanted = ({ name }: ClientEvent) => name === "UserPromptSubmit" && !one.tellsPrompts;
    const prompts = news.filter(isWanted);
    const others = one.ended.filter((reported) => idOf(reported) !== idOf(whole));
    one.ended = [];
    await recover(event, [...prompts, ...others]);
    return whole;
  }

  async function recover(event: ClientEvent, news: readonly ClientEvent[]): Promise<void> {
    if (news.length === 0) return;
    const recovered = await runtime.recover(news);
    if (recovered.includes("committed")) runtime.workOn(event.session);
  }

  return async (reported) => {
    if (reported.recovered) return reported;
    let event = reported;
    try {
      event = await placed(reported, env);
      const one = await follow(event);
      if (!one || !isWaitedFor.has(event.name)) return event;
      const mine = turn.then(() => read(one, event));
      turn = mine.catch(() => undefined);
      return await within(waitMs, mine, event);
    } catch (error) {
      log.warn("a transcript could not be asked for what a hook left out", {
        session: event.session,
        error,
      });
      return event;
    }
  };
}

/** Whether what led to it may be written only after it. */
function isAwaited({ name }: ClientEvent, { reaches }: Followed): boolean {
  return name === "Stop" && reaches !== undefined;
}

/** What is new in the file. Of a client whose lines come late, until what led to a Stop stands there. */
async function readUntil(
  path: string,
  one: Followed,
  event: ClientEvent,
  until: number,
): Promise<ClientEvent[]> {
  const found: ClientEvent[] = [];
  for (;;) {
    const tail = await readTail(path, one.position, { parse: one.parse });
    const { entries, position, restarted } = tail;
    one.position = position;
    if (restarted) one.events = one.begin();
    for (const entry of entries)
      found.push(...one.events.add(entry).map((reported) => reported.event));
    if (!isAwaited(event, one)) return found;
    const isThere = entries.some((entry) => entry.kind !== "broken" && one.reaches?.(event, entry));
    if (isThere || performance.now() >= until) return found;
    await pause(pauseMs);
  }
}

/** With the transcript's path, where the client does not say it. */
async function placed(event: ClientEvent, env: Environment): Promise<ClientEvent> {
  const client = event.transcriptPath === undefined ? clientOf(event.client) : undefined;
  const path = client && (await adapterOf(client)).transcripts?.pathOf?.(event.session, env);
  return path === undefined ? event : { ...event, transcriptPath: path };
}

/** Undefined where the client's transcripts fill nothing in. */
async function begin(
  event: ClientEvent,
  path: string,
  env: Environment,
): Promise<Followed | undefined> {
  const client = clientOf(event.client);
  if (!client || path === "") return undefined;
  const { transcripts } = await adapterOf(client);
  if (!transcripts?.fillsIn) return undefined;
  const { of, parse } = await recordedForm(event.client, event.cwd);
  const { session, transcriptPath = path } = event;
  const { id, type } = event.agent ?? {};
  const agent =
    id === undefined || path === event.transcriptPath
      ? {}
      : { agent: { id, ...(type !== undefined && { type }), path } };
  const start = () =>
    new SessionEvents({ ...{ session, transcriptPath }, ...(of && { of }), ...agent });
  return {
    ...{ events: start(), begin: start },
    ...{ parse, folder: transcripts.folder(env), since: event.time - slackMs },
    reaches: transcripts.reaches,
    ...{ ended: [], outcomes: new Map(), finished: new Map(), claimed: new Map() },
    tellsPrompts: client.abilities.prompts === "hook",
  };
}

/** What a transcript may tell in a hook's place. */
const isFilledIn: ReadonlySet<string> = new Set([
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
]);
/** Before these it is looked at. */
const isWaitedFor: ReadonlySet<string> = new Set([
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure"],
  ...["UserPromptSubmit", "Stop", "SessionEnd"],
]);

/** Where the one that did it is written down: a subagent may have a file of its own. */
function pathOf({ agent, extra, transcriptPath = "" }: ClientEvent): string {
  return (agent && textField(extra, "agent_transcript_path")) || transcriptPath;
}

function idOf(event: ClientEvent): string | undefined {
  return "toolUseId" in event ? event.toolUseId : undefined;
}

/**
 * With the id that the transcript has for the tool use, or with its outcome where the hook has the id; with the last
 * words, where the hook has none.
 */
function complete(event: ClientEvent, one: Followed): ClientEvent {
  if (event.name === "Stop") return withLastWords(event, one.events.said());
  if (!("toolUseId" in event)) return event;
  // An id of the delivery's own stands in for one that the client does not tell.
  if (event.toolUseId !== event.id) return withOutcome(event, one.outcomes.get(event.toolUseId));
  const id = idFor(event, one);
  if (id === undefined) return event;
  if (event.name !== "PreToolUse") {
    const { toolName: name, toolInput: input } = event;
    one.claimed.set(id, { id, name, input, at: heardAt(event) });
    dropOldest(one.claimed, mostClaimed);
  }
  const key = event.key.endsWith(event.id) ? event.key.slice(0, -event.id.length) + id : event.key;
  return { ...event, toolUseId: id, key };
}

/** The id that the transcript has for a tool use, or will have; undefined where nobody knows. */
function idFor(event: ToolEvent, { finished, claimed, events }: Followed): string | undefined {
  const { name: reported, toolName, toolInput, time } = event;
  const isSame = ({ name, input }: Use) => name === toolName && isDeepStrictEqual(input, toolInput);
  const ended = [...finished.values()].filter(
    (use) => use.event === reported && use.time >= time - slackMs,
  );
  const unclaimed = [...ended, ...events.open()].filter(({ id }) => !claimed.has(id));
  const use = unclaimed.find(isSame);
  if (use) return use.id;
  // Where every such use is reported already, this one came by two roads; where they are counted, it may be the next.
  const at = heardAt(event);
  const twin = [...claimed.values()].findLast((one) => isSame(one) && one.at === at);
  if (twin || reported === "PreToolUse") return twin?.id;
  return events.idAhead({ name: toolName, input: toolInput }, (id) => claimed.has(id));
}

type ToolEvent = Extract<ClientEvent, { toolUseId: string }>;

function heardAt({ extra }: ClientEvent): string {
  return textField(extra, "timestamp");
}

/** A hook without last words gets them; one with all words since the prompt, the last ones. */
function withLastWords(event: StopEvent, said: string): ClientEvent {
  const reported = event.lastAssistantMessage;
  const isMore = reported?.trimEnd().endsWith(said) && reported.length > said.length;
  if (said === "" || (reported !== undefined && !isMore)) return event;
  return { ...event, lastAssistantMessage: said };
}

type StopEvent = ClientEvent & { name: "Stop" };

/** The event of a tool that ended, as the transcript tells of it: an exit code, the lines around a change. */
function withOutcome(event: ClientEvent, reported: ClientEvent | undefined): ClientEvent {
  if (!reported || event.name === "PreToolUse") return event;
  const {
    recovered: _recovered,
    transcriptBytes: _bytes,
    transcriptPath: _path,
    ...outcome
  } = reported;
  const { id, time, cwd, transcriptPath, promptId, agent, extra } = event;
  return {
    ...{ ...outcome, id, time, cwd },
    ...(transcriptPath !== undefined && { transcriptPath }),
    ...(promptId !== undefined && { promptId }),
    ...(agent && { agent }),
    ...(extra && { extra }),
  };
}

// Keeps up with sessions whose hooks did not fire: looks, now and then, at transcripts that went quiet in folders that hooks deliver from.

interface WatchDeps {
  runtime: Recoverer & { heard(): HeardSession[] };
  home: string;
  log: Log;
  /** Epoch ms. */
  now(): number;
  /** Resolves when nothing that was lost is being made again: it would be taken for news. */
  ready?(): Promise<void>;
  /** Milliseconds between two looks. */
  everyMs: number;
  /** Replaceable in tests; answers a function that cancels. */
  timer?(callback: () => void, ms: number): () => void;
}

interface Watch {
  /** Looks now; resolves when what was found is in memory. Looks wait for one another. */
  look(): Promise<void>;
  /** Ends the looks, also one under way. */
  stop(): Promise<void>;
}

/**
 * Only folders in which a hook fired are looked at, so that a project where memoir is not registered stays out. Only
 * what happened since a hook first fired there is taken: everything before is `memoir backfill`'s, which asks. No model
 * is asked. A look costs one listing a folder; between two looks nothing runs.
 */
export function startWatch(deps: WatchDeps): Watch {
  const { runtime, log, now, timer = systemTimer } = deps;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let cancel = (): void => {};

  async function take(files: SessionFiles, since: number): Promise<void> {
    try {
      const { counts } = await feedSession(files, {
        ...deps,
        reader: "watch",
        modelFree: true,
        since,
        signal: stopping.signal,
      });
      if (counts.committed > 0)
        log.info("a session was taken from its transcript", { session: files.session, ...counts });
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.warn("a transcript could not be imported", { session: files.session, error });
    }
  }

  async function look(): Promise<void> {
    const heard = runtime.heard();
    const heardAt = new Map(heard.map((one) => [one.session, one.heardAt]));
    /** What is still being written is left to its hooks, or to a later look. */
    const isQuiet = (session: string, changedAt: number) =>
      now() - changedAt > overMs && now() - (heardAt.get(session) ?? 0) > overMs;
    for (const { folder, client, since } of foldersOf(heard)) {
      const marks = runtime.marks("watch");
      if (!(await hasNews(folder, since, marks))) continue;
      for (const files of await sessionsIn(folder, client)) {
        if (stopping.signal.aborted) return;
        const { changedAt, session, main } = files;
        if (main && changedAt >= since && isQuiet(session, changedAt) && !isRead(files, marks))
          await take(files, since);
      }
    }
  }

  function lookInTurn(): Promise<void> {
    cancel();
    running = running
      .then(() => deps.ready?.())
      .then(look)
      .catch((error: unknown) => {
        log.warn("transcripts could not be looked at", { error });
      });
    void running.then(() => {
      // Of two looks in a row each would leave a timer.
      cancel();
      if (!stopping.signal.aborted) cancel = timer(() => void lookInTurn(), deps.everyMs);
    });
    return running;
  }

  cancel = timer(() => void lookInTurn(), deps.everyMs);
  return {
    look: lookInTurn,
    async stop() {
      stopping.abort();
      cancel();
      await running;
    },
  };
}

/** True when a session's file changed since it was read; costs a listing and a look at each file. */
async function hasNews(
  folder: string,
  since: number,
  marks: ReadonlyMap<string, TranscriptMark>,
): Promise<boolean> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".jsonl")) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found) continue;
    const changedAt = Math.round(found.mtimeMs);
    const mark = marks.get(path);
    if (changedAt >= since && (mark?.bytes !== found.size || mark.changedAt !== changedAt))
      return true;
  }
  return false;
}

function systemTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
