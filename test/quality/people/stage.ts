// A session under way as the client would leave it: transcript lines and hook payloads, moment by moment.
import { createHash } from "node:crypto";
import { join } from "node:path";

/** A line of a transcript, or a payload on a hook's stdin. */
export type Json = Readonly<Record<string, unknown>>;

/** A line and the file it is written to. */
export interface WrittenLine {
  path: string;
  line: Json;
}

/** What comes to pass at one moment: lines are written, then hooks are told. */
export interface Moment {
  /** Epoch ms. */
  time: number;
  lines: readonly WrittenLine[];
  hooks: readonly Json[];
}

/** Where and when a session takes place. */
export interface Setting {
  session: string;
  cwd: string;
  /** Folder of the project's transcripts. */
  folder: string;
  /** Epoch ms of the first moment. */
  start: number;
}

/** What a session's steps are made with. Each moment takes a minute. */
export interface Stage {
  readonly cwd: string;
  readonly moments: readonly Moment[];
  /** The session's own transcript. */
  readonly path: string;
  /** Epoch ms of the next moment. */
  now(): number;
  happens(lines: readonly WrittenLine[], hooks?: readonly Json[]): void;
  /** A line of the session, or of one of its subagents. */
  line(fields: Json, agent?: string): WrittenLine;
  userLine(content: unknown, fields?: Json, agent?: string): WrittenLine;
  assistantLine(block: Json, agent?: string): WrittenLine;
  /** A payload of this hook. */
  hook(name: string, fields?: Json): Json;
  /** The user types; what was open is stopped first. */
  prompt(text: string): void;
  say(text: string): void;
  /** True while the agent said something since the prompt. */
  hasSaid(): boolean;
  /** The hook that tells the end of an open turn. */
  stop(): readonly Json[];
  /** The turn is over without a word to any hook. */
  abandon(): void;
  works(tool: string, input: Json, content: string, structured: unknown): void;
  fails(tool: string, input: Json, error: string, isInterrupt?: boolean): void;
  /** No hook tells of a refusal; without a reason the turn ends with it. */
  refuse(tool: string, input: Json, because: string | undefined): void;
  /** The client's note of an interruption. */
  interruption(what: string): WrittenLine;
}

const minute = 60_000;
const refusal =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
const halt = "STOP what you are doing and wait for the user to tell you how to proceed.";

/** A short hash. */
export function shortHash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}

/** Sets the stage for one session. */
export function setStage({ session, cwd, folder, start }: Setting): Stage {
  const path = join(folder, `${session}.jsonl`);
  const moments: Moment[] = [];
  let time = start;
  let made = 0;
  let parent: string | null = null;
  let said = "";
  let promptId = "";
  let open = false;

  function line(fields: Json, agent?: string): WrittenLine {
    made++;
    const uuid = `${session.slice(0, 24)}${String(made).padStart(12, "0")}`;
    const written = {
      parentUuid: parent,
      isSidechain: agent !== undefined,
      userType: "external",
      cwd,
      sessionId: session,
      version: "2.1.329",
      gitBranch: "main",
      ...(agent !== undefined && { agentId: agent }),
      uuid,
      timestamp: new Date(time + made).toISOString(),
      ...fields,
    };
    if (agent !== undefined)
      return { path: join(folder, session, "subagents", `agent-${agent}.jsonl`), line: written };
    parent = uuid;
    return { path, line: written };
  }

  const userLine: Stage["userLine"] = (content, fields = {}, agent) =>
    line({ type: "user", message: { role: "user", content }, ...fields }, agent);

  function assistantLine(block: Json, agent?: string): WrittenLine {
    const message = {
      id: `msg_${session.slice(0, 8)}${made}`,
      type: "message",
      role: "assistant",
      model: "claude-test",
      content: [block],
      usage: { input_tokens: 10, output_tokens: 40 },
    };
    return line({ type: "assistant", message }, agent);
  }

  const hook: Stage["hook"] = (name, fields = {}) => ({
    session_id: session,
    transcript_path: path,
    cwd,
    permission_mode: "default",
    hook_event_name: name,
    ...(promptId !== "" && { prompt_id: promptId }),
    ...fields,
  });

  const happens: Stage["happens"] = (lines, hooks = []) => {
    moments.push({ time, lines, hooks });
    time += minute;
  };

  function used(tool: string, input: Json, content: string, structured: unknown, error: boolean) {
    const id = `toolu_${session.slice(0, 8)}${made}`;
    const result = {
      type: "tool_result",
      tool_use_id: id,
      content,
      ...(error && { is_error: true }),
    };
    const lines = [
      assistantLine({ type: "tool_use", id, name: tool, input }),
      userLine([result], { toolUseResult: structured }),
    ];
    return { lines, fields: { tool_name: tool, tool_input: input, tool_use_id: id } };
  }

  function abandon(): void {
    open = false;
    said = "";
  }

  function stop(): readonly Json[] {
    if (!open) return [];
    const told = said === "" ? {} : { last_assistant_message: said };
    abandon();
    return [hook("Stop", { stop_hook_active: false, ...told })];
  }

  const interruption = (what: string) =>
    userLine([{ type: "text", text: `[Request interrupted by user${what}]` }]);

  return {
    cwd,
    moments,
    path,
    now: () => time,
    happens,
    line,
    userLine,
    assistantLine,
    hook,
    stop,
    abandon,
    interruption,
    hasSaid: () => said !== "",
    prompt(text) {
      const before = stop();
      promptId = `prompt-${session.slice(0, 8)}-${made}`;
      open = true;
      const typed = userLine(text, { promptId });
      happens([typed], [...before, hook("UserPromptSubmit", { prompt: text })]);
    },
    say(text) {
      said = text;
      happens([assistantLine({ type: "text", text })]);
    },
    works(tool, input, content, structured) {
      const { lines, fields } = used(tool, input, content, structured, false);
      const told = { ...fields, tool_response: structured, duration_ms: 900 };
      happens(lines, [hook("PostToolUse", told)]);
    },
    fails(tool, input, error, isInterrupt = false) {
      const { lines, fields } = used(tool, input, error, `Error: ${error}`, true);
      happens(lines, [hook("PostToolUseFailure", { ...fields, error, is_interrupt: isInterrupt })]);
    },
    refuse(tool, input, because) {
      const told =
        because === undefined
          ? `${refusal} ${halt}`
          : `${refusal} To tell you how to proceed, the user said:\n${because}`;
      const { lines } = used(tool, input, told, `Error: ${told}`, true);
      happens(because === undefined ? [...lines, interruption(" for tool use")] : lines);
      if (because === undefined) abandon();
    },
  };
}
