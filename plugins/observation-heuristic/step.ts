// The steps of an episode: tool uses read into what they were for and what came of them.
import type { Agent } from "../../src/sdk/index.ts";
import type { Command } from "./command.ts";
import type { RunOutcome } from "./run-output.ts";
import type { Definition } from "./symbols.ts";

/** What every step carries. */
export interface StepBase {
  /** The tool use's id. */
  id: string;
  time: number;
  agent?: Agent;
}

/** A file was written, edited, moved or deleted. */
export interface ChangeStep extends StepBase {
  kind: "change";
  /** Relative to the project. */
  path: string;
  action: "created" | "edited" | "deleted" | "moved";
  /** Where a moved file was. */
  from?: string;
  added: string[];
  removed: string[];
  defined: Definition[];
  dropped: Definition[];
  touched: Definition[];
}

/** A command ran. */
export interface RunStep extends StepBase, RunOutcome {
  kind: "run";
  command: Command;
  /** What the agent said it was for, or "". */
  description: string;
  commit?: { subject: string; body: string };
}

/** Files were read or searched. */
export interface LookStep extends StepBase {
  kind: "look";
  paths: string[];
  /** What was searched for, or "". */
  pattern: string;
  definitions: Array<Definition & { path: string; line?: number }>;
}

/** Someone else answered in prose: a page, a subagent, another tool. */
export interface ReportStep extends StepBase {
  kind: "report";
  source: "web" | "agent" | "tool";
  topic: string;
  text: string;
  /** Where it came from: a URL or a tool's name. */
  origin: string;
  /** The subagent that wrote it. */
  reporter?: string;
}

/** The user answered a question or accepted a plan. */
export interface ChoiceStep extends StepBase {
  kind: "choice";
  question: string;
  answer: string;
}

/** A tool failed in a way that concerns the work (not a mistyped edit). */
export interface RoutineStep extends StepBase {
  kind: "routine";
  reason: string;
}

export type Step = ChangeStep | RunStep | LookStep | ReportStep | ChoiceStep | RoutineStep;
