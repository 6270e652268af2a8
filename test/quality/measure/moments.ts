// How often recorded sessions, replayed turn by turn, would have been told of a failure's repair and of a file, and where the other failures fall out; what each was told is graded by hand in `moments-grades-….json`.

import { relative, sep } from "node:path";
import * as v from "valibot";
import type { FailureIndex } from "../../../plugins/context-moments/failures.ts";
import { notesOn } from "../../../plugins/context-moments/index.ts";
import { tellingLines } from "../../../plugins/context-moments/likeness.ts";
import { missedPath } from "../../../plugins/context-moments/missing.ts";
import { MemoryItemSchema } from "../../../src/sdk/model.ts";
import { type Evidence, NewTurnSchema, type Turn } from "../../../src/sdk/turn.ts";
import { indexFailures, indexFiles, indexMissing } from "../../support/moments.ts";
import { recordings, transcriptsBySession } from "../recordings.ts";
import { isSetAside } from "../set-aside.ts";
import type { Memory } from "./memory.ts";

const TurnSchema = v.object({ ...NewTurnSchema.entries, id: v.string() });

/** What each failure has to pass before it is told of, in this order. */
const steps = [
  "failures",
  "an earlier session met one of its lines",
  "an earlier session of the same project did, or commands repaired it in another",
  "a repair of such a failure is known",
  "it is the same failure",
  "not told in this session yet: told",
] as const;
type Funnel = Map<(typeof steps)[number], { failures: number; sessions: Set<string> }>;

/** A turn with the folder its repository was recorded in: worktrees and clones are one project. */
interface Placed {
  turn: Turn;
  folder: string;
}

/** Lines with counts for the projects worked with and those set aside, and one for each hint. */
export async function replayMoments(memory: Memory): Promise<string[]> {
  const { placed, decided } = await placedTurns(memory);
  const lines: string[] = [];
  for (const aside of [false, true]) {
    const counts = { turns: 0, told: 0, files: 0, toldOfFiles: 0, missed: 0, toldOfMissed: 0 };
    const funnel: Funnel = new Map(
      steps.map((step) => [step, { failures: 0, sessions: new Set() }]),
    );
    const said = new Set<string>();
    const isNew = (what: string) => !said.has(what) && said.add(what).size > 0;
    for (const one of placed.filter(({ folder }) => isSetAside(folder) === aside)) {
      const { turn } = one;
      const { session } = turn;
      counts.turns++;
      const earlier = placed.filter((other) => isBefore(other, one));
      const before = earlier
        .filter(({ folder }) => folder === one.folder)
        .map((other) => other.turn);
      const failures = indexFailures(before);
      const everywhere = indexFailures(earlier.map((other) => other.turn));
      const missing = indexMissing(before);
      const files = indexFiles(before, decided(one));
      for (const piece of turn.pieces) {
        const { kind, about = "", text } = piece;
        if (kind !== "failure" && kind !== "ran") continue;
        const failed = { session, about, text, hidden: kind === "ran" };
        if (missedPath(about, text) !== undefined) counts.missed++;
        const instead = missing.find(failed);
        if (instead && isNew(`${session} ${instead.fingerprint}`)) {
          counts.toldOfMissed++;
          lines.push(
            `${session} ${turn.id} ${instead.missing} → ${instead.path} (${instead.turn})`,
          );
        }
        const found = failures.find(failed) ?? everywhere.find({ ...failed, notOf: one.folder });
        const isTold = found !== undefined && isNew(`${session} ${found.fingerprint}`);
        if (kind === "failure")
          for (const step of passed(one, piece, earlier, { failures, everywhere }, [
            found !== undefined,
            isTold,
          ])) {
            const at = funnel.get(step);
            if (at) at.failures++;
            at?.sessions.add(session);
          }
        if (!isTold) continue;
        counts.told++;
        lines.push(
          `${session} ${turn.id} \`${about.slice(0, 80)}\` “${found.said}” → ${found.done.join(", ")} (${found.turn})`,
        );
      }
      for (const { path, changed } of turn.files) {
        if (!changed || !isNew(`${session} ${path}`)) continue;
        counts.files++;
        const notes = notesOn(files, path, session);
        if (notes.length === 0) continue;
        counts.toldOfFiles++;
        lines.push(
          `${session} ${turn.id} ${path} → ${notes.map(({ kind, id, text }) => `${kind}: ${text} (${id})`).join("; ")}`,
        );
      }
    }
    lines.push(`${aside ? "set aside" : "worked with"}: ${JSON.stringify(counts)}`);
    for (const [step, { failures, sessions }] of funnel)
      lines.push(`  ${step}: ${failures} in ${sessions.size} sessions`);
  }
  return lines;
}

/** Turns, oldest first, and what was decided in their project before each. */
async function placedTurns(memory: Memory) {
  const folders = new Map(
    [...(await transcriptsBySession())].map(([session, path]) => [
      session,
      relative(recordings, path).split(sep)[0] ?? "",
    ]),
  );
  const folderOf = (session: string) => folders.get(session) ?? "";
  const kept = await memory.everything();
  const placed = kept
    .filter(({ kind }) => kind === "turns")
    .map(({ record }) => v.parse(TurnSchema, record))
    .sort((one, other) => one.startedAt - other.startedAt)
    .map((turn): Placed => {
      const folder = folderOf(turn.session);
      return { turn: { ...turn, project: folder }, folder };
    });
  /** As the plugin asks for it: decisions that people made. */
  const decided = ({ turn, folder }: Placed) => {
    const earlier = kept.filter(
      ({ session, time, record }) =>
        folderOf(session) === folder &&
        (time || Date.parse(String(record.date))) < turn.startedAt &&
        record.supersededBy === undefined,
    );
    return earlier
      .filter(({ kind, record }) => kind === "memory" && record.kind === "decisions")
      .map(({ record }) =>
        v.parse(v.object({ ...MemoryItemSchema.entries, id: v.string() }), record),
      );
  };
  return { placed, decided };
}

/** Of another session, and over by then. */
function isBefore({ turn: one }: Placed, { turn }: Placed): boolean {
  return one.session !== turn.session && one.time < turn.startedAt;
}

/** The steps that a failure passes. */
function passed(
  { folder }: Placed,
  { text }: Evidence,
  earlier: readonly Placed[],
  { failures, everywhere }: { failures: FailureIndex; everywhere: FailureIndex },
  [isSame, isTold]: readonly [boolean, boolean],
): Array<(typeof steps)[number]> {
  const lines = new Set(tellingLines(text));
  const met = earlier.filter(({ turn }) =>
    turn.pieces.some(
      (piece) =>
        piece.kind === "failure" && tellingLines(piece.text).some((line) => lines.has(line)),
    ),
  );
  const saysSo = ({ known }: FailureIndex) =>
    known.filter((one) => [...one.lines.keys()].some((line) => lines.has(line)));
  const elsewhere = saysSo(everywhere).filter(
    ({ project, files }) => project !== folder && files.length === 0,
  );
  const fits = [
    true,
    met.length > 0,
    met.some((other) => other.folder === folder) || elsewhere.length > 0,
    saysSo(failures).length + elsewhere.length > 0,
    isSame,
    isTold,
  ];
  const end = fits.indexOf(false);
  return steps.slice(0, end < 0 ? steps.length : end);
}
