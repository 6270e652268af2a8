// `memoir timeline`: turns, observations and summaries in the order they happened.
import type { Observation } from "../../sdk/model.ts";
import { server } from "../server/client.ts";
import type { Answer } from "../server/route-types.ts";
import { columns, dateTime, fit } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type FilterOptions, filterQuery, filterWords, noSuchProject } from "./filter.ts";
import { paintType } from "./paint-type.ts";
import { fetchRecord } from "./show.ts";
import { turnLine } from "./turn-lines.ts";

export interface TimelineOptions extends FilterOptions {
  json?: boolean;
}

type Item = Answer<"/api/timeline">["items"][number];

/** Prints the timeline, oldest first; around `id` when one is given. */
export async function timeline(
  id: string | undefined,
  options: TimelineOptions,
  terminal: Terminal,
): Promise<number> {
  const centre = id === undefined ? undefined : await fetchRecord(id);
  const query = { ...(await filterQuery(options, terminal)), around: centre?.record.id };
  const page = await server.get("/api/timeline", { query });
  if (options.json) {
    terminal.print(JSON.stringify(page));
    return 0;
  }
  if (page.items.length === 0) {
    const narrowed = filterWords(query);
    terminal.print(narrowed ? `Nothing happened ${narrowed}.` : "Nothing is remembered yet.");
    for (const line of await noSuchProject(query.project)) terminal.print(line);
    terminal.print(terminal.colors.dim("`memoir sessions` lists what there is."));
    return 0;
  }
  const { cyan, dim, bold } = terminal.colors;
  let day = "";
  const rows = printable(page.items).map((item) => {
    const { id: own } = item.record;
    const time = item.kind === "turn" ? item.record.startedAt : item.record.time;
    return [
      dateTime(time),
      own === query.around ? bold(`→ ${own}`) : `  ${cyan(own)}`,
      ...described(item, terminal),
    ];
  });
  for (const [index, line] of columns(rows.map(([, ...rest]) => rest)).entries()) {
    const [date = "", clock = ""] = (rows[index]?.[0] ?? "").split(" ");
    if (date !== day) terminal.print(bold(date));
    day = date;
    terminal.print(`${dim(clock)} ${line}`);
  }
  return 0;
}

function described(item: Item, { colors, width }: Terminal): [string, string] {
  const room = width && Math.max(20, width - 30);
  switch (item.kind) {
    case "prompt":
      return [colors.dim("prompt"), `“${fit(item.record.text, room)}”`];
    case "turn":
      return [colors.dim("turn"), turnLine(item.record, room)];
    case "observation":
      return [paintType(item.record.type, colors), observationLine(item.record, room)];
    case "summary": {
      const { completed, request, scope } = item.record;
      return [colors.dim(`${scope} summary`), fit(completed || request, room && room - 8)];
    }
  }
}

/** What holds no more says by which record it was superseded. */
function observationLine(
  { title, supersededBy }: Pick<Observation, "title" | "supersededBy">,
  room: number | undefined,
): string {
  if (supersededBy === undefined) return fit(title, room);
  const newer = ` (superseded by ${supersededBy})`;
  return `${fit(title, room && Math.max(20, room - newer.length))}${newer}`;
}
