// Takes private parts and secrets out of an event before it touches the disk. Used where no capture plugin runs: the spool.
import type { ClientEvent } from "../../sdk/events.ts";

// Takes every text out of an event whose redaction failed: that something happened is kept, what was said is not.

/** Stands where a text was. */
const withheldMark = "[withheld]";

/**
 * The event without anything a person, a tool or a model wrote: prompt, tool input and result, error,
 * messages, unknown fields. Names, ids, times and paths of its frame stay. `withheld` is set.
 */
export function withholdText(event: ClientEvent): ClientEvent {
  const { extra: _extra, ...frame } = event;
  const kept: ClientEvent = { ...frame, withheld: true };
  switch (kept.name) {
    case "UserPromptSubmit":
      return { ...kept, prompt: withheldMark };
    case "PreToolUse":
      return { ...kept, toolInput: {} };
    case "PostToolUse":
      return { ...kept, toolInput: {}, toolResponse: {} };
    case "PostToolUseFailure":
      return { ...kept, toolInput: {}, error: withheldMark };
    case "PostToolBatch":
      return {
        ...kept,
        toolCalls: kept.toolCalls.map(({ toolName, toolUseId }) => ({
          toolName,
          toolUseId,
          toolInput: {},
          toolResponse: {},
        })),
      };
    case "Stop":
    case "SubagentStop": {
      const { lastAssistantMessage: _message, ...rest } = kept;
      return rest;
    }
    case "PostCompact": {
      const { compactSummary: _summary, ...rest } = kept;
      return rest;
    }
    case "SessionStart":
    case "SessionEnd":
    case "SubagentStart":
    case "PreCompact":
    case "Other":
      return kept;
  }
}

/** Fields that name things and hold no free text; redaction must not disturb keys. */
const identity: ReadonlySet<string> = new Set([
  "agent",
  "client",
  "clientEvent",
  "cwd",
  "id",
  "key",
  "name",
  "promptId",
  "session",
  "toolName",
  "toolUseId",
]);

/**
 * The event with every text redacted, by the rules that the config of `home` adds too; when redaction fails, with its
 * text withheld. Never rejects.
 */
export async function redactEvent(event: ClientEvent, home?: string): Promise<ClientEvent> {
  try {
    if (home !== undefined)
      await (await import("../../privacy/own-rules-of-home.ts")).useRedactionOfHome(home);
    const [{ redactDeep }, { stripPrivateDeep }] = await Promise.all([
      import("../../privacy/redact.ts"),
      import("../../privacy/marker.ts"),
    ]);
    return cleanFields(event, (value) => redactDeep(stripPrivateDeep(value)).value);
  } catch {
    return withholdText(event);
  }
}

function cleanFields<Fields extends object>(
  fields: Fields,
  clean: (value: unknown) => unknown,
): Fields {
  const cleaned = Object.entries(fields).map(([name, value]): [string, unknown] => {
    if (identity.has(name)) return [name, value];
    if (name === "toolCalls" && Array.isArray(value)) {
      return [name, value.map((call: object) => cleanFields(call, clean))];
    }
    // Under its own name, so that a field called `token` is treated as one.
    const wrapped = clean({ [name]: value }) as Record<string, unknown>;
    return [name, wrapped[name]];
  });
  return Object.fromEntries(cleaned) as Fields;
}
