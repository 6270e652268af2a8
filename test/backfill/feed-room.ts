// A runtime in a home of its own, recordings to feed it, and hooks that tell of them live. What it exports is each test's own.
import { expect } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Counts, feedSession } from "../../src/backfill/feed-session.ts";
import { parseClaudeCode } from "../../src/clients/normal/payload.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import type { Observation, Prompt, Session, Summary } from "../../src/sdk/model.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { type RecordedLines, recordedSession } from "../support/recorded-session.ts";

/** When recordings begin. */
export const start = Date.parse("2025-03-01T10:00:00Z");
export let root: string;
export let home: string;
export let projects: string;
export let runtime: Runtime;

/** Before each test: a runtime in a home of its own. */
export async function openRoom(): Promise<void> {
  root = await mkdtemp(join(tmpdir(), "memoir-feed-"));
  home = join(root, "home");
  projects = join(root, "projects");
  runtime = await createRuntime({ home, log: silentLog });
}

/** After each. */
export async function closeRoom(): Promise<void> {
  await runtime.stop();
  await rm(root, { recursive: true, force: true });
}

/** Goes on with another runtime in the same home. */
export async function useRuntime(other: Promise<Runtime>): Promise<void> {
  runtime = await other;
}

/** Feeds what lies in the folder; gives what each session brought. */
export async function feed(
  path = projects,
  more: { since?: number; now?: number; modelFree?: boolean } = {},
) {
  const { sessions } = await discoverTranscripts(path);
  const counts: Counts[] = [];
  for (const files of sessions) {
    const fed = await feedSession(files, {
      runtime: runtime.transcripts,
      reader: "backfill",
      modelFree: more.modelFree ?? true,
      now: () => more.now ?? Date.now(),
      home,
      ...(more.since !== undefined && { since: more.since }),
    });
    if (more.modelFree !== false) expect(fed.settled).toBe(true);
    counts.push(fed.counts);
  }
  return counts;
}

/** What storage has of it, oldest first. */
export async function stored() {
  const ask = async <Name extends "prompts" | "observations" | "summaries" | "sessions">(
    name: Name,
  ) =>
    (await runtime.hooks.first(`storage.${name}`, { limit: 200, order: "oldest" }))?.result ?? [];
  return {
    sessions: (await ask("sessions")) as Session[],
    prompts: (await ask("prompts")) as Prompt[],
    observations: (await ask("observations")) as Observation[],
    summaries: (await ask("summaries")) as Summary[],
  };
}

/** What hooks would have told live of this recording, from line `from` on. */
export async function live(
  recorded: RecordedLines,
  from = 0,
  to = recorded.lines.length,
  transcriptPath?: string,
): Promise<void> {
  const uses = new Map<string, Record<string, unknown>>();
  let told = 0;
  for (const [at, line] of recorded.lines.entries()) {
    // The client tells neither its summary nor an interruption as anybody's words.
    if (line.isCompactSummary) continue;
    const message = line.message as { content: string | Array<Record<string, unknown>> };
    const time = Date.parse(String(line.timestamp));
    const tell = (hook: string, fields: object) => {
      // The same id for the same line, whatever part is told.
      told++;
      if (at < from || at >= to) return;
      const payload = {
        session_id: line.sessionId,
        cwd: line.cwd,
        hook_event_name: hook,
        ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
        ...fields,
      };
      // Hooks run a little after the line's own time.
      return runtime.handle(
        parseClaudeCode(payload, { id: `hook-${line.sessionId}-${told}`, time: time + 40 }),
      );
    };
    if (typeof message.content === "string") {
      await tell("UserPromptSubmit", { prompt: message.content });
      continue;
    }
    for (const block of message.content) {
      if (block.type === "tool_use") uses.set(String(block.id), block);
      if (block.type === "text" && line.type === "assistant")
        await tell("Stop", { last_assistant_message: block.text });
      if (block.type !== "tool_result") continue;
      const use = uses.get(String(block.tool_use_id));
      const shared = {
        tool_name: use?.name,
        tool_input: use?.input,
        tool_use_id: block.tool_use_id,
      };
      if (block.is_error)
        await tell("PostToolUseFailure", { ...shared, error: String(block.content) });
      else await tell("PostToolUse", { ...shared, tool_response: line.toolUseResult });
    }
  }
  await runtime.drain({
    session: String(recorded.lines[0]?.sessionId),
    timeoutMs: 10_000,
    flush: true,
  });
}

/** Every kind of thing that a transcript tells of a turn, over two prompts. */
export function eventfulSession(): RecordedLines {
  const recorded = recordedSession("s1", "/gone/shop");
  const { lines } = recorded;
  const user = (time: number, content: unknown, more: object = {}) =>
    lines.push({
      ...lines[0],
      uuid: `u-${lines.length}`,
      timestamp: new Date(time).toISOString(),
      message: { role: "user", content },
      ...more,
    });
  recorded.prompt("Make the exporter write headers", start);
  recorded.run("npm test", "Exit code 1\n1 fail", start + 1_000, true);
  recorded.edit("src/a.ts", "const a = 1;", "export function header() {}", start + 3_000);
  recorded.run("npm test", "3 pass", start + 5_000);
  const refused = recorded.run("npm install", "", start + 7_000, true);
  const reason =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nuse npm ci";
  const last = lines.at(-1);
  if (last)
    last.message = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: refused, is_error: true, content: reason }],
    };
  recorded.run('git commit -m "Write headers"', "[main 1a2b3c4] Write headers", start + 9_000);
  recorded.say("Headers are written, with `npm ci`.", start + 11_000);
  user(start + 12_000, "The conversation is summarized below:\nHeaders.", {
    isCompactSummary: true,
  });
  recorded.prompt("Now the footers", start + 60_000);
  recorded.edit("src/b.ts", "const b = 1;", "export function footer() {}", start + 61_000);
  user(start + 63_000, [{ type: "text", text: "[Request interrupted by user]" }]);
  recorded.prompt("Leave the footers", start + 70_000);
  recorded.say("They stay as they were.", start + 71_000);
  return recorded;
}

/** Turns without what differs between then and now: their ids and the branch. */
export async function turns(of: Runtime) {
  await of.drain({ timeoutMs: 10_000, flush: true });
  const answer = await of.hooks.first("storage.turns", { order: "oldest" });
  return (answer?.result ?? []).map(({ id: _, branch: __, project: ___, ...turn }) => turn);
}
