// Replays events through memoir in a throw-away home and shows what came of it, as lines that can be compared.
import { mkdtempDisposable, readdir, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "../../../home/log.ts";
import { prepareHome } from "../../../home/make-home.ts";
import { type Environment, memoirPaths } from "../../../home/paths.ts";
import { atomicWrite } from "../../../home/read-file.ts";
import type { SubscriptionInfo } from "../../../runtime/ports.ts";
import { createRuntime, type Runtime } from "../../../runtime/runtime.ts";
import type { ClientEvent, Reply } from "../../../sdk/events.ts";
import { type Observation, type Summary, summaryTextNames } from "../../../sdk/model.ts";
import { cut, oneLine } from "../../../text/text.ts";

interface ReplayOptions {
  events: readonly ClientEvent[];
  /** The throw-away home's config. */
  config: object;
  env: Environment;
  /** The file with the keys of providers that may be asked. */
  keys?: string | undefined;
}

/** What came of the events. */
export interface Replayed {
  /** Everything worth comparing, with headings. */
  lines: string[];
  subscriptions: SubscriptionInfo[];
  /** What plugins logged, and what memoir said about them. */
  log: string[];
  /** Plugins that are not in force, and why. */
  failed: Array<{ name: string; error: string }>;
}

const drainMs = 60_000;
const shownEvents = 300;

/** Never leaves its home behind. */
export async function replay(options: ReplayOptions): Promise<Replayed> {
  await using place = await mkdtempDisposable(join(tmpdir(), "memoir-dev-"));
  const home = place.path;
  const paths = memoirPaths(home);
  const logged: string[] = [];
  await prepareHome(paths, options.env);
  await atomicWrite(paths.config, JSON.stringify(options.config));
  // A link: keys are copied nowhere.
  if (options.keys !== undefined) await symlink(options.keys, paths.keys);
  const runtime = await createRuntime({ home, log: keep(logged), env: options.env });
  try {
    const lines = await play(runtime, options.events);
    lines.push(...section("files of plugins in memoir's home", await ownFiles(home)));
    const { plugins, subscriptions } = await runtime.status();
    const failed = plugins.flatMap(({ name, state, error }) =>
      state === "failed" ? [{ name, error: error ?? "it failed" }] : [],
    );
    return { lines, subscriptions, log: logged, failed };
  } finally {
    await runtime.stop();
  }
}

async function play(runtime: Runtime, events: readonly ClientEvent[]): Promise<string[]> {
  const captured: string[] = [];
  const replies: string[] = [];
  const session = events[0]?.session ?? "";
  for (const event of events) {
    const { value } = await runtime.hooks.reduce("capture", event);
    if (captured.length < shownEvents)
      captured.push("drop" in value ? `${event.name} left out: ${value.drop}` : inWords(value));
    const original =
      event.name === "PostToolUse"
        ? { input: event.toolInput, response: event.toolResponse }
        : undefined;
    const { reply } = await runtime.handle(event, original);
    replies.push(...replyLines(event, reply));
    // As in a session, where minutes lie between turns: else what comes of a turn depends on how busy the machine is.
    if (event.name === "Stop") await runtime.drain({ session, timeoutMs: drainMs });
  }
  await runtime.drain({ session, timeoutMs: drainMs });
  const observations = await ask<Observation[]>(() =>
    runtime.hooks.first("storage.observations", { session, order: "oldest", limit: 200 }),
  );
  const summaries = await ask<Summary[]>(() =>
    runtime.hooks.first("storage.summaries", { session, order: "oldest", limit: 50 }),
  );
  const found = observations?.[0]?.title.split(/\s+/).slice(0, 2).join(" ") ?? "";
  const results =
    found === ""
      ? undefined
      : await runtime.hooks.first("storage.search", { text: found, limit: 5 });
  const next = await nextContext(runtime, events);
  return [
    ...section("events as they are kept", captured),
    ...section("said to the agent meanwhile", replies),
    ...section("observations", observations?.flatMap(observationLines) ?? []),
    ...section("summaries", summaries?.flatMap(summaryLines) ?? []),
    ...section(
      `search ${found}`,
      results?.result.map(({ title, type }) => `${type}: ${title}`) ?? [],
    ),
    ...section("the next session is given", next.split("\n")),
  ];
}

async function ask<Value>(work: () => Promise<{ result: Value } | undefined>) {
  return (await work())?.result;
}

/** What memoir itself keeps there. */
const memoirs =
  /^(journal|memory|usage|endless)\.db|^(config|databases|findings|hook|pauses|in-flight|keys|rebuild|trust|unkept|plugin-rules)\b|\.lock$/;

/** The beginning of each small text file that is not memoir's, and the names of the others. */
async function ownFiles(home: string): Promise<string[]> {
  const entries = await readdir(home, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !memoirs.test(entry.name))
    .map((one) => one.name);
  const lines = await Promise.all(
    names.sort().map(async (name) => {
      if (/\.db(-\w+)?$/.test(name)) return [name];
      const text = (await readFile(join(home, name), "utf8")).slice(0, 2_000);
      return [
        name,
        ...text
          .split("\n")
          .slice(0, 12)
          .map((line) => `  ${line}`),
      ];
    }),
  );
  return lines.flat();
}

function section(title: string, lines: readonly string[]): string[] {
  const shown = lines.filter((line) => line.trim() !== "");
  return [`# ${title}`, ...(shown.length > 0 ? shown.map((line) => `  ${line}`) : ["  nothing"])];
}

function inWords(event: ClientEvent): string {
  const { name } = event;
  if ("prompt" in event) return `${name}: ${short(event.prompt)}`;
  if ("toolName" in event) {
    const response = "toolResponse" in event ? ` → ${short(event.toolResponse)}` : "";
    return `${name} ${event.toolName}: ${short(event.toolInput)}${response}`;
  }
  return "lastAssistantMessage" in event ? `${name}: ${short(event.lastAssistantMessage)}` : name;
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return cut(oneLine(text), 160);
}

function replyLines(event: ClientEvent, reply: Reply): string[] {
  const where = "toolName" in event ? `${event.name} ${event.toolName}` : event.name;
  return [
    ...(reply.context ?? "").split("\n").map((line) => (line === "" ? "" : `${where}: ${line}`)),
    ...(reply.systemMessage ? [`${where} (to you): ${short(reply.systemMessage)}`] : []),
    ...(reply.updatedToolOutput === undefined
      ? []
      : [`${where} result becomes: ${short(reply.updatedToolOutput)}`]),
  ];
}

function observationLines(one: Observation): string[] {
  return [
    `${one.type}: ${one.title}`,
    ...(one.subtitle ? [`  ${one.subtitle}`] : []),
    ...one.facts.map((fact) => `  · ${fact}`),
    ...(one.concepts.length > 0 ? [`  (${one.concepts.join(", ")})`] : []),
  ];
}

function summaryLines(one: Summary): string[] {
  return [
    `${one.scope} ${one.promptNumber}`,
    ...summaryTextNames.flatMap((part) =>
      one[part] === "" ? [] : [`  ${part}: ${short(one[part])}`],
    ),
  ];
}

async function nextContext(runtime: Runtime, events: readonly ClientEvent[]): Promise<string> {
  const last = events.at(-1);
  if (!last) return "";
  const { context = "" } = await runtime.reply({
    ...{ id: crypto.randomUUID(), key: crypto.randomUUID(), client: last.client },
    ...{ session: `next-${last.session}`, time: last.time + 1, cwd: last.cwd },
    name: "SessionStart",
    source: "startup",
  });
  return context;
}

/** Ids differ from run to run; what is said about plugins is what an author looks for. */
function keep(into: string[], scope = ""): Log {
  const at = (level: string) => (message: string, fields?: Record<string, unknown>) => {
    const isPlugins = scope.startsWith("plugin.");
    if (!isPlugins && level !== "error") return;
    const { error, ...rest } = fields ?? {};
    const why = error instanceof Error ? `: ${error.message}` : "";
    const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : "";
    into.push(`${level} ${message}${why}${isPlugins ? more : ""}`);
  };
  return {
    ...{ debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
    child: (inner) => keep(into, scope === "" ? inner : `${scope}.${inner}`),
  };
}
