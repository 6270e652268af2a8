// How often recorded sessions, replayed turn by turn, would have been told of a failure's repair and of a file; what each was told is graded by hand in `moments-grades-….json`.
import { relative, sep } from "node:path";
import * as v from "valibot";
import { indexFailures } from "../../../plugins/context-moments/failures.ts";
import { indexFiles } from "../../../plugins/context-moments/files.ts";
import { NewTurnSchema, type Turn } from "../../../src/sdk/turn.ts";
import { recordings, transcriptsBySession } from "../recordings.ts";
import { isSetAside } from "../set-aside.ts";
import type { Memory } from "./memory.ts";

const TurnSchema = v.object({ ...NewTurnSchema.entries, id: v.string() });

/** Lines with counts for the sessions worked with and those set aside, and one for each hint. */
export async function replayMoments(memory: Memory): Promise<string[]> {
  const folders = new Map(
    [...(await transcriptsBySession())].map(([session, path]) => [
      session,
      relative(recordings, path).split(sep)[0] ?? "",
    ]),
  );
  const kept = (await memory.everything()).filter(({ kind }) => kind === "turns");
  const turns = kept.map(({ record }) => v.parse(TurnSchema, record));
  turns.sort((one, other) => one.startedAt - other.startedAt);
  const lines: string[] = [];
  for (const aside of [false, true]) {
    const counts = { turns: 0, failures: 0, told: 0, files: 0, toldOfFiles: 0 };
    const said = new Set<string>();
    const isNew = (what: string) => !said.has(what) && said.add(what).size > 0;
    for (const turn of turns.filter(({ session }) => isSetAside(session) === aside)) {
      counts.turns++;
      const before = turns.filter((one) => isBefore(one, turn, folders));
      const failures = indexFailures(before);
      const files = indexFiles({ turns: before, decisions: [], observations: [] });
      const { session } = turn;
      for (const { kind, about = "", text } of turn.pieces) {
        if (kind !== "failure" && kind !== "ran") continue;
        if (kind === "failure") counts.failures++;
        const found = failures.find({ session, about, text, hidden: kind === "ran" });
        if (!found || !isNew(`${session} ${found.fingerprint}`)) continue;
        counts.told++;
        lines.push(`${session} failure “${found.said}” → ${found.done.join(", ")} (${found.turn})`);
      }
      for (const { path, changed } of turn.files) {
        if (!changed || !isNew(`${session} ${path}`)) continue;
        counts.files++;
        const notes = files.notesOn(path, session);
        if (notes.length === 0) continue;
        counts.toldOfFiles++;
        lines.push(
          `${session} ${path} → ${notes.map(({ id, text }) => `${text} (${id})`).join("; ")}`,
        );
      }
    }
    lines.push(`${aside ? "set aside" : "worked with"}: ${JSON.stringify(counts)}`);
  }
  return lines;
}

/** Of another session of the same repository, and over by then. */
function isBefore(one: Turn, turn: Turn, folders: ReadonlyMap<string, string>): boolean {
  const isSamePlace = folders.get(one.session) === folders.get(turn.session);
  return isSamePlace && one.session !== turn.session && one.time < turn.startedAt;
}
