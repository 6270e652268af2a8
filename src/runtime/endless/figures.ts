// Does reducing a tool pay? Pure: what was kept out against what had to be fetched back.
import type { ToolFigures } from "../../sdk/endless.ts";
import { plural } from "../../text/text.ts";
import type { BookLine } from "./books.ts";

/** Before so many reductions, or so many second looks, nothing is said. */
const fewestReductions = 20;
const fewestLooks = 8;
/** Fetching back a larger share of what was kept out, or of the times, means that reducing does not pay. */
const mostFetchedBack = 0.25;

type Verdict = Pick<ToolFigures, "judged" | "profits" | "why">;
type Sums = Omit<ToolFigures, keyof Verdict>;

/** By tool and kind, the most kept out first. What nothing was kept out of is left out. */
export function toolFigures(lines: readonly BookLine[]): ToolFigures[] {
  const tools = new Map<string, Sums>();
  for (const { kind, tool, reason, count, characters } of lines) {
    const key = JSON.stringify([tool, reason]);
    const sums = tools.get(key) ?? {
      tool,
      kind: reason,
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
    tools.set(key, sums);
  }
  return [...tools.values()]
    .filter(({ reduced }) => reduced > 0)
    .map((sums) => ({ ...sums, ...judge(sums) }))
    .sort(
      (a, b) =>
        b.charactersOut - a.charactersOut ||
        a.tool.localeCompare(b.tool) ||
        a.kind.localeCompare(b.kind),
    );
}

/** The project's own figures where they say enough, else those of all projects together. */
export function figuresFor(
  own: readonly ToolFigures[],
  all: readonly ToolFigures[],
): ToolFigures[] {
  const enough = own.filter(({ judged }) => judged);
  return all.map(
    (one) => enough.find((own) => own.tool === one.tool && own.kind === one.kind) ?? one,
  );
}

function judge(sums: Sums): Verdict {
  const { reduced, charactersOut, fetchedBack, charactersBack } = sums;
  const out = `${plural(reduced, "reduction")} kept out ${number(charactersOut)} characters`;
  if (charactersOut > 0 && reduced < fewestReductions && fetchedBack < fewestLooks)
    return {
      judged: false,
      profits: true,
      why: `${out}; too few to judge (${fewestReductions} are wanted)`,
    };
  if (charactersOut <= 0)
    return { judged: true, profits: false, why: `${out}: nothing was gained` };
  const share = Math.max(charactersBack / charactersOut, fetchedBack / reduced);
  const profits = share <= mostFetchedBack;
  const back = `${plural(fetchedBack, "second look", "second looks")} brought ${number(charactersBack)} back`;
  const limit = `${Math.round(share * 100)} %, ${profits ? "at most" : "over"} ${mostFetchedBack * 100} %`;
  return { judged: true, profits, why: `${out}; ${back} (${limit})` };
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
