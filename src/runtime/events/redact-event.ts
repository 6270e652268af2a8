// Takes private parts and secrets out of an event before it touches the disk. Used where no capture plugin runs: the spool.
import type { ClientEvent } from "../../sdk/events.ts";

/** Stands where a text was. */
const withheldMark = "[withheld]";

/** What is kept of an event whose redaction failed: names, ids, times and paths. A field that is not named here is dropped. */
const frame: ReadonlySet<string> = new Set([
  "agent",
  "agentTranscriptPath",
  "client",
  "clientEvent",
  "cwd",
  "durationMs",
  "id",
  "isInterrupt",
  "key",
  "model",
  "name",
  "project",
  "promptId",
  "reason",
  "recovered",
  "session",
  "source",
  "stopHookActive",
  "time",
  "toolName",
  "toolUseId",
  "transcriptBytes",
  "transcriptPath",
  "trigger",
]);

/** What stands in a field that an event can't be without. */
const withheld: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["prompt", withheldMark],
  ["error", withheldMark],
  ["toolInput", {}],
  ["toolResponse", {}],
]);

/** The event without anything a person, a tool or a model wrote: that something happened is kept. `withheld` is set. */
export function withholdText(event: ClientEvent): ClientEvent {
  return { ...frameOf(event), withheld: true };
}

function frameOf<Fields extends object>(fields: Fields): Fields {
  const kept = Object.entries(fields).flatMap(([name, value]): Array<[string, unknown]> => {
    if (frame.has(name)) return [[name, value]];
    if (withheld.has(name)) return [[name, withheld.get(name)]];
    if (name === "toolCalls" && Array.isArray(value)) return [[name, value.map(frameOf)]];
    return [];
  });
  return Object.fromEntries(kept) as Fields;
}

/** Fields that name things and hold no free text; redaction must not disturb keys. */
const unredactedFields: ReadonlySet<string> = new Set([
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
    if (unredactedFields.has(name)) return [name, value];
    if (name === "toolCalls" && Array.isArray(value)) {
      return [name, value.map((call: object) => cleanFields(call, clean))];
    }
    // Under its own name, so that a field called `token` is treated as one.
    const wrapped = clean({ [name]: value }) as Record<string, unknown>;
    return [name, wrapped[name]];
  });
  return Object.fromEntries(cleaned) as Fields;
}
