// Does reducing a tool pay? Pure: what was kept out against what had to be fetched back.
import type { ToolFigures } from "../../sdk/endless.ts";
import { plural } from "../../text/text.ts";
import type { BookLine } from "./books.ts";

/** Before so many reductions nothing is said about a tool. */
const fewestReductions = 8;
/** Fetching back a larger share of what was kept out means that reducing does not pay. */
const mostFetchedBack = 0.25;

type Sums = Omit<ToolFigures, "profits" | "why">;

/** By tool, the most kept out first. Tools of which nothing was kept out are left out. */
export function toolFigures(lines: readonly BookLine[]): ToolFigures[] {
  const tools = new Map<string, Sums>();
  for (const { kind, tool, count, characters } of lines) {
    const sums = tools.get(tool) ?? {
      tool,
      reduced: 0,
      charactersOut: 0,
      fetchedBack: 0,
      charactersBack: 0,
    };
    if (kind === "kept") {
      sums.reduced += count;
      sums.charactersOut += characters;
    } else if (kind === "recalled" || kind === "reread") {
      sums.fetchedBack += count;
      sums.charactersBack += characters;
    } else continue;
    tools.set(tool, sums);
  }
  return [...tools.values()]
    .filter(({ reduced }) => reduced > 0)
    .map((sums) => ({ ...sums, ...judge(sums) }))
    .sort((a, b) => b.charactersOut - a.charactersOut || a.tool.localeCompare(b.tool));
}

/** The project's own figures where they say enough, else those of all projects together. */
export function figuresFor(
  own: readonly ToolFigures[],
  all: readonly ToolFigures[],
): ToolFigures[] {
  const enough = new Map(
    own.filter(({ reduced }) => reduced >= fewestReductions).map((one) => [one.tool, one]),
  );
  return all.map((one) => enough.get(one.tool) ?? one);
}

function judge(sums: Sums): Pick<ToolFigures, "profits" | "why"> {
  const { reduced, charactersOut, fetchedBack, charactersBack } = sums;
  const out = `${plural(reduced, "reduction")} kept out ${number(charactersOut)} characters`;
  if (reduced < fewestReductions)
    return { profits: true, why: `${out}; too few to judge (${fewestReductions} are wanted)` };
  const share = charactersOut > 0 ? charactersBack / charactersOut : Number.POSITIVE_INFINITY;
  const limit = `${mostFetchedBack * 100} %`;
  const profits = charactersOut > 0 && share <= mostFetchedBack;
  if (charactersOut <= 0) return { profits, why: `${out}: nothing was gained` };
  const percent = `${Math.round(share * 100)} %`;
  const back = `${plural(fetchedBack, "fetch brought", "fetches brought")} ${number(charactersBack)} back (${percent}`;
  return { profits, why: `${out}; ${back}, ${profits ? "at most" : "over"} ${limit})` };
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
