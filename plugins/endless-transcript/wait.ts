// Waiting for a tool use to be settled, so that its observation reaches the model in the same session.

import { wrapContext } from "../../src/privacy/index.ts";
import type { ClientEvents, Observation, PluginContext, Reply } from "../../src/sdk/index.ts";
import { tellObservations } from "../../src/strategy/index.ts";
import { dropOldest } from "../../src/text/index.ts";
import type { Config } from "./config.ts";

type ToolUse = ClientEvents["PostToolUse"];

/** Longest text given for one tool use; the client's own limit is 10,000. */
const maxCharacters = 4_000;
/** An event older than this comes from the spool: nobody waits for its answer. */
const freshMs = 5_000;
/** Sessions and observations that are remembered. */
const most = 5_000;

/** What is remembered between calls. */
export interface Waits {
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
  const about = { session, tool, toolUseId, ...(event.project && { project: event.project.id }) };
  const from = ctx.now();
  const settled = await ctx.endless.settled(toolUseId, ctx.config.waitSeconds * 1_000);
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
