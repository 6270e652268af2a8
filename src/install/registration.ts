// What a client is asked to call us for: one hook entry for each event that enabled plugins live from.

import type { HooksPart } from "../clients/adapter.ts";
import { hooksPart } from "../clients/normal/registration.ts";
import type { ClientEventName } from "../sdk/events.ts";

/** A command hook, in Claude Code's words. */
interface HookEntry {
  type: "command";
  command: string;
  /** Seconds after which the client gives up on the hook. */
  timeout?: number;
}

/** One element of an event's list in Claude Code's settings. */
export interface HookGroup {
  /** Tool events only: which tools. */
  matcher?: string;
  hooks: HookEntry[];
}

/** The same for a client that knows no groups. */
export interface FlatHook {
  matcher?: string;
  command: string;
  timeout?: number;
}

/** Event → the one group that stands for memoir. */
export type Registration = ReadonlyMap<string, HookGroup>;

/** The same in either form. */
export type WantedHooks = ReadonlyMap<string, HookGroup | FlatHook>;

/** What is to stand for memoir at each event, as the client writes it. */
export function wantedHooks(part: HooksPart, command: string): WantedHooks {
  const groups = hookGroups(part, command);
  if (!part.flat) return groups;
  const flat = [...groups].flatMap(([event, { hooks, ...matched }]) =>
    hooks.map(({ type: _, ...hook }) => [event, { ...matched, ...hook }] as const),
  );
  return new Map(flat);
}

function hookGroups({ events, named }: HooksPart, command: string): Registration {
  const groups = new Map<string, HookGroup>();
  for (const [event, { timeout, ...matched }] of events) {
    const hook = { command, ...(timeout !== undefined && { timeout }), ...named };
    groups.set(event, { ...matched, hooks: [{ type: "command", ...hook }] });
  }
  return groups;
}

/**
 * The hook ends itself after two seconds, or when a plugin's longer deadline has passed; so much more bounds a machine
 * that is too busy to start it. SessionEnd's own default of 1.5 s would cut it off.
 */
const marginSeconds = 8;
const ownSeconds = 2;

/** The seconds after which a client may give up on an event's hook. `deadlines` in ms: for events that a plugin wants more time for. */
export function hookSeconds(
  event: ClientEventName,
  deadlines: Readonly<Record<string, number>>,
): number {
  return Math.max(ownSeconds, Math.ceil((deadlines[event] ?? 0) / 1_000)) + marginSeconds;
}

/** One group for each of `events`, in the order given. `deadlines` in ms: for events that a plugin wants more time for. */
export function registration(
  events: Iterable<ClientEventName>,
  command: string,
  deadlines: Readonly<Record<string, number>> = {},
): Registration {
  const seconds = [...events].map((event) => [event, hookSeconds(event, deadlines)] as const);
  return hookGroups(hooksPart({ events: new Map(seconds) }), command);
}

/** The same in the form of the settings' `hooks` key. */
export function hooksDocument(wanted: Registration): Record<string, HookGroup[]> {
  return Object.fromEntries([...wanted].map(([event, group]) => [event, [group]]));
}
