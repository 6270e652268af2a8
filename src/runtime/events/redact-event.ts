// What of an event may touch the disk where the capture plugins have not done their work: without any text where they failed
// (`withholdText`), without private passages and secrets in the spool (`redactEvent`). Once it is taken in, the spool's copy goes
// through the capture plugins like any event.
import { type ClientEvent, structural } from "../../sdk/events.ts";

/** Stands where a text was. */
const withheldMark = "[withheld]";

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
    if (withheld.has(name)) return [[name, withheld.get(name)]];
    if (isFrame(name, value)) return [[name, value]];
    if (name === "toolCalls" && Array.isArray(value)) return [[name, value.map(frameOf)]];
    return [];
  });
  return Object.fromEntries(kept) as Fields;
}

/** Numbers and switches of its own say nothing either. */
function isFrame(name: string, value: unknown): boolean {
  const isFlag = typeof value === "number" || typeof value === "boolean";
  return isFlag || structural.has(name) || name === "model" || name === "recovered";
}

/**
 * The event with every text redacted, by the rules that the config of `home` adds too; when redaction fails, with its
 * text withheld. Never rejects.
 */
export async function redactEvent(event: ClientEvent, home?: string): Promise<ClientEvent> {
  try {
    if (home !== undefined)
      await (await import("../../privacy/own-rules-of-home.ts")).useRedactionOfHome(home);
    const [{ mapEvent, redactDeep }, { stripPrivateDeep }] = await Promise.all([
      import("../../privacy/redact.ts"),
      import("../../privacy/marker.ts"),
    ]);
    return mapEvent(event, (value, name) => {
      // Under its own name, so that a field of the event called `token` is treated as one.
      const named = redactDeep(stripPrivateDeep({ [name]: value })).value;
      return (named as Record<string, unknown>)[name];
    });
  } catch {
    return withholdText(event);
  }
}
