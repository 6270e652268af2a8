// `memoir memory timeline`: turns, observations and summaries in the order they happened.

import type { Observation } from "../../sdk/model.ts";
import type { Answer } from "../../server/route-types.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { columns, dateTime, fit } from "../terminal/layout.ts";
import { printableMemory } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterQuery, filterWords, noSuchProject } from "./filter.ts";
import { paintType } from "./paint-type.ts";
import { fetchRecord } from "./show.ts";
import { turnLine } from "./turn-lines.ts";

type TimelineOptions = OptionsOf<(typeof lookCommands)["timeline"]>;

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
  return answer(terminal, options, page, async () => {
    if (page.items.length > 0)
      return itemLines(printableMemory(page.items), query.around, terminal);
    const narrowed = filterWords(query);
    return [
      narrowed ? `Nothing happened ${narrowed}.` : "Nothing is remembered yet.",
      ...(await noSuchProject(query.project)),
      terminal.colors.dim("`memoir sessions` lists what there is."),
    ];
  });
}

/** Each day's name once, above its entries. */
function itemLines(
  items: readonly Item[],
  centre: string | undefined,
  terminal: Terminal,
): string[] {
  const { cyan, dim, bold } = terminal.colors;
  const room = roomOf(items, terminal);
  const rows = columns(
    items.map((item) => {
      const { id } = item.record;
      return [
        id === centre ? bold(`→ ${id}`) : `  ${cyan(id)}`,
        ...described(item, room, terminal),
      ];
    }),
  );
  let day = "";
  return items.flatMap((item, at) => {
    const time = item.kind === "turn" ? item.record.startedAt : item.record.time;
    const [date = "", clock = ""] = dateTime(time).split(" ");
    const line = `${dim(clock)} ${rows[at]}`;
    if (date === day) return [line];
    day = date;
    return [bold(date), line];
  });
}

/** What clock, marks and gaps take of a line. */
const around = 12;

/** Columns that the texts may have beside ids and kinds. */
function roomOf(items: readonly Item[], { width }: Terminal): number | undefined {
  if (width === undefined) return undefined;
  const longest = (of: (item: Item) => string) => Math.max(...items.map((item) => of(item).length));
  return Math.max(20, width - around - longest(({ record }) => record.id) - longest(kindOf));
}

function kindOf(item: Item): string {
  if (item.kind === "observation") return item.record.type;
  return item.kind === "summary" ? `${item.record.scope} summary` : item.kind;
}

function described(item: Item, room: number | undefined, { colors }: Terminal): [string, string] {
  switch (item.kind) {
    case "prompt":
      return [colors.dim(kindOf(item)), `“${fit(item.record.text, room && room - 2)}”`];
    case "turn":
      return [colors.dim(kindOf(item)), turnLine(item.record, room)];
    case "observation":
      return [paintType(item.record.type, colors), observationLine(item.record, room)];
    case "summary": {
      const { completed, request } = item.record;
      return [colors.dim(kindOf(item)), fit(completed || request, room)];
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
