// May a value leave a session? Only what the capture plugins leave as it is. Judged on JSON values.

import type { KeepRequest, ToolOriginal } from "../../sdk/endless.ts";
import type { ClientEvent, PostToolUseEvent } from "../../sdk/events.ts";
import type { Captured } from "../ports.ts";

/** Runs the capture plugins over an event that is never kept. */
export type Capture = (event: ClientEvent) => Promise<Captured>;

/** A longer tool use stays as it is: looking through it once more would hold up the others. */
const mostCharacters = 8 * 1024 * 1024;

/**
 * True where capture changed nothing of a tool use. `before` and `after` are the event as it went into capture, perhaps
 * shortened, and as it came out.
 */
export async function isUntouched(
  whole: ToolOriginal,
  before: PostToolUseEvent,
  after: PostToolUseEvent,
  capture: Capture,
): Promise<boolean> {
  if (after.withheld || !isSameUse(before, after)) return false;
  const full = { ...before, toolInput: whole.input, toolResponse: whole.response };
  // Where it was shortened on its way in, what was left out was never looked at.
  return isSameUse(before, full) || (await survivesCapture(full, capture, isSameUse));
}

/** Sends the value through capture as a tool use's input or output; false where that drops, withholds or changes it. */
export function mayBeKept(
  { session, toolUseId, tool, part, value, otherHalf = {} }: KeepRequest,
  capture: Capture,
  about: Pick<PostToolUseEvent, "client" | "time" | "cwd" | "project">,
): Promise<boolean> {
  const id = `endless:${session}:${toolUseId}:${part}`;
  const half = part === "input" ? "toolInput" : "toolResponse";
  const event: PostToolUseEvent = {
    ...about,
    name: "PostToolUse",
    id,
    key: id,
    session,
    toolUseId,
    toolName: tool,
    toolInput: otherHalf,
    toolResponse: otherHalf,
    [half]: value,
  };
  return survivesCapture(event, capture, (captured) => sameJson(captured[half], value));
}

async function survivesCapture(
  event: PostToolUseEvent,
  capture: Capture,
  isSame: (captured: PostToolUseEvent, event: PostToolUseEvent) => boolean,
): Promise<boolean> {
  const { toolInput, toolResponse } = event;
  if (textLength([toolInput, toolResponse], mostCharacters) > mostCharacters) return false;
  const captured = await capture(event);
  if ("drop" in captured || captured.event.withheld) return false;
  return captured.event.name === "PostToolUse" && isSame(captured.event, event);
}

function isSameUse(a: PostToolUseEvent, b: PostToolUseEvent): boolean {
  return sameJson(a.toolInput, b.toolInput) && sameJson(a.toolResponse, b.toolResponse);
}

/** True when both say the same; the order of an object's keys does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, at) => sameJson(item, b[at]));
  }
  const mine = Object.entries(a);
  const theirs = b as Record<string, unknown>;
  if (mine.length !== Object.keys(b).length) return false;
  return mine.every(([key, item]) => Object.hasOwn(theirs, key) && sameJson(item, theirs[key]));
}

/** Looked at before giving up: no result worth keeping has more parts. */
const mostParts = 20_000;

/** True when `part` is `whole`, or a value somewhere inside it. False also where `whole` has too many parts to look. */
export function holdsJson(whole: unknown, part: unknown): boolean {
  const waiting: unknown[] = [whole];
  for (let seen = 0; waiting.length > 0 && seen < mostParts; seen++) {
    const value = waiting.pop();
    if (sameJson(value, part)) return true;
    if (typeof value === "object" && value !== null) waiting.push(...Object.values(value));
  }
  return false;
}

/** Characters of all texts inside, keys left out; stops counting above `most`. */
function textLength(value: unknown, most: number): number {
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && length <= most) {
    const item = waiting.pop();
    if (typeof item === "string") length += item.length;
    else if (typeof item === "object" && item !== null) waiting.push(...Object.values(item));
  }
  return length;
}
