// What is wrong with a plugin's answer, where somebody else's work would break on it.
import * as v from "valibot";
import type { ClientEvent, ClientEventName } from "../../sdk/events.ts";
import type { HookName } from "../../sdk/hooks.ts";
import { AgentSchema, ProjectSchema } from "../../sdk/model.ts";
import type { PutRequest, PutResult } from "../../sdk/storage.ts";
import { hookFacts } from "./hook-table.ts";

/** What is wrong with a plugin's answer, in words without any of its text; undefined when nothing is. */
export function answerObjection(
  hook: HookName,
  input: unknown,
  answer: object,
): string | undefined {
  if (answer === input) return undefined;
  if (hook === "capture") return eventObjection(input as ClientEvent, answer);
  const schema = hookFacts[hook].answer;
  const parsed = schema && v.safeParse(schema, answer, { abortEarly: true });
  if (parsed && !parsed.success)
    return `its answer is not what ${hook} wants (${v.getDotPath(parsed.issues[0]) ?? "answer"})`;
  if (hook === "storage.put") return putObjection(input as PutRequest, answer);
  if ("updatedToolOutput" in answer) return jsonObjection(answer.updatedToolOutput);
  return undefined;
}

/** Without an id for each record the work would pass for stored, and nothing could be found again. */
function putObjection({ records }: PutRequest, answer: object): string | undefined {
  const { written, ...given } = answer as PutResult;
  if (!written) return undefined;
  for (const kind of ["observations", "summaries", "turns"] as const) {
    const asked = records[kind]?.length ?? 0;
    // A storage that was written before there were turns may go without, as long as it is given none.
    const count = given[kind]?.length ?? 0;
    if (count !== asked) return `it answered storage.put with ${count} ids for ${asked} ${kind}`;
  }
  return undefined;
}

// Is a capture plugin's answer still the event that it was given, in a form that the journal can keep?

const text = v.string();
const maybeText = v.optional(text);
const tool = { toolName: text, toolUseId: text };

/** What of an event is read by name; the rest may be anything that is JSON. */
const base = {
  cwd: text,
  project: v.optional(ProjectSchema),
  agent: v.optional(AgentSchema),
  transcriptPath: maybeText,
  transcriptBytes: v.optional(v.number()),
  promptId: maybeText,
  withheld: v.optional(v.boolean()),
};

const own: { readonly [Name in ClientEventName]: v.ObjectEntries } = {
  SessionStart: { source: text, model: maybeText },
  UserPromptSubmit: { prompt: text },
  PreToolUse: tool,
  PostToolUse: tool,
  PostToolUseFailure: { ...tool, error: text, isInterrupt: v.boolean() },
  PostToolBatch: { toolCalls: v.array(v.object(tool)) },
  Stop: { stopHookActive: v.boolean(), lastAssistantMessage: maybeText },
  SubagentStart: {},
  SubagentStop: { lastAssistantMessage: maybeText, agentTranscriptPath: maybeText },
  SessionEnd: { reason: text },
  PreCompact: { trigger: text },
  PostCompact: { trigger: text, compactSummary: maybeText },
  Other: { clientEvent: text },
};

const schemas = new Map(
  Object.entries(own).map(([name, entries]) => [name, v.object({ ...base, ...entries })]),
);

/** A plugin may change what an event says, not which happening it is. */
const identity = ["id", "key", "name", "client", "session", "time", "toolUseId"] as const;

/** What is wrong with it, in words without any of its text; undefined when nothing is. */
export function eventObjection(event: ClientEvent, answer: object): string | undefined {
  if ("drop" in answer)
    return typeof answer.drop === "string" ? undefined : "its `drop` is no reason in words";
  const given = answer as Record<string, unknown>;
  const before = event as unknown as Record<string, unknown>;
  const changed = identity.find((field) => given[field] !== before[field]);
  if (changed !== undefined)
    return `it answered with something that is not the event it was given (${changed})`;
  const schema = schemas.get(event.name);
  const parsed = schema && v.safeParse(schema, answer, { abortEarly: true });
  if (parsed && !parsed.success)
    return `it answered with something that is no ${event.name} event (${v.getDotPath(parsed.issues[0]) ?? "event"})`;
  return jsonObjection(answer);
}

/** Why a value cannot be written as JSON: a cycle, a bigint, a `toJSON` that throws. */
function jsonObjection(value: unknown): string | undefined {
  try {
    JSON.stringify(value);
    return undefined;
  } catch {
    return "it answered with something that cannot be written as JSON";
  }
}
