// One rewrite of one transcript: originals are kept first, then inputs are cleared and observations put in, then it is booked.
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

import type { Observation, PluginContext } from "../../src/sdk/index.ts";
import { type Clearing, leastInput, tellCleared } from "../../src/strategy/index.ts";
import {
  type ClearedInput,
  type OpenRewrite,
  openRewrite,
  type RewriteOptions,
  type Rewritten,
  type TouchableUse,
  undoFolder,
  type WantedFetch,
} from "../../src/transcript/index.ts";
import type { Config } from "./config.ts";

/** A transcript to be rewritten. */
interface RewriteTask extends SessionFile {
  session: string;
  /** `Project.id`. */
  project?: string;
  /** True when a client has the session open. */
  live: boolean;
  mayReplace: RewriteOptions["mayReplace"];
  /** How long observations are waited for that are not made yet, in ms. */
  settleMs: number;
  clearing: Clearing;
}

/** Tool uses that are waited for at a time. */
const mostWaited = 200;

/** Rewrites the file, or says why not. Rejects when it cannot be read or written; it is then as it was. */
export async function rewriteOne(
  task: RewriteTask,
  ctx: PluginContext<Config>,
): Promise<Rewritten> {
  const { config, endless } = ctx;
  const { session, agent, live, mayReplace } = task;
  const about = placeOf(task);
  const from = ctx.now();
  const opened = await openRewrite(task.path, {
    leastCharacters: leastInput,
    // A subagent has one turn, and it is over.
    keepTurns: agent === undefined ? config.keepTurns : 0,
    wants: task.clearing.wants,
  });
  try {
    const inputs = await keepInputs(opened, task);
    const fetches = await fetchesFor(opened, inputs, task, ctx);
    if (inputs.size === 0 && fetches.length === 0)
      return { done: false, reason: "nothing to change" };
    const rewritten = await opened.finish(
      { inputs, fetches, copies: config.copies },
      { undo: undoFolder(ctx.home), session, at: from, live, mayReplace },
    );
    if (!rewritten.done) {
      ctx.log.info("a transcript was not rewritten", { session, agent, reason: rewritten.reason });
      await endless.note({ kind: "declined", ...about, reason: rewritten.reason });
      return rewritten;
    }
    const { before, after, records } = rewritten;
    const ms = ctx.now() - from;
    await endless.note({ kind: "rewrote", ...about, characters: before - after, ms });
    for (const { ids, text } of fetches)
      if (ids.some((id) => records.includes(id)))
        await endless.note({ kind: "injected", ...about, characters: text.length });
    return rewritten;
  } finally {
    await opened.close();
  }
}

/** Whose context it is. */
function placeOf({ session, project, agent }: RewriteTask) {
  return {
    session,
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
  };
}

/** Keeps each input that may go; those that may not be kept stay where they are. */
async function keepInputs(
  opened: OpenRewrite,
  task: RewriteTask,
): Promise<Map<string, ClearedInput>> {
  const inputs = new Map<string, ClearedInput>();
  const { clearing } = task;
  for (const use of opened.touchable.clear) {
    if (!(await clearing.pays(use.name, "input"))) continue;
    const input = await opened.inputOf(use);
    const instead = input && (await clearing.input({ ...use, input }, placeOf(task)));
    if (instead) inputs.set(use.id, instead);
  }
  return inputs;
}

/** One fetch for each turn: the observations about inputs that were cleared in it and that the model was not given. */
async function fetchesFor(
  opened: OpenRewrite,
  inputs: ReadonlyMap<string, unknown>,
  task: RewriteTask,
  ctx: PluginContext<Config>,
): Promise<WantedFetch[]> {
  const { touchable, fetched, injected } = opened;
  const gone = [...touchable.cleared, ...touchable.clear.filter(({ id }) => inputs.has(id))];
  if (gone.length === 0) return [];
  const observations = await observationsOf(gone, task, ctx);
  const turns = new Map<number, TouchableUse[]>();
  for (const use of gone) turns.set(use.turn, [...(turns.get(use.turn) ?? []), use]);
  const placed = new Set<string>();
  const fetches: WantedFetch[] = [];
  for (const uses of turns.values()) {
    const told = tellCleared(
      uses,
      observations,
      ({ id, toolUseIds }) =>
        placed.has(id) || fetched.has(id) || toolUseIds.some((use) => injected.has(use)),
    );
    if (!told) continue;
    for (const id of told.ids) placed.add(id);
    fetches.push(told);
  }
  return fetches;
}

async function observationsOf(
  uses: readonly TouchableUse[],
  { session, settleMs }: RewriteTask,
  ctx: PluginContext<Config>,
): Promise<Observation[]> {
  const list = () => ctx.storage.observations({ session, order: "oldest", limit: 10_000 });
  const known = await list();
  const seen = new Set(known.flatMap(({ toolUseIds }) => toolUseIds));
  const open = uses.filter(({ id }) => !seen.has(id)).slice(-mostWaited);
  if (open.length === 0 || settleMs === 0) return known;
  await Promise.all(open.map(({ id }) => ctx.endless.settled(id, settleMs)));
  return list();
}

// Which files of a session may be rewritten: the one that bears its name, and its subagents' below the folder of that name.

/** A transcript of a session. */
export interface SessionFile {
  path: string;
  /** The subagent whose file it is. */
  agent?: string;
}

/**
 * The session's own file and its subagents'. Empty when the named file is not what it should be: a payload can name
 * anything, and what is replaced must be the session's transcript and nothing else.
 */
export async function ownFiles(named: string, session: string): Promise<SessionFile[]> {
  if (!isAbsolute(named) || basename(named) !== `${session}.jsonl`) return [];
  const path = await realpath(named).catch(() => undefined);
  if (path === undefined || basename(path) !== `${session}.jsonl` || !(await isPlain(path)))
    return [];
  return [{ path }, ...(await agentFiles(path, session))];
}

async function agentFiles(path: string, session: string): Promise<SessionFile[]> {
  const folder = join(dirname(path), session, "subagents");
  // A link could lead anywhere.
  if ((await realpath(folder).catch(() => undefined)) !== folder) return [];
  const found: SessionFile[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const agent = /^agent-([\w-]{1,200})\.jsonl$/.exec(name)?.[1];
    const file = join(folder, name);
    if (agent !== undefined && (await isPlain(file))) found.push({ path: file, agent });
  }
  return found.sort((a, b) => a.path.localeCompare(b.path));
}

/** A file with one name: replacing one of several would part them. */
async function isPlain(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && found.nlink === 1;
}
