// One event delivered twice within moments, told apart in memory: by a client that runs memoir's hooks from its settings and from a
// plugin, and of dropped events, which the journal does not know, by a post and the spool. See `journal/seen-before.ts` for the rest.
import type { ClientEvent } from "../../sdk/events.ts";
import { dropOldest } from "../../text/text.ts";
import { isShown } from "../budget/notices.ts";

/** The second copy comes while the first is under way. */
const togetherMs = 2_000;
const mostKept = 500;
const mostDropped = 2_000;
const longestPrint = 2_000;

const notice =
  "memoir: its hooks run twice in this session, from the settings and from the client's plugin. `memoir install` takes the second ones out.";

/** Nothing came yet; `now` gives epoch ms. */
export function createDuplicates(now: () => number) {
  const recent = new Map<string, { delivery: string; time: number; step: number }>();
  /** How often a session's prompts and answers took turns: the same words after that are said anew. */
  const steps = new Map<string, number>();
  const noticed = new Map<string, true>();
  const dropped = new Map<string, true>();

  /** True the first time, of the last so many. */
  function isFirst(known: Map<string, true>, key: string, most: number): boolean {
    if (known.has(key)) return false;
    known.set(key, true);
    dropOldest(known, most);
    return true;
  }

  return {
    /** True when the same event came a moment ago by another delivery. */
    isSecond(event: ClientEvent): boolean {
      const print = fingerprint(event);
      const before = recent.get(print);
      const step = steps.get(event.session) ?? 0;
      const isSame =
        before !== undefined && before.delivery !== event.id && now() - before.time <= togetherMs;
      if (isSame && (isNamed(event) || before.step === step)) return true;
      const next = takesTurns.has(event.name) ? step + 1 : step;
      steps.delete(event.session);
      steps.set(event.session, next);
      dropOldest(steps, mostKept);
      recent.delete(print);
      recent.set(print, { delivery: event.id, time: now(), step: next });
      dropOldest(recent, mostKept);
      return false;
    },
    /** What a second copy's answer says: once in a session, where somebody reads it. */
    notice: (event: ClientEvent): string | undefined =>
      isShown(event) && isFirst(noticed, event.session, mostKept) ? notice : undefined,
    /** True the first time that an event is dropped. */
    isNewDrop: (event: ClientEvent): boolean => isFirst(dropped, event.key, mostDropped),
  };
}

const takesTurns: ReadonlySet<string> = new Set(["UserPromptSubmit", "Stop"]);

/** Whether its key tells it from every other event: then it is no delivery's own. */
function isNamed({ id, key }: ClientEvent): boolean {
  return !key.endsWith(id);
}

/** A key that is not the delivery's own says it all; else everything that the client said. */
function fingerprint(event: ClientEvent): string {
  const { id, key, time: _time, transcriptBytes: _bytes, ...said } = event;
  if (isNamed(event)) return key;
  // A client that has no ids for its tool uses gets the delivery's for them.
  const text = JSON.stringify(said).replaceAll(id, "");
  return `${text.length} ${text.slice(0, longestPrint)}`;
}
