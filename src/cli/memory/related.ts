// `memoir memory related`: what else belongs to a record, and why.

import type { Answer } from "../../server/route-types.ts";
import { baseName } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { ago, columns, fit } from "../terminal/layout.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterQuery, filterWords } from "./filter.ts";
import { fetchRecord, shownId } from "./show.ts";

type RelatedOptions = OptionsOf<(typeof lookCommands)["related"]>;

/** Prints what belongs to the record, best first. Throws `record_not_found`. */
export async function related(
  id: string,
  options: RelatedOptions,
  terminal: Terminal,
): Promise<number> {
  const { record } = await fetchRecord(id);
  const { session: _, ...filter } = await filterQuery(options, terminal);
  const narrowed = { ...filter, kinds: options.kind };
  const { related } = await server.get("/api/related/:id", {
    params: { id: record.id },
    query: narrowed,
  });
  return answer(terminal, options, { related }, () =>
    related.length === 0
      ? [`${["Nothing else belongs to", id, filterWords(narrowed)].join(" ").trimEnd()}.`]
      : relatedLines(printableMemory(related), terminal),
  );
}

function relatedLines(
  related: Answer<"/api/related/:id">["related"],
  { colors: { bold, cyan, dim }, now, width }: Terminal,
): string[] {
  const heads = columns(
    related.map(({ id, kind, title, project, createdAt }) => {
      const where = `${baseName(project)} · ${ago(createdAt, now())}`;
      const room = width && Math.max(20, width - 30 - where.length);
      return [cyan(shownId({ id, kind })), kind, `${bold(fit(title, room))}  ${dim(where)}`];
    }),
  );
  return related.flatMap(({ because, supersededBy }, index) => {
    const signs = because.map(({ kind, what }) => `${kind} ${what}`).join(", ");
    return [
      heads[index] ?? "",
      ...(supersededBy === undefined ? [] : [`    superseded by ${cyan(supersededBy)}`]),
      `    ${dim(fit(signs, width && width - 4))}`,
    ];
  });
}
