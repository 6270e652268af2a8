// Endless Mode in the transcript: finished tools' inputs are cleared, what was observed about them is put in, and the next resume reads it so.
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { wrapContext } from "../../src/privacy/index.ts";
import type { ClientEvents, Observation, Reply, Settled } from "../../src/sdk/index.ts";
import {
  type ClientEvent,
  definePlugin,
  moveFile,
  type PluginContext,
} from "../../src/sdk/index.ts";
import {
  type Clearing,
  createClearing,
  leastInput,
  tellObservations,
} from "../../src/strategy/index.ts";
import { dropOldest } from "../../src/text/index.ts";
import {
  pruneUndo,
  recoverReplacements,
  sessionUse,
  undoFolder,
} from "../../src/transcript/index.ts";
import { type Config, ConfigSchema } from "./config.ts";
import { ownFiles, rewriteOne, type SessionFile } from "./rewrite.ts";

// Waiting for a tool use to be settled, so that its observation reaches the model in the same session.

type ToolUse = ClientEvents["PostToolUse"];

/** Longest text given for one tool use; the client's own limit is 10,000. */
const maxCharacters = 4_000;
/** An event older than this comes from the spool: nobody waits for its answer. */
const freshMs = 5_000;
/** Sessions and observations that are remembered. */
const most = 5_000;

/** What is remembered between calls. */
interface Waits {
  /** PreToolUse was seen at this time (epoch ms), by tool-use id. */
  begun: Map<string, number>;
  /** Observations that were given, as `session id`. */
  given: Set<string>;
}

export function createWaits(): Waits {
  return { begun: new Map(), given: new Set() };
}

/** A tool is about to run. */
export function begin({ begun }: Waits, toolUseId: string, time: number): void {
  begun.set(toolUseId, time);
  dropOldest(begun, most);
}

/** Blocks until the tool use ended one way or another, at most `waitSeconds`; answers with what was observed. */
export async function waitFor(
  event: ToolUse,
  ctx: PluginContext<Config>,
  { begun, given }: Waits,
): Promise<Reply | undefined> {
  if (event.recovered || ctx.now() - event.time > freshMs) return undefined;
  const { session, toolUseId, toolName: tool } = event;
  const about = {
    ...{ session, tool, toolUseId },
    ...(event.project && { project: event.project.id }),
    ...(event.agent && { agent: event.agent.id }),
  };
  const from = ctx.now();
  const waitMs = ctx.config.waitSeconds * 1_000;
  const settled: Settled | undefined = await ctx.endless.settled(toolUseId, waitMs);
  // Not every model's ids are unlike those of its other sessions, whose observations are none of this one's business.
  const end = settled?.session === session ? settled : undefined;
  const ms = ctx.now() - from;
  const started = begun.get(toolUseId);
  begun.delete(toolUseId);
  ctx.log.debug("waited for a tool use", { ms, outcome: end?.outcome ?? "timed out" });
  // The tool itself, with what the client asks in between.
  if (started !== undefined)
    await ctx.endless.note({ kind: "ran", ...about, ms: Math.max(0, event.time - started) });
  if (!end) {
    await ctx.endless.note({ kind: "timed-out", ...about, ms });
    return undefined;
  }
  await ctx.endless.note({ kind: "waited", ...about, ms, reason: end.outcome });
  // Of tools that ran side by side, one tells what was observed of all.
  const fresh = end.observations.filter((id) => !given.has(`${session} ${id}`));
  const observations = await byId(ctx, fresh);
  if (observations.length === 0) return undefined;
  const records = observations.map(({ id }) => id);
  for (const id of records) given.add(`${session} ${id}`);
  dropOldest(given, most);
  const body = `memoir observed:\n\n${tellObservations(observations, maxCharacters - 300)}`;
  const context = wrapContext(body, { "tool-use": toolUseId });
  await ctx.endless.note({ kind: "injected", ...about, characters: context.length });
  return { context, records };
}

async function byId(ctx: PluginContext, ids: readonly string[]): Promise<Observation[]> {
  if (ids.length === 0) return [];
  const records = await ctx.storage.get({ ids: [...ids] });
  return records.flatMap((one) => (one.kind === "observation" ? [one.record] : []));
}

// Sessions whose end was seen, on disk until their transcripts are done: the client's process may take its time, the server may go.

const EndedSchema = v.object({
  path: v.string(),
  project: v.optional(v.string()),
  /** Epoch ms. */
  at: v.number(),
});
const FileSchema = v.record(v.string(), EndedSchema);

/** A session that ended. */
export type Ended = v.InferOutput<typeof EndedSchema>;

/** What is to be done with one of them now: `later` keeps it. */
type Look = (session: string, ended: Ended) => Promise<"done" | "later">;

const firstMs = 200;
const longestMs = 30_000;
/** Clients delete their transcripts after a month; until then the session may be resumed and end again. */
const keepMs = 7 * 86_400_000;

type EndedSessions = ReturnType<typeof createEnded>;

/** `now` in epoch ms. */
export function createEnded(path: string, look: Look, now: () => number) {
  let sessions = new Map<string, Ended>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = firstMs;
  let looking: Promise<void> = Promise.resolve();
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  function save(): Promise<void> {
    writing = writing.then(() => write(path, sessions)).catch(() => {});
    return writing;
  }
  function schedule(ms: number): void {
    clearTimeout(timer);
    if (stopped || sessions.size === 0) return;
    delay = ms;
    timer = setTimeout(() => {
      looking = lookAtAll().finally(() => schedule(Math.min(delay * 2, longestMs)));
    }, ms);
    timer.unref?.();
  }
  async function lookAtAll(): Promise<void> {
    let changed = false;
    for (const [session, ended] of [...sessions]) {
      if (stopped) break;
      const old = now() - ended.at > keepMs;
      const next = old ? "done" : await look(session, ended);
      // It may have been resumed and have ended again meanwhile.
      if (next === "done" && sessions.get(session) === ended)
        changed = sessions.delete(session) || changed;
    }
    if (changed) await save();
  }

  return {
    async add(session: string, ended: Ended): Promise<void> {
      sessions.set(session, ended);
      await save();
      schedule(firstMs);
    },
    /** It goes on. */
    async drop(session: string): Promise<void> {
      if (sessions.delete(session)) await save();
    },
    /** Looks at all of them now and again until none is left; starts with those of an earlier process. */
    async start(): Promise<void> {
      sessions = new Map([...(await read(path)), ...sessions]);
      schedule(firstMs);
    },
    /** Waits for the look that is under way. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await writing;
    },
  };
}

async function read(path: string): Promise<Array<[string, Ended]>> {
  try {
    return Object.entries(v.parse(FileSchema, JSON.parse(await readFile(path, "utf8"))));
  } catch {
    return [];
  }
}

async function write(path: string, sessions: ReadonlyMap<string, Ended>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.tmp`;
  await writeFile(draft, JSON.stringify(Object.fromEntries(sessions)), { mode: 0o600 });
  await moveFile(draft, path);
}

interface State {
  waits: Waits;
  clearing: Clearing;
  ended: EndedSessions;
  /** Sessions in which something may be cleared since the last rewrite at tool time. */
  stale: Set<string>;
  /** Transcripts being rewritten at tool time. */
  busy: Set<string>;
}

/** Over what the wait itself takes. */
const answerMs = 5_000;
/** A rewrite at tool time; a larger file is left for later. */
const liveMs = 20_000;
const liveBytes = 50_000_000;
/** Clients delete transcripts after a month; what undoes a rewrite of one that is gone goes a week after it was written. */
const goneMs = 7 * 86_400_000;
/** How long observations are waited for once the session is closed. */
const settleMs = 15_000;

export default definePlugin<Config, State>({
  name: "transcript",
  description:
    "Clears finished tools' large inputs in the transcript and puts in what was observed, for the next resume.",
  sdk: 1,
  slot: "endless-mode",
  config: ConfigSchema,
  async start(ctx) {
    const clearing = await createClearing(ctx);
    const look = (session: string, ended: Ended) => rewriteClosed(session, ended, clearing, ctx);
    const ended = createEnded(join(ctx.home, "endless", "ended.json"), look, ctx.now);
    for (const { path, replaced } of await recoverReplacements(undoFolder(ctx.home)))
      ctx.log.info("a rewrite was cut off and put in order", { path, replaced });
    await pruneUndo(undoFolder(ctx.home), ctx.now(), goneMs);
    await ended.start();
    return { waits: createWaits(), clearing, ended, stale: new Set(), busy: new Set() };
  },
  stop: async (state) => state?.ended.stop(),
  hooks: {
    SessionStart: (event, { state }) => state.ended.drop(event.session),
    UserPromptSubmit(event, { state }) {
      state.stale.add(event.session);
    },
    PreToolUse: (event, { state }) => begin(state.waits, event.toolUseId, event.time),
    PostToolUse: {
      deadlineMs: ({ wait, waitSeconds, rewrite }) =>
        (wait ? waitSeconds * 1_000 + answerMs : 1_000) + (rewrite === "live" ? liveMs : 0),
      async handler(event, ctx) {
        const reply = ctx.config.wait ? await waitFor(event, ctx, ctx.state.waits) : undefined;
        if (ctx.config.rewrite === "live" && !event.recovered && !event.agent)
          await rewriteLive(event, ctx, ctx.state);
        return reply;
      },
    },
    SubagentStop: {
      deadlineMs: ({ rewrite }) => (rewrite === "live" ? liveMs : 1_000),
      async handler(event, ctx) {
        if (ctx.config.rewrite !== "live" || event.recovered || !event.agent) return;
        await rewriteLive(event, ctx, ctx.state);
      },
    },
    async SessionEnd(event, ctx) {
      if (ctx.config.rewrite === "never" || event.recovered || !event.transcriptPath) return;
      const project = event.project?.id;
      const path = event.transcriptPath;
      await ctx.state.ended.add(event.session, {
        path,
        ...(project && { project }),
        at: ctx.now(),
      });
    },
  },
});

/** Rewrites all files of a session once no client has it open. */
async function rewriteClosed(
  session: string,
  { path, project }: Ended,
  clearing: Clearing,
  ctx: PluginContext<Config>,
): Promise<"done" | "later"> {
  const use = await sessionUse(path, session);
  if (use === "open") return "later";
  if (use === "unknown") {
    const reason = "the client does not say whether the session is open";
    await ctx.endless.note({ kind: "declined", session, ...(project && { project }), reason });
    return "done";
  }
  const mayReplace = async () => (await sessionUse(path, session)) === "closed";
  const task = { session, ...(project && { project }), live: false, mayReplace, settleMs };
  for (const file of await ownFiles(path, session))
    await attempt({ ...file, ...task, clearing }, ctx);
  return "done";
}

/** Rewrites what an open session can spare: its own file before a tool's answer goes out, or a subagent's that ended. */
async function rewriteLive(
  event: ClientEvent,
  ctx: PluginContext<Config>,
  { stale, busy, clearing }: State,
): Promise<void> {
  const { session, transcriptPath, agent, project } = event;
  if (!transcriptPath || !(agent || isWorthALook(event, ctx.config, stale))) return;
  const files = await ownFiles(transcriptPath, session);
  const file = files.find((one) => one.agent === agent?.id);
  if (!file || busy.has(file.path) || (await stat(file.path)).size > liveBytes) return;
  busy.add(file.path);
  try {
    if (!agent) stale.delete(session);
    const task = { session, ...(project && { project: project.id }), live: true, settleMs: 0 };
    await attempt({ ...file, ...task, clearing, mayReplace: async () => true }, ctx);
  } finally {
    busy.delete(file.path);
  }
}

/** A prompt or a large input since the last look. */
function isWorthALook(event: ClientEvent, config: Config, stale: Set<string>): boolean {
  if (stale.has(event.session)) return true;
  if (event.name !== "PostToolUse" || config.keepTurns > 0) return false;
  // It can be cleared once its result stands in the file: at the next look.
  if (JSON.stringify(event.toolInput ?? {}).length >= leastInput) stale.add(event.session);
  return false;
}

async function attempt(
  task: SessionFile & Parameters<typeof rewriteOne>[0],
  ctx: PluginContext<Config>,
): Promise<void> {
  try {
    await rewriteOne(task, ctx);
  } catch (error) {
    const { session, agent, path } = task;
    ctx.log.warn("a transcript could not be rewritten; it is as it was", {
      session,
      agent,
      path,
      error,
    });
  }
}
