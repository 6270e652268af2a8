// Made-up failures with their repairs: is one that comes back in a later session told what repaired it, and one that only looks alike nothing?

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { NewTurnSchema } from "../../../src/sdk/turn.ts";
import { indexFailures } from "../../support/moments.ts";
import { type FailureCase, readFailureCases } from "../cases.ts";
import { play } from "../people/play.ts";
import type { PersonSession, Step } from "../people/script.ts";
import { openMemory } from "./memory.ts";
import { fromTranscripts } from "./people.ts";
import { type Figure, figure, share } from "./report.ts";

/** What a failure was told; `done` is empty for nothing. */
export interface FailureTold {
  failure: FailureCase;
  done: string;
}

const TurnSchema = v.object({ ...NewTurnSchema.entries, id: v.string() });
const dayMs = 24 * 3_600_000;
const begin = Date.UTC(2026, 1, 2, 8);

/** Every project lives through its earlier sessions, taken in from transcripts; then each failure comes up in a new one. */
export async function tellFailures(): Promise<FailureTold[]> {
  const cases = readFailureCases();
  const projects = await mkdtemp(join(tmpdir(), "memoir-failures-"));
  const memory = await openMemory([projects]);
  try {
    const played = [...new Set(cases.map(({ project }) => project))].flatMap((name) => {
      const sessions = sessionsOf(cases.filter(({ project }) => project === name));
      return play({ name, cwd: cwdOf(name), sessions, notes: [], never: [] }, projects);
    });
    await fromTranscripts(memory, played, projects);
    const places = new Map(
      [...(await memory.sessions()).values()].map(({ project, cwd }) => [cwd, project]),
    );
    const turns = (await memory.everything())
      .filter(({ kind }) => kind === "turns")
      .map(({ record }) => v.parse(TurnSchema, record))
      .sort((one, other) => one.startedAt - other.startedAt);
    const everywhere = indexFailures(turns);
    return cases.map((failure) => {
      const { project = failure.project, runs: about, prints: text, fails } = failure.later;
      const here = places.get(cwdOf(project)) ?? project;
      const asked = { session: `later ${failure.id}`, about, text, hidden: !fails };
      const found =
        indexFailures(turns.filter((turn) => turn.project === here)).find(asked) ??
        everywhere.find({ ...asked, notOf: here });
      return { failure, done: found?.done.join(", ") ?? "" };
    });
  } finally {
    await memory.close();
    await rm(projects, { recursive: true, force: true });
  }
}

function cwdOf(project: string): string {
  return `/home/ana/${project}`;
}

function sessionsOf(cases: readonly FailureCase[]): PersonSession[] {
  return cases.flatMap(({ earlier = [] }, day) => {
    const start = new Date(begin + day * dayMs).toISOString();
    const steps = earlier.map((step): Step => {
      if ("edits" in step) return { ...step, from: "as it was", to: "as it is now" };
      if (!("runs" in step)) return step;
      const { runs, prints, fails } = step;
      return { runs, prints, ...(fails && { fails }) };
    });
    return steps.length === 0 ? [] : [{ start, steps }];
  });
}

function isRight({ failure: { told }, done }: FailureTold): boolean {
  return told === undefined ? done === "" : done.includes(told);
}

/** Of those that came back, what they were told; and what those were told that only look alike. */
export function failureFigures(told: readonly FailureTold[]): Figure[] {
  const back = told.filter(({ failure }) => failure.told !== undefined);
  const alike = told.filter(({ failure }) => failure.told === undefined);
  const hints = told.filter(({ done }) => done !== "");
  const over = (name: string, of: readonly FailureTold[], is: (one: FailureTold) => boolean) =>
    figure("failures", name, of, ({ failure }) => failure.aside, share(is));
  return [
    over("came back: told its repair", back, isRight),
    over("came back: told another", back, (one) => one.done !== "" && !isRight(one)),
    over("only looks alike: told something", alike, (one) => !isRight(one)),
    over("told at all: the right repair", hints, isRight),
  ];
}

/** Failures that were told nothing, or something wrong: what to look at. Never those set aside. */
export function failureMisses(told: readonly FailureTold[]): string[] {
  return told
    .filter((one) => !one.failure.aside && !isRight(one))
    .map(
      ({ failure, done }) => `${failure.id}: ${failure.told ?? "nothing"} => ${done || "nothing"}`,
    );
}
