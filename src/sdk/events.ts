// Client events in memoir's own form. A client adapter (src/clients) makes them; capture plugins refine them; the journal keeps them.
import type { Agent, Project } from "./model.ts";

/** Clients turn a longer context into a file with a short preview, so nothing longer is given. Counted in UTF-16 units. */
export const contextLimit = 10_000;

/** What is known of an event only from a transcript. */
interface Recovered {
  /** The branch that was checked out then. */
  branch?: string;
  /** True when no model may be asked about it. */
  modelFree: boolean;
}

/** What every event carries. All of it is JSON. */
export interface EventBase {
  /** Unique per delivery; the hook command makes it, so that a posted and a spooled copy are one event. */
  id: string;
  /** Idempotency key: two events with one key are the same happening (for a tool use, built from its id). */
  key: string;
  /** `claude-code`, … */
  client: string;
  /** The client's session id; a subagent's events carry its parent's. */
  session: string;
  /** Epoch ms at which the hook ran. */
  time: number;
  /** The client's working directory. */
  cwd: string;
  /** Set by a capture plugin. */
  project?: Project;
  transcriptPath?: string;
  /** Size of that file when the event was taken; what led to the event stands before it. */
  transcriptBytes?: number;
  /** The client's id for the prompt, when it has one. */
  promptId?: string;
  /** Present inside a subagent. */
  agent?: Agent;
  /** True when text fields were taken out because redaction failed. */
  withheld?: boolean;
  /** Set when the event was read from the client's transcript afterwards; no hook delivered it, and nobody waits for an answer. */
  recovered?: Recovered;
  /** Every payload field this version does not know, as it came. */
  extra?: Record<string, unknown>;
}

/**
 * Fields that say what an event is, and hold nothing that anybody said: redaction leaves them as they are, and they stay of an event
 * whose redaction failed. Any other field, known or not, may hold what somebody said.
 */
export const structural: ReadonlySet<string> = new Set(
  "name id key client session time cwd project transcriptPath agentTranscriptPath promptId agent withheld toolName toolUseId source reason trigger clientEvent".split(
    " ",
  ),
);

/** A tool use that the client is about to run, ran, or failed to run. */
interface ToolFields {
  toolName: string;
  toolInput: unknown;
  toolUseId: string;
}

/** A session begins, goes on, or begins anew after a clear or a compaction. */
interface SessionStartEvent extends EventBase {
  name: "SessionStart";
  /** `startup`, `resume`, `clear`, `compact`, … */
  source: string;
  model?: string;
}
/** The person asked something. */
export interface UserPromptSubmitEvent extends EventBase {
  name: "UserPromptSubmit";
  prompt: string;
}
/** The agent is about to use a tool. */
interface PreToolUseEvent extends EventBase, ToolFields {
  name: "PreToolUse";
}
/** A tool was used and gave its result. */
export interface PostToolUseEvent extends EventBase, ToolFields {
  name: "PostToolUse";
  /** The tool's structured result, in the client's shape. */
  toolResponse: unknown;
  durationMs?: number;
}
/** A tool was used and failed, or was stopped by the person; then no PostToolUse comes. */
interface PostToolUseFailureEvent extends EventBase, ToolFields {
  name: "PostToolUseFailure";
  error: string;
  isInterrupt: boolean;
  durationMs?: number;
}
/** All tool uses of one message of the agent have ended. */
interface PostToolBatchEvent extends EventBase {
  name: "PostToolBatch";
  toolCalls: Array<ToolFields & { toolResponse: unknown }>;
}
/** The agent ended its answer to a prompt. */
interface StopEvent extends EventBase {
  name: "Stop";
  stopHookActive: boolean;
  lastAssistantMessage?: string;
}
/** A subagent begins. */
interface SubagentStartEvent extends EventBase {
  name: "SubagentStart";
}
/** A subagent ended. */
interface SubagentStopEvent extends EventBase {
  name: "SubagentStop";
  lastAssistantMessage?: string;
  agentTranscriptPath?: string;
}
/** The session ended. */
interface SessionEndEvent extends EventBase {
  name: "SessionEnd";
  /** `clear`, `resume`, `prompt_input_exit`, `other`, … */
  reason: string;
}
/** The client is about to compact the session. */
interface PreCompactEvent extends EventBase {
  name: "PreCompact";
  trigger: string;
}
/** The client compacted the session. */
interface PostCompactEvent extends EventBase {
  name: "PostCompact";
  trigger: string;
  compactSummary?: string;
}
/** An event this version has no type for: kept, never refused. */
interface OtherEvent extends EventBase {
  name: "Other";
  /** The client's own name for it. */
  clientEvent: string;
}

/** Every client event, by name. */
export interface ClientEvents {
  SessionStart: SessionStartEvent;
  /**
   * Slot `context-injection`, as `SessionStart`: what a prompt is given.
   *
   * @example
   * ```ts
   * import { wrapContext } from "memoir/privacy";
   * import { definePlugin } from "memoir/sdk";
   *
   * export default definePlugin({
   *   name: "decisions",
   *   description: "Gives a prompt the decisions it may touch.",
   *   sdk: 1,
   *   slot: "context-injection",
   *   hooks: {
   *     async UserPromptSubmit({ prompt, project }, ctx) {
   *       const query = { text: prompt, type: "decision", limit: 3 };
   *       const found = await ctx.storage.search(project ? { ...query, project: project.id } : query);
   *       if (found.length === 0) return undefined;
   *       const lines = found.map(({ id, title }) => `- ${title} (${id})`);
   *       return { context: wrapContext(lines.join("\n")), records: found.map(({ id }) => id) };
   *     },
   *   },
   * });
   * ```
   */
  UserPromptSubmit: UserPromptSubmitEvent;
  PreToolUse: PreToolUseEvent;
  /**
   * Slot `endless-mode`: a result is made smaller, once what is taken out is kept.
   *
   * @example
   * ```ts
   * import { definePlugin } from "memoir/sdk";
   * import { cut } from "memoir/text";
   *
   * export default definePlugin({
   *   name: "short-reads",
   *   description: "Shortens long results of a tool that answers a text.",
   *   sdk: 1,
   *   slot: "endless-mode",
   *   hooks: {
   *     PostToolUse: {
   *       filter: { tool: ["mcp__docs__read"] },
   *       async handler({ session, toolName, toolUseId }, ctx) {
   *         const value = (await ctx.endless.original(toolUseId))?.response;
   *         if (typeof value !== "string" || value.length < 20_000) return undefined;
   *         const after = cut(value, 10_000);
   *         const kept = await ctx.endless.keep({
   *           ...{ session, toolUseId, tool: toolName, part: "output" },
   *           ...{ value, before: value, after },
   *         });
   *         return kept ? { updatedToolOutput: after } : undefined;
   *       },
   *     },
   *   },
   * });
   * ```
   */
  PostToolUse: PostToolUseEvent;
  PostToolUseFailure: PostToolUseFailureEvent;
  PostToolBatch: PostToolBatchEvent;
  Stop: StopEvent;
  SubagentStart: SubagentStartEvent;
  SubagentStop: SubagentStopEvent;
  SessionEnd: SessionEndEvent;
  PreCompact: PreCompactEvent;
  PostCompact: PostCompactEvent;
  Other: OtherEvent;
}
/** The name of a client event. */
export type ClientEventName = keyof ClientEvents;
/** Any client event; `name` tells which. */
export type ClientEvent = ClientEvents[ClientEventName];

/** What a plugin may answer a client event with. The runtime merges all replies; the client adapter renders them. */
export interface Reply {
  /** Text for the model, in the client's own slot for additional context. At most 10,000 characters survive. */
  context?: string;
  /** Ids of the stored records that `context` names, so that what it saved can be counted. */
  records?: string[];
  /** For each line of `context` that begins with "- ", in order: ids of the records it was made of. */
  traces?: string[][];
  /** By id: why a record that was weighed for `context` is not in it, in a few words for a person. */
  omitted?: Record<string, string>;
  /** What to count for `memoir memory stats`, as `kind:happening`: `failure:told`, `failure:acted-on`. */
  noted?: string[];
  /** One line for the person at the terminal. */
  systemMessage?: string;
  /** Replaces a tool's result before the model sees it, in the tool's own output shape (PostToolUse only). */
  updatedToolOutput?: unknown;
}
