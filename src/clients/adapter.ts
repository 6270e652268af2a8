// What every client adapter offers: a client's payload in, memoir's event out; memoir's reply in, the client's answer out.
import type { Environment } from "../home/paths.ts";
import type { ToolOriginal } from "../sdk/endless.ts";
import type { ClientEvent, ClientEventName, Reply } from "../sdk/events.ts";

/** How one delivery is told from another: the hook command makes both values, so a posted and a spooled copy agree. */
export interface Delivery {
  id: string;
  /** Epoch ms at which the hook ran. */
  time: number;
}

export interface ClientAdapter {
  /** How the hook command and events name the client. */
  name: string;
  /** How people name it. */
  title: string;
  /** The events that can be registered with it. */
  events: readonly ClientEventName[];
  /** The folder in which it keeps the transcripts of all projects. */
  transcripts(env: Environment): string;
  /** Throws MemoirError `payload_invalid` naming the field that is missing or wrong. */
  parse(payload: unknown, delivery: Delivery): ClientEvent;
  /** The tool use of a result's payload, whole, where `parse` may shorten it; undefined for other payloads. */
  original(payload: unknown): ToolOriginal | undefined;
  /** The one JSON object to print, or undefined when there is nothing to say. */
  render(event: ClientEvent, reply: Reply): Record<string, unknown> | undefined;
}
