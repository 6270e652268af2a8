// Steps grouped into episodes: what belongs together as one story, per agent, ending at a commit or with the batch.
import type { Agent } from "../../src/sdk/index.ts";
import type { ChangeStep, ChoiceStep, LookStep, ReportStep, RunStep, Step } from "./step.ts";

/** A run that failed, what was changed after it, and the same kind of run passing. */
export interface Repair {
  failed: RunStep;
  changes: ChangeStep[];
  passed: RunStep;
}

/** One story. */
export interface Episode {
  agent?: Agent;
  steps: Step[];
  changes: ChangeStep[];
  runs: RunStep[];
  looks: LookStep[];
  reports: ReportStep[];
  choices: ChoiceStep[];
  repairs: Repair[];
  /** Failed last and never passed again. */
  unresolved: RunStep[];
  commit?: { subject: string; body: string };
  /** The batch ended here: the assistant's closing message belongs to it. */
  closing: boolean;
}

/** Groups steps (in time order) into episodes. Commits close an episode; looking around belongs to what follows it. */
export function episodesOf(steps: readonly Step[]): Episode[] {
  const byAgent = new Map<string, Step[]>();
  for (const step of steps) {
    const key = step.agent?.id ?? "";
    const list = byAgent.get(key);
    if (list === undefined) byAgent.set(key, [step]);
    else list.push(step);
  }
  return [...byAgent.values()].flatMap((list) =>
    split(list).map((part, index, all) => episode(part, index === all.length - 1)),
  );
}

function split(steps: Step[]): Step[][] {
  const parts: Step[][] = [];
  let current: Step[] = [];
  for (const step of steps) {
    current.push(step);
    if (
      step.kind === "run" &&
      step.commit !== undefined &&
      current.some((other) => other.kind === "change")
    ) {
      parts.push(current);
      current = [];
    }
  }
  const last = parts[parts.length - 1];
  const tells = current.some(
    (step) =>
      step.kind === "change" ||
      step.kind === "choice" ||
      step.kind === "look" ||
      (step.kind === "run" && step.passed === false),
  );
  if (last !== undefined && !tells) last.push(...current);
  else if (current.length > 0) parts.push(current);
  return parts;
}

function episode(steps: Step[], closing: boolean): Episode {
  const first = steps[0];
  const runs = steps.filter((step) => step.kind === "run");
  const checks = runs.filter(
    (run) => run.command.purpose !== "routine" && run.command.purpose !== "install",
  );
  const repairs: Repair[] = [];
  const unresolved: RunStep[] = [];
  for (const [index, run] of checks.entries()) {
    if (run.passed !== false) continue;
    const next = checks.slice(index + 1).filter((other) => sameCheck(run, other));
    const passed = next.find((other) => other.passed === true);
    if (passed === undefined) {
      if (next.length === 0 && isCheck(run)) unresolved.push(run);
      continue;
    }
    if (repairs.some((repair) => repair.passed === passed)) continue;
    const changes = steps
      .slice(steps.indexOf(run), steps.indexOf(passed))
      .filter((step) => step.kind === "change");
    if (changes.length > 0) repairs.push({ failed: run, changes, passed });
  }
  const commit = runs.findLast((run) => run.commit !== undefined)?.commit;
  return {
    ...(first?.agent === undefined ? {} : { agent: first.agent }),
    steps,
    changes: steps.filter((step) => step.kind === "change"),
    runs,
    looks: steps.filter((step) => step.kind === "look"),
    reports: steps.filter((step) => step.kind === "report"),
    choices: steps.filter((step) => step.kind === "choice"),
    repairs,
    unresolved,
    ...(commit === undefined ? {} : { commit }),
    closing,
  };
}

/** Two runs check the same thing: same purpose and same program, or one runs all of the other. */
function sameCheck(left: RunStep, right: RunStep): boolean {
  if (
    left.command.purpose !== right.command.purpose &&
    !left.command.names.some((name) => right.command.names.includes(name))
  )
    return false;
  if (left.command.purpose === "run")
    return left.command.display.split(" ")[0] === right.command.display.split(" ")[0];
  return true;
}

function isCheck(run: RunStep): boolean {
  return ["test", "types", "build", "lint", "migrate"].includes(run.command.purpose);
}
