// What a client is asked to call us for: one hook entry for each event that enabled plugins live from.
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

/** Events that the client matches by tool name. */
const toolEvents: ReadonlySet<ClientEventName> = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
]);

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
  const groups = new Map<string, HookGroup>();
  for (const event of events) {
    const hooks: HookEntry[] = [
      { type: "command", command, timeout: hookSeconds(event, deadlines) },
    ];
    groups.set(event, toolEvents.has(event) ? { matcher: "*", hooks } : { hooks });
  }
  return groups;
}

/** The same in the form of the settings' `hooks` key. */
export function hooksDocument(wanted: Registration): Record<string, HookGroup[]> {
  return Object.fromEntries([...wanted].map(([event, group]) => [event, [group]]));
}
