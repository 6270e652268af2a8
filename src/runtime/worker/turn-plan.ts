// Which turns are to be made, or made anew, after these events: pure.
import type { PendingEvent, PlannedWork, PromptPast } from "../journal/journal-types.ts";
import type { ToolGroup } from "./tool-groups.ts";
import { workKey } from "./work-key.ts";

/** Turns that events end, as planning meets them. */
interface TurnPlan {
  /** Every event, before anything else is done for it. A tool use that gathers is met at each planning. */
  meet(event: PendingEvent): void;
  /** Tool uses that stopped gathering for another reason than their number; gives them back. */
  closed(groups: ToolGroup[]): ToolGroup[];
  /** The session went silent after this event. */
  silent(promptNumber: number, event: { key: string }): void;
  /** Puts each turn's piece before the first other piece of its prompt, but behind the prompt itself. */
  insertInto(works: PlannedWork[]): void;
}

/**
 * A turn is made at its Stop, when the user stops a tool or the session ends, and when it goes quiet. It is made anew at
 * the next prompt: clients write their transcript a little behind. What a transcript tells is complete with its Stop.
 */
export function planTurns(past: ReadonlyMap<number, PromptPast>): TurnPlan {
  const wanted = new Map<number, PlannedWork>();
  const stopped = new Set([...past].filter(([, { stopped }]) => stopped).map(([number]) => number));

  function want(promptNumber: number, event: { key: string }, why: string): void {
    const key = workKey("turn", [String(promptNumber), why, event.key]);
    wanted.delete(promptNumber);
    wanted.set(promptNumber, { kind: "turn", key, promptNumber, seqs: [], waiting: false });
  }

  return {
    meet(event) {
      const { name, promptNumber, recovered, agent, spoken } = event;
      if (name === "Stop") {
        stopped.add(promptNumber);
        want(promptNumber, event, "stop");
      } else if (name === "UserPromptSubmit" && promptNumber > 0) {
        const before = promptNumber - 1;
        if (!(recovered && stopped.has(before))) want(before, event, "next");
      } else if (name === "SessionEnd") {
        if (promptNumber > 0 && !(recovered && stopped.has(promptNumber)))
          want(promptNumber, event, "end");
      } else if (name === "PostToolUseFailure" && spoken && agent === undefined && !recovered)
        want(promptNumber, event, "stopped");
    },
    closed(groups) {
      for (const { promptNumber, events } of groups) {
        const last = events.at(-1);
        if (last && !wanted.has(promptNumber)) want(promptNumber, last, "closed");
      }
      return groups;
    },
    silent(promptNumber, event) {
      want(promptNumber, event, "silent");
    },
    insertInto(works) {
      for (const turn of wanted.values()) {
        const at = works.findIndex(
          ({ promptNumber, kind }) =>
            promptNumber > turn.promptNumber ||
            (promptNumber === turn.promptNumber && kind !== "prompt"),
        );
        works.splice(at < 0 ? works.length : at, 0, turn);
      }
    },
  };
}
