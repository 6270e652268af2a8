// What the hook command and its ways out hand each other. Types only: whatever is loaded here costs every hook.
import type { Environment, Paths } from "../../home/paths.ts";

/** One event on its way to the server. */
export interface HookDelivery {
  client: string;
  /** The payload as it came: JSON, if the client is right. */
  body: string;
  /** The payload's own event name, as far as it can be told without parsing it. */
  eventName: string;
  id: string;
  /** Epoch ms. */
  time: number;
  paths: Paths;
  env: Environment;
  /** Events wait in the spool as the server was late: this one asks whether it is well again, and comes after them. */
  looks: boolean;
  /** Aborted when the hook's time is up. */
  signal: AbortSignal;
}

/**
 * Why an event was not taken: nobody listens, no answer in time, an answer that says the server could not, or a server
 * that was late with others and was not asked.
 */
export type Trouble = "away" | "late" | "failed" | "unasked";

export interface HookAnswer {
  status: number;
  text: string;
}
