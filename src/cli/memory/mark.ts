// `memoir memory pin`, `unpin`, `hide`, `unhide`, `confirm`, `merge`: what is always told first, and what is never told; without ids, what is marked so.
import { firstWords } from "../../sdk/first-words.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { AskedOf, RoutesOf } from "../../server/route-types.ts";
import { cut, oneLine } from "../../text/text.ts";
import { server } from "../server/client.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { projectOption } from "./filter.ts";

export interface MarkOptions {
  project?: string;
  json?: boolean;
}

/** What each verb does, and says that it did. */
export const markVerbs = {
  pin: { what: { pinned: true }, mark: "pinned", said: "Pinned" },
  unpin: { what: { pinned: false }, mark: "pinned", said: "No longer pinned" },
  hide: { what: { hidden: true }, mark: "hidden", said: "Hidden" },
  unhide: { what: { hidden: false }, mark: "hidden", said: "No longer hidden" },
  confirm: { what: { set: { state: "standing" } }, mark: "edited", said: "Confirmed" },
} as const;
/** The name of one. */
export type MarkVerb = keyof typeof markVerbs;

/** Marks the records, or lists what is marked. Throws `record_not_found` before anything is changed. */
export async function mark(
  verb: MarkVerb,
  ids: readonly string[],
  { project, json = false }: MarkOptions,
  terminal: Terminal,
): Promise<number> {
  const { what, mark, said } = markVerbs[verb];
  if (ids.length === 0) {
    const { records } = await server.get("/api/marked", {
      query: { mark, project: await projectOption(project, terminal) },
    });
    if (json) terminal.print(JSON.stringify({ records }));
    else if (records.length === 0) terminal.print(`Nothing is ${mark}.`);
    else for (const line of lines(records, terminal)) terminal.print(line);
    return 0;
  }
  return await amended({ ids: [...ids], ...what }, `${said}:`, json, terminal);
}

/** Hides `ids`, which name `into` from then on. */
export function merge(
  into: string,
  ids: readonly string[],
  { json = false }: MarkOptions,
  terminal: Terminal,
): Promise<number> {
  return amended({ ids: [...ids], merged: into }, `Merged into ${into}:`, json, terminal);
}

async function amended(
  body: AskedOf<RoutesOf<"post">["/api/amend"]>["body"],
  said: string,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const answer = await server.post("/api/amend", { body });
  const { records, along, derived, withheld } = answer;
  if (json) {
    terminal.print(JSON.stringify(answer));
    return 0;
  }
  terminal.print(said);
  for (const line of lines(records, terminal)) terminal.print(`  ${line}`);
  const rest = [
    [along, `And what was made of it: ${along.join(", ")}.`],
    [
      derived,
      `May say something of it, and is still told: \`memoir memory hide ${derived.join(" ")}\` hides that too.`,
    ],
    [
      withheld,
      `Still told to no agent, with what it was made of, or its session, which is hidden: ${withheld.join(", ")}.`,
    ],
  ] as const;
  for (const [ids, line] of rest) if (ids.length > 0) terminal.print(terminal.colors.dim(line));
  return 0;
}

function lines(records: readonly StoredRecord[], { colors }: Terminal): string[] {
  return printableMemory(records).map(
    (stored) => `${colors.cyan(stored.record.id)}  ${cut(oneLine(firstWords(stored)), 120)}`,
  );
}
