// What `live` takes out of recorded sessions that their agents then used, by kind of output, beside a cap that keeps as much.
import type { Policy } from "../../../plugins/endless-live/policy.ts";
import { defaultPolicy } from "../../plugins/endless-live/cases.ts";
import { type MarkedThread, markThread } from "../../replay/endless-marks.ts";
import type { Strategy } from "../../replay/endless-replay.ts";
import { evenCap, live } from "../../replay/endless-strategies.ts";
import { readThreads } from "../../replay/endless-threads.ts";
import { type JudgedResult, judgeThread, sumHarm } from "../../replay/strict-harm.ts";
import { recordings } from "../recordings.ts";
import { isSetAside } from "../set-aside.ts";
import { type Figure, figure } from "./report.ts";

/** Every result under `live`, and under the cap that keeps as many characters of the same part of the sessions. */
export interface Harm {
  live: JudgedResult[];
  cap: JudgedResult[];
  /** Where that cap cuts, for each part. */
  cuts: { dev: number; aside: number };
}

const isAside = ({ session }: { session: string }): boolean => isSetAside(session);

/** Replays the recorded sessions under `live` as it is shipped, or with other knobs. */
export async function measureHarm(policy: Policy = defaultPolicy): Promise<Harm> {
  const threads = (await readThreads(recordings)).map(markThread);
  const part = (aside: boolean) => {
    const mine = threads.filter(({ thread }) => isSetAside(thread.session) === aside);
    const own = judge(mine, live(policy));
    const most = equalCut(mine, sumHarm(own).after, policy);
    return { own, most, cap: judge(mine, evenCap(most, policy)) };
  };
  const [dev, aside] = [part(false), part(true)];
  return {
    live: [...dev.own, ...aside.own],
    cap: [...dev.cap, ...aside.cap],
    cuts: { dev: dev.most, aside: aside.most },
  };
}

function judge(threads: readonly MarkedThread[], strategy: Strategy): JudgedResult[] {
  return threads.flatMap((thread) => judgeThread(thread, strategy));
}

/** The cut at which a cap keeps so many characters, found by halving. */
function equalCut(threads: readonly MarkedThread[], kept: number, policy: Policy): number {
  const lengths = judge(threads, evenCap(Number.POSITIVE_INFINITY, policy));
  const isCut = judge(threads, evenCap(0, policy)).map(({ how }) => how !== undefined);
  const keptAt = (most: number): number =>
    lengths.reduce((sum, { before }, at) => sum + (isCut[at] ? Math.min(before, most) : before), 0);
  let [low, high] = [0, Math.max(0, ...lengths.map(({ before }) => before))];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (keptAt(middle) > kept) high = middle;
    else low = middle;
  }
  return low;
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** By kind and over all: the characters kept, and of the strings that were used and had from that result alone the share taken out. */
export function harmFigures({ live: own, cap, cuts }: Harm): Figure[] {
  const kinds = [...Map.groupBy(own, ({ kind }) => kind)]
    .map(([kind, results]) => ({ kind, size: sumHarm(results).before }))
    .sort((one, other) => other.size - one.size)
    .map(({ kind }) => kind);
  const named = `a cap of ${cuts.dev} | ${cuts.aside} characters`;
  const rows = (part: string, of: readonly JudgedResult[]): Figure[] =>
    [...kinds, "all"].flatMap((kind) => {
      const mine = of.filter((one) => kind === "all" || one.kind === kind);
      return [
        figure(part, `${kind}: kept`, mine, isAside, (some) => {
          const { before, after } = sumHarm(some);
          return share(after, before);
        }),
        usedFigure(part, kind, mine),
      ];
    });
  return [...rows("harm: live", own), ...rows(`harm: ${named}`, cap)];
}

/** Counted over strings, not over results. */
function usedFigure(part: string, kind: string, of: readonly JudgedResult[]): Figure {
  const strings = of.flatMap((one) =>
    one.used.map((text) => ({ session: one.session, isLost: one.lost.includes(text) })),
  );
  return figure(part, `${kind}: used, taken out`, strings, isAside, (some) =>
    share(some.filter(({ isLost }) => isLost).length, some.length),
  );
}

/** Results of the development part of which something was missed, the most first. */
export function harmMisses({ live: own }: Harm): string[] {
  return own
    .filter((one) => !isAside(one) && one.lost.length > 0)
    .sort((one, other) => other.lost.length - one.lost.length)
    .map(
      ({ name, kind, how, used, lost }) =>
        `${name} (${kind}, ${how}): ${lost.length} of ${used.length}, ${lost
          .slice(0, 4)
          .map((text) => JSON.stringify(text.slice(0, 80)))
          .join(", ")}`,
    );
}
