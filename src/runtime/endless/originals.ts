// The tool uses that are being answered now, whole; given out only where capture left them as they are.
import type { ToolOriginal } from "../../sdk/endless.ts";
import type { ClientEvent, PostToolUseEvent } from "../../sdk/events.ts";
import type { Captured } from "../ports.ts";

/** Runs the capture plugins over an event that is never kept. */
export type Capture = (event: ClientEvent) => Promise<Captured>;

/** Whose tool use it is, and what gives it. */
interface Holding {
  of: string;
  session: string;
  give(): Promise<ToolOriginal | undefined>;
}

/** A longer tool use is left alone: looking through it once more would hold up the others. */
const mostCharacters = 8 * 1024 * 1024;

const nothingHeld = () => {};

export type Originals = ReturnType<typeof createOriginals>;

/** Starts with nothing held. */
export function createOriginals() {
  const held = new Map<string, Holding[]>();

  /** Undefined for what is not held, for an id that two sessions or agents have, and where capture changes any of it. */
  // Not every model's ids are unlike those of its other sessions. Whose is meant cannot be known here, so nobody's is.
  async function original(toolUseId: string): Promise<ToolOriginal | undefined> {
    const [first, ...others] = held.get(toolUseId) ?? [];
    return others.every(({ of }) => of === first?.of) ? first?.give() : undefined;
  }

  return {
    /**
     * Holds a tool use until the returned function is called. `before` and `after` are the event as it went into
     * capture, perhaps shortened, and as it came out.
     */
    hold(
      whole: ToolOriginal | undefined,
      before: ClientEvent,
      after: ClientEvent,
      capture: Capture,
    ): () => void {
      if (!whole || before.name !== "PostToolUse" || after.name !== "PostToolUse")
        return nothingHeld;
      let verdict: Promise<boolean> | undefined;
      const give = async () => {
        verdict ??= isUntouched(whole, before, after, capture);
        return (await verdict) ? whole : undefined;
      };
      const { toolUseId } = before;
      const { session, agent } = before;
      const own: Holding = { of: JSON.stringify([session, agent?.id]), session, give };
      held.set(toolUseId, [...(held.get(toolUseId) ?? []), own]);
      return () => {
        const others = (held.get(toolUseId) ?? []).filter((other) => other !== own);
        if (others.length > 0) held.set(toolUseId, others);
        else held.delete(toolUseId);
      };
    },
    original,
    /** Whether this tool use of this session is being answered. */
    holds: (session: string, toolUseId: string): boolean =>
      held.get(toolUseId)?.some((one) => one.session === session) ?? false,
    /** True when the value is a held original that capture leaves alone, or part of one. */
    async covers(toolUseId: string, value: unknown): Promise<boolean> {
      const whole = await original(toolUseId);
      return (
        whole !== undefined && (holdsJson(whole.response, value) || holdsJson(whole.input, value))
      );
    },
  };
}

async function isUntouched(
  whole: ToolOriginal,
  before: PostToolUseEvent,
  after: PostToolUseEvent,
  capture: Capture,
): Promise<boolean> {
  if (after.withheld || !isSameUse(before, after)) return false;
  const full = { ...before, toolInput: whole.input, toolResponse: whole.response };
  if (isSameUse(before, full)) return true;
  // It was shortened on its way in, and what was left out was never looked at.
  if (textLength(whole, mostCharacters) > mostCharacters) return false;
  const captured = await capture(full);
  if ("drop" in captured || captured.event.withheld) return false;
  return captured.event.name === "PostToolUse" && isSameUse(captured.event, full);
}

function isSameUse(a: PostToolUseEvent, b: PostToolUseEvent): boolean {
  return sameJson(a.toolInput, b.toolInput) && sameJson(a.toolResponse, b.toolResponse);
}

// Questions about JSON values: are two the same, is one part of another, how much text do they hold? Pure.

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
export function textLength(value: unknown, most = Number.POSITIVE_INFINITY): number {
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && length <= most) {
    const item = waiting.pop();
    if (typeof item === "string") length += item.length;
    else if (typeof item === "object" && item !== null)
      for (const inner of Object.values(item)) waiting.push(inner);
  }
  return length;
}
