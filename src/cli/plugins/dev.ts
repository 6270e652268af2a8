// `memoir plugin dev`: plays recorded events without and with a plugin, shows the difference, and does so again at each save.

import { mkdtempDisposable, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseClaudeCode } from "../../clients/normal/payload.ts";
import { SessionEvents } from "../../clients/normal/transcript-events.ts";
import { failing } from "../../health/server-checks.ts";
import { errorMessage, errorWithFix } from "../../home/describe-error.ts";
import { memoirPaths, type Paths } from "../../home/paths.ts";
import { openDatabase } from "../../host/sqlite.ts";
import { diffLines } from "../../install/file-change.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { partsOf } from "../../runtime/hooks/parts.ts";
import { slotsOf } from "../../runtime/hooks/subscription.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import type { Dropped } from "../../runtime/plugins/find.ts";
import { pluginFiles } from "../../runtime/plugins/find.ts";
import { watchPlugins } from "../../runtime/plugins/generations.ts";
import { waitsFor } from "../../runtime/plugins/registry.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { AnyPlugin, Slot } from "../../sdk/plugin.ts";
import { fileChunks, readEntries } from "../../transcript/read.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { pluginCommands } from "../commands/plugins.ts";
import { recordedDeployment, recordedSession, samplePlace } from "../setup/demo.ts";
import { setupOf } from "../setup/setup.ts";
import { fit, printable, wrap } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { tryClients } from "./dev/client.ts";
import { type Replayed, replay } from "./dev/replay.ts";
import { findOwn, loadOwn, prepareForPlugins } from "./own-plugin.ts";

type DevOptions = OptionsOf<(typeof pluginCommands)["plugin"]["commands"]["dev"]>;

/** Gives 0, or 1 when the plugin could not be put in force; watching ends with Ctrl-C. */
export async function devPlugin(
  name: string | undefined,
  options: DevOptions,
  terminal: Terminal,
): Promise<number> {
  const plugin = await findOwn(name, terminal);
  await prepareForPlugins(terminal);
  // What cannot be loaded is said below, again at each save.
  const loaded = await loadOwn(plugin.path, terminal).catch(() => undefined);
  const { clients } = loaded?.plugin ?? {};
  if (clients && !options.recorded) {
    const once = async () =>
      tryClients((await loadOwn(plugin.path, terminal)).plugin, options, terminal);
    const code = await once();
    if (options.once || options.json) return code;
    await untilInterrupted(plugin, once, terminal);
    return 0;
  }
  if (options.payloads !== undefined)
    throw new MemoirError("usage", `${plugin.name} describes no client that could be loaded.`, {
      fix: "`--payloads` is for a plugin with `clients`; replay a session with `--transcript` or `--recorded`.",
    });
  await using place = await mkdtempDisposable(join(tmpdir(), "memoir-dev-"));
  const material = await chooseMaterial(options, place.path, terminal);
  const { events, from } = material;
  if (!options.json) terminal.print(`${events.length} events of ${from}`);
  const model = options.provider ? await modelOf(terminal) : undefined;
  const { env } = terminal;
  const without = await replay({ events, config: configWith(model), env, keys: model?.keys });
  const once = () => compare(plugin, { ...material, without, model }, options, terminal);
  const code = await once();
  if (options.once || options.json) return code;
  await untilInterrupted(plugin, once, terminal);
  return 0;
}

async function chooseMaterial(
  { transcript, recorded }: DevOptions,
  folder: string,
  terminal: Terminal,
): Promise<Material> {
  if (transcript !== undefined && recorded)
    throw new MemoirError("usage", "It is either `--transcript` or `--recorded`.");
  if (transcript !== undefined) return transcriptEvents(transcript, terminal.cwd);
  if (recorded) return journalEvents(setupOf(terminal).paths);
  return sampleEvents(folder, terminal.now());
}

/** The provider that config names, as a throw-away home can name it. */
interface Model {
  slots: { provider: string[] };
  plugins: Record<string, object>;
  budget: object;
  /** Where their keys are. */
  keys: string;
}

async function modelOf(terminal: Terminal): Promise<Model> {
  const { home } = setupOf(terminal).paths;
  const { config } = await readConfig(home);
  const { plugins } = await describePlugins(home, terminal.env);
  const asked = plugins.filter(({ fills, name }) => fills.includes("provider") && name !== "none");
  if (asked.length === 0)
    throw new MemoirError("provider_none", "Your config names no model provider.", {
      fix: "`memoir provider list` shows them; `memoir config set slots.provider <name>` names one.",
    });
  const options = asked.flatMap(({ name }): Array<[string, object]> => {
    const own = config.plugins[name];
    return own ? [[name, own]] : [];
  });
  return {
    slots: { provider: asked.map(({ name, source }) => source ?? name) },
    plugins: Object.fromEntries(options),
    budget: config.budget,
    keys: memoirPaths(home).keys,
  };
}

/** What is played, and what came of it without the plugin. */
interface Play extends Material {
  without: Replayed;
  model: Model | undefined;
}

async function compare(
  dropped: Dropped,
  { events, from, without, model }: Play,
  options: DevOptions,
  terminal: Terminal,
): Promise<number> {
  const { colors, width } = terminal;
  let plugin: AnyPlugin;
  let withIt: Replayed;
  let isOff: boolean;
  try {
    const { home } = setupOf(terminal).paths;
    ({ plugin } = await loadOwn(dropped.path, terminal));
    const { config } = await readConfig(home);
    const { enabled = true, ...set } = config.plugins[plugin.name] ?? {};
    isOff = !enabled;
    withIt = await replay({
      events,
      config: configWith(model, { plugin, path: dropped.path, options: set }),
      env: terminal.env,
      keys: model?.keys,
    });
  } catch (error) {
    if (options.json) throw error;
    for (const line of wrap(errorWithFix(error), width)) terminal.print(colors.red(line));
    return 1;
  }
  const diff = printable(diffLines(text(without), text(withIt)));
  const own = withIt.subscriptions.filter(({ plugin: by }) => by === plugin.name);
  const failed = printable([
    ...withIt.failed
      .filter(({ name }) => name === plugin.name || name === dropped.path)
      .map(({ error }) => error),
    ...failing(own).map(({ text: words }) => words),
  ]);
  // Failed hooks are shown by their plugin, once.
  const log = printable(withIt.log.filter((line) => !line.includes("a plugin's hook failed")));
  const uncalled = printable(uncalledOf(plugin, own, diff));
  if (options.json) {
    const calls = own.map(({ hook, calls, failures, p50 }) => ({ hook, calls, failures, p50 }));
    const report = { plugin: plugin.name, off: isOff, from, diff, failed, calls, uncalled, log };
    terminal.print(JSON.stringify(report));
    return failed.length > 0 ? 1 : 0;
  }
  terminal.print("");
  const notes = [
    isOff &&
      `${plugin.name} is switched off; it is tried here as if it were on. \`memoir plugin enable ${plugin.name}\` enables it.`,
    uncalled.length > 0 &&
      `This session calls nothing of ${uncalled.join(", ")}; \`memoir plugin test ${dropped.name}\` tries it.`,
  ];
  for (const note of notes) if (note) for (const line of wrap(note, width)) terminal.print(line);
  terminal.print(colors.bold(`- without ${plugin.name}   + with it`));
  if (diff.length === 0) terminal.print(colors.dim("  Nothing differs."));
  for (const line of diff) {
    const paint = line.startsWith("+")
      ? colors.green
      : line.startsWith("-")
        ? colors.red
        : colors.dim;
    terminal.print(paint(width ? cutLine(line, width) : line));
  }
  for (const { hook, calls, p50 } of own)
    terminal.print(
      colors.dim(
        `  ${hook}: ${calls === 0 ? "not called" : `${calls} calls, p50 ${(p50 ?? 0).toFixed(1)} ms`}`,
      ),
    );
  for (const line of log) terminal.print(colors.dim(`  log: ${fit(line, width && width - 7)}`));
  for (const line of failed.flatMap((failure) => wrap(failure, width, "  ")))
    terminal.print(colors.red(line));
  return failed.length > 0 ? 1 : 0;
}

/** What of a plugin the session called nothing of. */
function uncalledOf(
  plugin: AnyPlugin,
  own: Replayed["subscriptions"],
  diff: readonly string[],
): string[] {
  // A rule shows itself only where it removes something.
  const rules = diff.length === 0 ? Object.keys(plugin.redactions ?? {}) : [];
  return [
    ...own.filter(({ calls }) => calls === 0).map(({ hook }) => hook),
    ...partsOf(plugin).map(({ part }) => part),
    ...rules.map((rule) => `the redaction ${rule}`),
  ];
}

function text({ lines }: Replayed): string {
  return lines.join("\n");
}

/** Leading spaces show where a line belongs; they stay. */
function cutLine(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** In force in every slot that it can fill, before those that stand there. */
function configWith(
  model: Model | undefined,
  own?: { plugin: AnyPlugin; path: string; options: object | undefined },
): object {
  const { keys: _keys, ...common } = model ?? {};
  if (!own) return common;
  const { plugin, path, options } = own;
  const fill = (slot: Slot): [string, unknown] => {
    if (slot === "storage") return [slot, path];
    return [slot, waitsFor(slot) ? path : ["...", path]];
  };
  const can = slotsOf(plugin);
  const endless = can.includes("endless-mode") ? { endless: { everywhere: [path] } } : {};
  const filled = can.filter((slot) => slot !== "endless-mode").map(fill);
  return {
    ...common,
    ...(can.length === 0 ? { listeners: [path] } : {}),
    slots: { ...model?.slots, ...Object.fromEntries(filled) },
    ...endless,
    plugins: { ...model?.plugins, ...(options ? { [plugin.name]: options } : {}) },
  };
}

async function untilInterrupted(
  plugin: Dropped,
  once: () => Promise<number>,
  terminal: Terminal,
): Promise<void> {
  const watch = await watchPlugins({
    roots: () => pluginFiles(plugin.path, plugin.folder),
    async changed() {
      terminal.print(terminal.colors.dim(`\n${"─".repeat(Math.min(terminal.width ?? 60, 60))}`));
      await once();
      terminal.print(terminal.colors.dim("  Waiting for the next save; Ctrl-C ends it."));
    },
    failed: (error) => terminal.warn(errorMessage(error)),
  });
  terminal.print(terminal.colors.dim("  Waiting for the next save; Ctrl-C ends it."));
  // Nothing else keeps the process alive: watching does not.
  const alive = setInterval(() => {}, 1_000_000);
  await new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  clearInterval(alive);
  await watch.stop();
}

// What `plugin dev` replays: a transcript, the last session of the journal, or memoir's own sample.

/** Events of one session, and where they came from, in words. */
interface Material {
  events: ClientEvent[];
  from: string;
}

/** More takes longer than a save may. */
const maxEvents = 1_000;

/** The sample session, in a throw-away project below `folder`. */
export async function sampleEvents(folder: string, now: number): Promise<Material> {
  const place = await samplePlace(folder);
  const session = "sample-session";
  const payloads = recordedSession(place, session);
  const end = payloads.findLastIndex((one) => one.hook_event_name === "SessionEnd");
  payloads.splice(end, 0, ...recordedDeployment(place, session));
  const events = payloads.map((payload, at) =>
    parseClaudeCode(payload, { id: `sample-${at}`, time: now + at }),
  );
  return { events, from: "memoir's sample session" };
}

/** A transcript of Claude Code. Throws `transcript_unreadable`. */
export async function transcriptEvents(path: string, cwd: string): Promise<Material> {
  const file = resolve(cwd, path);
  if (!(await stat(file).catch(() => undefined))?.isFile())
    throw new MemoirError("transcript_unreadable", `There is no file ${file}.`);
  const session = /([^/\\]+)\.jsonl$/.exec(file)?.[1] ?? "transcript";
  const reader = new SessionEvents({ session, transcriptPath: file });
  const events: ClientEvent[] = [];
  const take = (found: ReturnType<typeof reader.end>) => {
    for (const { event } of found) {
      // Nobody waits for an answer to what was recovered; here somebody does.
      const { recovered: _recovered, ...live } = event;
      events.push(live);
    }
  };
  for await (const entry of readEntries(fileChunks(file, {}), { offset: 0, lines: 0 })) {
    take(reader.add(entry));
    if (events.length >= maxEvents) break;
  }
  take(reader.end(true));
  if (events.length === 0)
    throw new MemoirError("transcript_unreadable", `${file} holds no events.`);
  return { events: events.slice(0, maxEvents), from: file };
}

/** The newest session that the journal still holds. Throws `record_not_found` where it holds none. */
export async function journalEvents({ journal }: Paths): Promise<Material> {
  const nothing = () =>
    new MemoirError("record_not_found", "The journal holds no session to replay.", {
      fix: "Work in the client for a while, or replay a transcript: `--transcript <file>`.",
    });
  if (!(await stat(journal).catch(() => undefined))) throw nothing();
  const db = await openDatabase(journal, { readonly: true });
  try {
    const rows = db
      .prepare<{ json: string }>(
        `SELECT p.json FROM events e JOIN payloads p ON p.seq = e.seq
         WHERE e.session = (SELECT session FROM events WHERE tool_use IS NOT NULL ORDER BY seq DESC LIMIT 1)
         ORDER BY e.seq LIMIT ${maxEvents}`,
      )
      .all();
    const events = rows.map(({ json }) => JSON.parse(json) as ClientEvent);
    const [first] = events;
    if (!first) throw nothing();
    return { events, from: `session ${first.session} in the journal` };
  } finally {
    db.close();
  }
}
