// `memoir demo`: replays a recorded session in a throw-away home with the real hook and server, and shows what memoir makes of it.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import process from "node:process";
import { type Environment, memoirPaths, type Paths } from "../../home/paths.ts";
import { loadHost } from "../../host/index.ts";
import { runProgram } from "../../host/programs.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { SearchResult } from "../../sdk/storage.ts";
import { paintType, summaryLines } from "../memory/show.ts";
import { server } from "../server/client.ts";
import { stopServer } from "../server/start-stop.ts";
import { columns, fit, wrap } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import recording from "./demo/session.json" with { type: "json" };

// The bundled session, bound to a throw-away project folder: the payloads that Claude Code would have sent.

/** One payload for the hook's stdin. */
type Payload = Record<string, unknown> & { hook_event_name: string };

interface Place {
  /** The project's folder, absolute. */
  project: string;
  /** Where the client would keep its transcripts. */
  client: string;
}

/** Makes the project below `folder`, with a git remote of its own. */
export async function samplePlace(folder: string): Promise<Place> {
  const place = { project: join(folder, "shop"), client: join(folder, "client") };
  const git = join(place.project, ".git");
  await mkdir(git, { recursive: true });
  await writeFile(join(git, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(
    join(git, "config"),
    `[remote "origin"]\n\turl = https://example.com/acme/shop.git\n`,
  );
  return place;
}

/** The payloads of the recorded session, in order, under the session id `session`. */
export function recordedSession(place: Place, session: string): Payload[] {
  return payloadsOf(recording.events, place, session);
}

/** One more prompt of it, with what plugins of the templates look for: containers, a long output, a made-up name. */
export function recordedDeployment(place: Place, session: string): Payload[] {
  return payloadsOf(recording.deployment, place, session);
}

function payloadsOf(recorded: readonly object[], place: Place, session: string): Payload[] {
  const text = JSON.stringify(recorded)
    .replaceAll("$PROJECT", inString(place.project))
    .replaceAll("$FOLDER", inString(place.client))
    .replaceAll("$OUTPUT", inString("Container shop-web-1  Started\n".repeat(600)));
  const events = JSON.parse(text) as Array<Payload & { promptNumber: number }>;
  return events.map(({ promptNumber, ...event }) => ({
    ...common(place, session),
    ...(promptNumber > 0 ? { prompt_id: `${session}-${promptNumber}` } : {}),
    ...event,
  }));
}

/** What the client sends when another session starts in the same folder. */
export function nextSessionStart(place: Place, session: string): Payload {
  return { ...common(place, session), hook_event_name: "SessionStart", source: "startup" };
}

function common({ project, client }: Place, session: string) {
  return {
    session_id: session,
    transcript_path: `${client}/${session}.jsonl`,
    cwd: project,
    permission_mode: "default",
  };
}

/** The text as it stands inside a JSON string: Windows paths have backslashes. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

interface DemoOptions {
  keep?: boolean;
  json?: boolean;
}

const question = ["expired", "tokens"];
const drainMs = 60_000;

/** Plays the demo. Gives 0, or 1 when the main job did not come out as it must. */
export async function demo(options: DemoOptions, terminal: Terminal): Promise<number> {
  const say = options.json ? () => undefined : terminal.print;
  const stage = await setStage(terminal.env);
  try {
    const report = await play(stage, say, terminal);
    if (options.json)
      terminal.print(JSON.stringify({ ...report, home: options.keep ? stage.paths.home : null }));
    return 0;
  } finally {
    await stage.clear(options.keep ?? false);
    say(
      options.keep
        ? `\nKept in ${stage.folder}: MEMOIR_HOME=${stage.paths.home} memoir sessions`
        : terminal.colors.dim("\nThe server is stopped and the temporary home is removed."),
    );
  }
}

/** Long because it shows one session from beginning to end, in the order in which it happens. */
async function play(stage: Stage, say: (text: string) => void, terminal: Terminal) {
  const { bold, dim, green, cyan } = terminal.colors;
  const width = terminal.width ?? 120;
  const session = crypto.randomUUID();
  const events = recordedSession(stage.place, session);
  const chapter = (title: string) => say(`\n${bold(title)}`);

  say(`memoir replays a recorded session in ${stage.folder}.`);
  chapter(
    `1. A session of Claude Code: ${events.length} events through \`memoir hook claude-code\``,
  );
  const times: number[] = [];
  for (const event of events) {
    const { output, ms } = await stage.hook(event);
    times.push(ms);
    if (event.hook_event_name === "SessionStart" && output !== "")
      throw new MemoirError("internal", "An empty memory gave a context.");
    const name = event.hook_event_name.padEnd(18);
    const what = fit(described(event, stage), width - name.length - 12);
    say(`  ${dim(`${ms.toFixed(0).padStart(4)} ms`)}  ${name} ${what}`);
  }
  const [first = 0, ...rest] = times;
  const median = rest.toSorted((a, b) => a - b)[Math.floor(rest.length / 2)] ?? 0;
  say(
    dim(
      `  The first one started the server (${first.toFixed(0)} ms); the others took ${median.toFixed(0)} ms each (median).`,
    ),
  );

  await server.post("/api/drain", {
    paths: stage.paths,
    body: { session, timeoutMs: drainMs },
    timeoutMs: drainMs + 5_000,
  });
  const page = await server.get("/api/sessions/:id", {
    params: { id: session },
    paths: stage.paths,
    start: false,
  });
  const summary = page.summaries.find(({ scope }) => scope === "session");
  const indented = { ...terminal, width: terminal.width && terminal.width - 2 };
  chapter(
    `2. What memoir made of it: ${page.observations.length} observations and a summary, without any model`,
  );
  for (const record of page.observations) {
    say(
      `  ${cyan(record.id)} ${paintType(record.type, terminal.colors)}  ${bold(record.title)}${record.agent ? dim("  (a subagent's)") : ""}`,
    );
    for (const fact of record.facts)
      for (const [at, line] of wrap(fact, terminal.width, "       ").entries())
        say(at === 0 ? `     · ${line.trimStart()}` : line);
  }
  if (summary)
    say(
      `\n${summaryLines(summary, indented)
        .map((line) => `  ${line}`)
        .join("\n")}`,
    );

  chapter(`3. Searching for it: memoir search ${question.join(" ")}`);
  const found = await stage.memoir(["search", ...question, "--json"]);
  const { results } = JSON.parse(found) as { results: SearchResult[] };
  const rows = results.map((r) => [
    cyan(r.id),
    paintType(r.type, terminal.colors),
    fit(r.title, width - 24),
  ]);
  for (const line of columns(rows.slice(0, 5))) say(`  ${line}`);

  chapter("4. The context that the next session in this folder starts with");
  const next = await stage.hook(nextSessionStart(stage.place, crypto.randomUUID()));
  const context = contextOf(next.output);
  const lines = terminal.width === undefined ? context.split("\n") : wrap(context, width - 4);
  for (const line of lines) say(dim("  │ ") + line);
  say(dim(`  ${context.length} characters, in ${next.ms.toFixed(0)} ms.`));

  // Nothing of the main job may be missing.
  if (!summary || page.observations.length === 0 || results.length === 0 || context === "")
    throw new MemoirError("internal", "The demo's session left no memory behind.");
  say(
    `\n${green("✓")} That is what memoir does. ${bold(`${await thisProgram(terminal)} install`)} sets it up for your own sessions.`,
  );
  const round = (ms: number) => Math.round(ms * 10) / 10;
  return {
    events: events.length,
    hookMs: { first: round(first), median: round(median) },
    session,
    observations: page.observations,
    summary,
    search: { words: question, results },
    context,
  };
}

/** What happened, in a few words. */
function described(event: Payload, { place }: Stage): string {
  const { prompt, tool_name, tool_input, agent_type, last_assistant_message, source, reason } =
    event as Record<string, string | undefined> & { tool_input?: Record<string, string> };
  if (tool_name) {
    const { file_path, command, pattern } = tool_input ?? {};
    const what = (file_path ?? command ?? pattern ?? "").replace(`${place.project}/`, "");
    return `${tool_name} ${what}${agent_type ? ` (subagent ${agent_type})` : ""}`;
  }
  return prompt ?? last_assistant_message ?? source ?? reason ?? "";
}

/** The context in the hook's answer; empty where it has none. */
function contextOf(output: string): string {
  if (output === "") return "";
  const answer = JSON.parse(output) as { hookSpecificOutput?: { additionalContext?: string } };
  return answer.hookSpecificOutput?.additionalContext ?? "";
}

/** What a person in this terminal types to run this very program. */
async function thisProgram({ cwd, typed }: Terminal): Promise<string> {
  if (typed !== undefined) return typed;
  const { isCompiled } = await loadHost();
  if (!isCompiled) return "memoir";
  const path = relative(cwd, process.execPath);
  return path.startsWith("..") ? process.execPath : path.includes(sep) ? path : `.${sep}${path}`;
}

// The demo's stage: a throw-away home and project, the real hook command, and a clean floor afterwards.

interface HookRun {
  /** What it printed. */
  output: string;
  /** Wall time in ms, the start of the process included. */
  ms: number;
}

interface Stage {
  folder: string;
  place: Place;
  paths: Paths;
  /** Runs `memoir hook claude-code` as the client would. */
  hook(payload: Payload): Promise<HookRun>;
  /** Runs any command of this same memoir in the throw-away home; gives its stdout. */
  memoir(args: readonly string[]): Promise<string>;
  /** Stops the server and removes everything; `keep` leaves the files. */
  clear(keep: boolean): Promise<void>;
}

/** Sets the stage below the system's folder for temporary files. */
export async function setStage(env: Environment): Promise<Stage> {
  const command = (await loadHost()).selfCommand();
  const folder = await mkdtemp(join(tmpdir(), "memoir-demo-"));
  const place = await samplePlace(folder);
  const paths = memoirPaths(join(folder, "home"));
  const own = { ...env, MEMOIR_HOME: paths.home, MEMOIR_INTERNAL: undefined };
  const run = async (args: readonly string[], input: string): Promise<string> => {
    const { code, out, err } = await runProgram([...command, ...args], {
      input,
      env: own,
      cwd: place.project,
    });
    if (err !== "") process.stderr.write(err);
    if (code !== 0)
      throw new MemoirError("internal", `memoir ${args.join(" ")} ended with ${code}.`);
    return out;
  };

  let cleared: Promise<void> | undefined;
  const clear = (keep: boolean): Promise<void> => {
    cleared ??= (async () => {
      process.off("SIGINT", interrupted);
      process.off("SIGTERM", interrupted);
      await stopServer(paths).catch(() => false);
      if (!keep) await rm(folder, { recursive: true, force: true });
    })();
    return cleared;
  };
  const interrupted = () => void clear(false).then(() => process.exit(130));
  process.on("SIGINT", interrupted);
  process.on("SIGTERM", interrupted);

  return {
    folder,
    place,
    paths,
    async hook(payload) {
      const input = JSON.stringify(payload);
      const start = performance.now();
      const output = await run(["hook", "claude-code"], input);
      return { output: output.trim(), ms: performance.now() - start };
    },
    memoir: (args) => run(args, ""),
    clear,
  };
}
