// `memoir memory related`: what else belongs to a record, and why.

import { baseName } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { ago, columns, fit } from "../terminal/layout.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterQuery, filterWords } from "./filter.ts";
import { fetchRecord } from "./show.ts";

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
  if (options.json) terminal.print(JSON.stringify({ related }));
  else if (related.length === 0)
    terminal.print(`Nothing else belongs to ${id}${spaced(filterWords(narrowed))}.`);
  else {
    const { bold, cyan, dim } = terminal.colors;
    const rows = printableMemory(related);
    const heads = columns(
      rows.map(({ id: own, kind, title, project, createdAt }) => {
        const where = `${baseName(project)} · ${ago(createdAt, terminal.now())}`;
        const room = terminal.width && Math.max(20, terminal.width - 30 - where.length);
        const shown = kind === "session" ? own.slice(0, 8) : own;
        return [cyan(shown), kind, `${bold(fit(title, room))}  ${dim(where)}`];
      }),
    );
    for (const [index, { because, supersededBy }] of rows.entries()) {
      terminal.print(heads[index] ?? "");
      if (supersededBy !== undefined) terminal.print(`    superseded by ${cyan(supersededBy)}`);
      const signs = because.map(({ kind, what }) => `${kind} ${what}`).join(", ");
      terminal.print(`    ${dim(fit(signs, terminal.width && terminal.width - 4))}`);
    }
  }
  return 0;
}

function spaced(words: string): string {
  return words === "" ? "" : ` ${words}`;
}
