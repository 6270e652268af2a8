// `memoir demo`: the main job, start to end, on a recorded session in a throw-away home, by the real hook and server.

import { relative, sep } from "node:path";
import process from "node:process";
import { loadHost } from "../../host/index.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { SearchResult } from "../../sdk/storage.ts";
import { paintType, summaryLines } from "../memory/show.ts";
import { server } from "../server/client.ts";
import { columns, fit, wrap } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { nextSessionStart, type Payload, recordedSession } from "./demo/recording.ts";
import { type Stage, setStage } from "./demo/stage.ts";

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
        : terminal.colors.dim("\nThe server is stopped and the throw-away home is gone."),
    );
  }
}

/** Long because it is a play told from beginning to end, in the order in which it is seen. */
async function play(stage: Stage, say: (text: string) => void, terminal: Terminal) {
  const { bold, dim, green, cyan } = terminal.colors;
  const width = terminal.width ?? 120;
  const session = crypto.randomUUID();
  const events = recordedSession(stage.place, session);
  const chapter = (title: string) => say(`\n${bold(title)}`);

  say(`memoir works here on a recorded session, in ${stage.folder}.`);
  chapter(
    `1. A session of Claude Code: ${events.length} events through \`memoir hook claude-code\``,
  );
  const times: number[] = [];
  for (const event of events) {
    const { output, ms } = await stage.hook(event);
    times.push(ms);
    if (event.hook_event_name === "SessionStart" && output !== "")
      throw new MemoirError("internal", "A new memory had something to say.");
    const name = event.hook_event_name.padEnd(18);
    const what = fit(described(event, stage), width - name.length - 12);
    say(`  ${dim(`${ms.toFixed(0).padStart(4)} ms`)}  ${name} ${what}`);
  }
  const [first = 0, ...rest] = times;
  const median = middle(rest);
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

  chapter(`3. Asking for it: memoir search ${question.join(" ")}`);
  const answer = await stage.memoir(["search", ...question, "--json"]);
  const { results } = JSON.parse(answer) as { results: SearchResult[] };
  const rows = results.map((r) => [
    cyan(r.id),
    paintType(r.type, terminal.colors),
    fit(r.title, width - 24),
  ]);
  for (const line of columns(rows.slice(0, 5))) say(`  ${line}`);

  chapter("4. The next session in this folder is given this before its first word");
  const next = await stage.hook(nextSessionStart(stage.place, crypto.randomUUID()));
  const context = contextOf(next.output);
  const lines = terminal.width === undefined ? context.split("\n") : wrap(context, width - 4);
  for (const line of lines) say(dim("  │ ") + line);
  say(dim(`  ${context.length} characters, in ${next.ms.toFixed(0)} ms.`));

  if (!summary || !isMemory({ observations: page.observations, summary, results, context }))
    throw new MemoirError("internal", "The demo's session left no memory behind.");
  say(
    `\n${green("✓")} That was the main job. ${bold(`${await thisProgram(terminal.cwd)} install`)} makes it so for your own sessions.`,
  );
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

interface LeftBehind {
  observations: readonly unknown[];
  summary: unknown;
  results: readonly unknown[];
  context: string;
}

/** True where nothing of the main job is missing. */
export function isMemory({ observations, summary, results, context }: LeftBehind): boolean {
  return observations.length > 0 && Boolean(summary) && results.length > 0 && context !== "";
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

/** What the hook's answer tells the session; empty where it says nothing. */
export function contextOf(output: string): string {
  if (output === "") return "";
  const answer = JSON.parse(output) as { hookSpecificOutput?: { additionalContext?: string } };
  return answer.hookSpecificOutput?.additionalContext ?? "";
}

/** The median; of an even number the larger of the two in the middle. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** With one digit behind the point. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** What a person in `cwd` types to run this very program. */
async function thisProgram(cwd: string): Promise<string> {
  const { isCompiled } = await loadHost();
  if (!isCompiled) return "memoir";
  const path = relative(cwd, process.execPath);
  return path.startsWith("..") ? process.execPath : path.includes(sep) ? path : `.${sep}${path}`;
}
