// `memoir memory pin`, `unpin`, `hide`, `unhide`, `confirm`, `merge`: what is always told first, and what is never told; without ids, what is marked so.
import { firstWords } from "../../sdk/first-words.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { AskedOf, RoutesOf } from "../../server/route-types.ts";
import { cut, oneLine } from "../../text/text.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { projectOption } from "./filter.ts";

interface MarkOptions {
  project?: string;
  json?: boolean;
}

/** What each verb does, and says that it did. */
const markVerbs = {
  pin: { what: { pinned: true }, mark: "pinned", said: "Pinned" },
  unpin: { what: { pinned: false }, mark: "pinned", said: "No longer pinned" },
  hide: { what: { hidden: true }, mark: "hidden", said: "Hidden" },
  unhide: { what: { hidden: false }, mark: "hidden", said: "No longer hidden" },
  confirm: { what: { set: { state: "standing" } }, mark: "edited", said: "Confirmed" },
} as const;
/** The name of one. */
type MarkVerb = keyof typeof markVerbs;

/** Marks the records, or lists what is marked. Throws `record_not_found` before anything is changed. */
export async function mark(
  verb: MarkVerb,
  ids: readonly string[],
  options: MarkOptions,
  terminal: Terminal,
): Promise<number> {
  const { what, mark, said } = markVerbs[verb];
  if (ids.length > 0) return amended({ ids: [...ids], ...what }, `${said}:`, options, terminal);
  const project = await projectOption(options.project, terminal);
  const { records } = await server.get("/api/marked", { query: { mark, project } });
  return answer(terminal, options, { records }, () =>
    records.length === 0 ? [`Nothing is ${mark}.`] : lines(records, terminal),
  );
}

/** Hides `ids`, which name `into` from then on. */
export function merge(
  into: string,
  ids: readonly string[],
  options: MarkOptions,
  terminal: Terminal,
): Promise<number> {
  return amended({ ids: [...ids], merged: into }, `Merged into ${into}:`, options, terminal);
}

async function amended(
  body: AskedOf<RoutesOf<"post">["/api/amend"]>["body"],
  said: string,
  options: MarkOptions,
  terminal: Terminal,
): Promise<number> {
  const done = await server.post("/api/amend", { body });
  const { records, along, derived, withheld } = done;
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
  return answer(terminal, options, done, () => [
    said,
    ...lines(records, terminal).map((line) => `  ${line}`),
    ...rest.flatMap(([ids, line]) => (ids.length > 0 ? [terminal.colors.dim(line)] : [])),
  ]);
}

function lines(records: readonly StoredRecord[], { colors }: Terminal): string[] {
  return printableMemory(records).map(
    (stored) => `${colors.cyan(stored.record.id)}  ${cut(oneLine(firstWords(stored)), 120)}`,
  );
}
