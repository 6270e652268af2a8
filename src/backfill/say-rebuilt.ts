// Says what was made again, in the findings that told of the loss.
import { addFinding, type Finding, readFindings, retell } from "../home/findings.ts";
import type { RebuildWanted } from "../home/rebuild-wanted.ts";

/** What a rebuild came to. */
export interface Rebuilt {
  /** Records that storage has since. */
  records: number;
  /** Sessions made of the journal's events alone, and with their transcripts. */
  journal: number;
  transcripts: number;
  /** Sessions that were known at all. */
  known: number;
}

/** Completes each damage's finding; what had none has one only where something was made. */
export function sayRebuilt(
  home: string,
  wanted: readonly RebuildWanted[],
  rebuilt: Rebuilt,
  now: number,
): void {
  const said = rebuilt.records > 0 ? [madeAgain(rebuilt)] : [];
  const findings = readFindings(home);
  for (const { file, time, why } of wanted) {
    const finding = findings.find((one) => one.file === file && one.time === time);
    if (finding) {
      const { id, shown: _, fix: __, ...told } = finding;
      const fix = rebuilt.known === 0 ? { fix: asked } : {};
      addFinding(home, { ...told, from: [...(told.from ?? []), ...said], ...fix });
      if (said.length > 0) retell(home, id);
    } else if (said.length > 0 && why !== "damage" && !isSaid(why, file, wanted))
      addFinding(home, { time: now, file, what: reasons[why], from: said } satisfies Finding);
  }
}

/** Another reason says more. */
function isSaid(why: RebuildWanted["why"], file: string, wanted: readonly RebuildWanted[]) {
  return why === "fewer" && wanted.some((one) => one.file === file && one.why !== "fewer");
}

const reasons = {
  restore:
    "was gone back to an older copy; what came after it was made again as far as it could be",
  fewer: "held fewer records than when they were last counted",
} as const;

/** With no session known, nobody knows either which projects memory was wanted for. */
const asked = "`memoir backfill` reads what your client's transcripts still have.";

function madeAgain({ records, journal, transcripts }: Rebuilt): string {
  const from = [
    ...(journal > 0 ? ["the journal"] : []),
    ...(transcripts > 0 ? [transcripts === 1 ? "1 transcript" : `${transcripts} transcripts`] : []),
  ].join(" and ");
  return `${records === 1 ? "1 record" : `${records} records`}, made again from ${from}`;
}
