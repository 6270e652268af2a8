// Turns made of moments by hand, for the tests of what becomes of these.

import { makeTurn } from "../../src/evidence/make-turn.ts";
import type { Moment } from "../../src/evidence/moment.ts";
import { relativeTo, type UsedTool } from "../../src/evidence/tools.ts";
import type { Evidence, NewTurn } from "../../src/sdk/turn.ts";

/** Of the moment that was made last. */
export let clock = 0;

const at = () => {
  clock += 1_000;
  return clock;
};
/** What somebody said or did, a second after the moment before. */
export const word = (
  what: "prompt" | "typed" | "said" | "refused" | "interrupted" | "compaction" | "report",
  text = "",
  more: Partial<Extract<Moment, { text: string }>> = {},
): Moment => ({ time: at(), what, text, ...more });
/** A tool use. */
export const tool = (name: string, input: unknown, more: Partial<UsedTool> = {}): Moment => ({
  time: at(),
  what: "tool",
  tool: {
    id: `t${clock}`,
    name,
    input,
    ...(more.error === undefined && { response: {} }),
    ...more,
  },
});
/** A command that ran. */
export const run = (command: string, stdout = "", more: Partial<UsedTool> = {}) =>
  tool(
    "Bash",
    { command, description: "As described" },
    { response: { stdout, stderr: "" }, ...more },
  );
/** A command that failed. */
export const failing = (command: string, error: string) => tool("Bash", { command }, { error });
/** A change of a file. */
export const edit = (path: string) => tool("Edit", { file_path: `/app/${path}` });

/** Of the turn that is made. */
export const frame = { session: "s", client: "c", project: "p", promptNumber: 1, startedAt: 0 };
/** The turn that these moments make. */
export function turn(...moments: Moment[]): NewTurn {
  const made = makeTurn(frame, moments, relativeTo("/app/"));
  if (!made) throw new Error("no turn was made");
  return made;
}
/** Its pieces, a line each. */
export const lines = ({ pieces }: NewTurn) =>
  pieces.map(({ kind, about, text }: Evidence) =>
    [kind, about, text].filter((part) => part !== undefined && part !== "").join(": "),
  );
