// Endless Mode in the transcript: finished tools' inputs are cleared, what was observed about them is put in, and the next resume reads it so.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type ClientEvent, definePlugin, type PluginContext } from "../../src/sdk/index.ts";
import { createLearnt, type Learnt } from "../../src/strategy/index.ts";
import {
  pruneUndo,
  recoverReplacements,
  sessionUse,
  undoFolder,
} from "../../src/transcript/index.ts";
import { type Config, ConfigSchema } from "./config.ts";
import { createEnded, type Ended, type EndedSessions } from "./ended.ts";
import { ownFiles, type SessionFile } from "./own-files.ts";
import { rewriteOne } from "./rewrite.ts";
import { begin, createWaits, type Waits, waitFor } from "./wait.ts";

interface State {
  waits: Waits;
  learnt: Learnt;
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
    const learnt = createLearnt(
      () => ctx.endless.figures(),
      () => ctx.now(),
    );
    const look = (session: string, ended: Ended) => rewriteClosed(session, ended, learnt, ctx);
    const ended = createEnded(join(ctx.home, "endless", "ended.json"), look, ctx.now);
    for (const { path, replaced } of await recoverReplacements(undoFolder(ctx.home)))
      ctx.log.info("a rewrite was cut off and put in order", { path, replaced });
    await pruneUndo(undoFolder(ctx.home), ctx.now(), goneMs);
    await ended.start();
    return { waits: createWaits(), learnt, ended, stale: new Set(), busy: new Set() };
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
  learnt: Learnt,
  ctx: PluginContext<Config>,
): Promise<"done" | "later"> {
  const use = await sessionUse(path, session);
  if (use === "open") return "later";
  if (use === "unknown") {
    const reason = "the client does not tell whether the session is open";
    await ctx.endless.note({ kind: "declined", session, ...(project && { project }), reason });
    return "done";
  }
  const mayReplace = async () => (await sessionUse(path, session)) === "closed";
  const task = { session, ...(project && { project }), live: false, mayReplace, settleMs };
  for (const file of await ownFiles(path, session))
    await attempt({ ...file, ...task, learnt }, ctx);
  return "done";
}

/** Rewrites what an open session can spare: its own file before a tool's answer goes out, or a subagent's that ended. */
async function rewriteLive(
  event: ClientEvent,
  ctx: PluginContext<Config>,
  { stale, busy, learnt }: State,
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
    await attempt({ ...file, ...task, learnt, mayReplace: async () => true }, ctx);
  } finally {
    busy.delete(file.path);
  }
}

/** A prompt or a large input since the last look. */
function isWorthALook(event: ClientEvent, config: Config, stale: Set<string>): boolean {
  if (stale.has(event.session)) return true;
  if (event.name !== "PostToolUse" || config.keepTurns > 0) return false;
  // It can be cleared once its result stands in the file: at the next look.
  if (JSON.stringify(event.toolInput ?? {}).length >= config.minBytes) stale.add(event.session);
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
