// One rewrite of one transcript: originals are kept first, then inputs are cleared and observations put in, then it is booked.
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

import { wrapContext } from "../../src/privacy/index.ts";
import { memoirCommand, type Observation, type PluginContext } from "../../src/sdk/index.ts";
import {
  type Learnt,
  leastInput,
  roomToTell,
  tellObservations,
  wantsTool,
} from "../../src/strategy/index.ts";
import {
  type ClearedInput,
  clearedInput,
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
  learnt: Learnt;
}

/** Of which kind it is what leaves, for the books. */
const clearedKind = "input cleared";

/** Tool uses that are waited for at a time. */
const mostWaited = 200;

/** Rewrites the file, or says why not. Rejects when it cannot be read or written; it is then as it was. */
export async function rewriteOne(
  task: RewriteTask,
  ctx: PluginContext<Config>,
): Promise<Rewritten> {
  const { config, endless } = ctx;
  const { session, agent, project, live, mayReplace } = task;
  const about = { session, ...(project !== undefined && { project }) };
  const from = ctx.now();
  const opened = await openRewrite(task.path, {
    leastCharacters: leastInput,
    // A subagent has one turn, and it is over.
    keepTurns: agent === undefined ? config.keepTurns : 0,
    wants: wantsTool(config),
  });
  try {
    const inputs = await keepInputs(opened, task, ctx);
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

/** Keeps each input that may go; those that may not be kept stay where they are. */
async function keepInputs(
  opened: OpenRewrite,
  { session, project, agent, learnt }: RewriteTask,
  { endless, home }: PluginContext<Config>,
): Promise<Map<string, ClearedInput>> {
  const inputs = new Map<string, ClearedInput>();
  const command = await memoirCommand(home);
  for (const use of opened.touchable.clear) {
    if ((await learnt.loss(use.name, clearedKind)) !== undefined) continue;
    const input = await opened.inputOf(use);
    if (!input) continue;
    const before = JSON.stringify(input);
    const instead = clearedInput(use.id, before, command);
    const kept = await endless.keep({
      session,
      ...(project !== undefined && { project }),
      ...(agent !== undefined && { agent }),
      toolUseId: use.id,
      tool: use.name,
      part: "input",
      value: input,
      before,
      after: JSON.stringify(instead),
      kind: clearedKind,
    });
    if (kept) inputs.set(use.id, instead);
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
    const own = new Set(uses.map(({ id }) => id));
    const about = observations.filter(
      ({ id, toolUseIds }) =>
        !placed.has(id) &&
        !fetched.has(id) &&
        toolUseIds.some((use) => own.has(use)) &&
        !toolUseIds.some((use) => injected.has(use)),
    );
    if (about.length === 0) continue;
    for (const { id } of about) placed.add(id);
    const covered = new Set(about.flatMap(({ toolUseIds }) => toolUseIds));
    const toolUseIds = uses.map(({ id }) => id).filter((id) => covered.has(id));
    const saved = uses.reduce((sum, { characters }) => sum + characters, 0);
    const body = tellObservations(about, roomToTell(saved));
    const text = wrapContext(body, { cleared: toolUseIds.slice(0, 20).join(" ") });
    fetches.push({ ids: about.map(({ id }) => id), text, toolUseIds });
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
