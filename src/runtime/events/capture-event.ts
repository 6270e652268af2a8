// An event on its way in: through the capture plugins, and without its text where they failed.
import type { ClientEvent } from "../../sdk/events.ts";
import { isDrop } from "../hooks/hooks.ts";
import type { Captured, Hooks } from "../ports.ts";
import { withholdText } from "./redact-event.ts";

/** Runs the capture plugins. Fails closed: when one failed, or one is missing (`broken`), the text is withheld. */
export async function captureEvent(
  event: ClientEvent,
  hooks: Hooks,
  broken: boolean,
): Promise<Captured> {
  const { value, failed, by } = await hooks.reduce("capture", event);
  if (isDrop(value)) return { drop: String(value.drop), by: by ?? "capture" };
  if (!isSameEvent(value, event))
    return { event: withholdText(event), failed: [...failed, "capture"] };
  return { event: broken || failed.length > 0 ? withholdText(value) : value, failed };
}

/** A plugin may change what an event says, not which event it is. */
function isSameEvent(value: ClientEvent, event: ClientEvent): boolean {
  return (["id", "key", "name", "client", "session", "time"] as const).every(
    (field) => value[field] === event[field],
  );
}
