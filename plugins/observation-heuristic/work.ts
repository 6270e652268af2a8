// What descriptions are made from: a turn's evidence and the tool uses that belong together.
import type { Agent, NewTurn, Place, ToolUse } from "../../src/sdk/index.ts";
import type { Paths } from "../../src/text/index.ts";

/** What is known of the whole turn. */
export interface Known {
  turn: NewTurn;
  /** As typed; empty where none was seen. */
  prompt: string;
  paths: Paths;
}

/** Tool uses of the main agent that are one piece of work. */
export interface Work {
  uses: ToolUse[];
  /** Index of the commit that closed it. */
  commit?: number;
  /** The turn's closing words belong to it. */
  last: boolean;
}

/** What a subagent did and said. */
export interface Reported {
  agent: Agent;
  uses: ToolUse[];
  said?: string;
}

/** The places of pieces, each once and in order. */
export function placesOf({ promptNumber }: NewTurn, pieces: Iterable<number>): Place[] {
  return [...new Set(pieces)]
    .filter((piece) => piece >= 0)
    .sort((left, right) => left - right)
    .map((piece) => ({ turn: promptNumber, piece }));
}
