// What a tool is that an agent gets over MCP.

import * as v from "valibot";
import { timeIn } from "../../text/time-of.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import type { WithHooks } from "../memory/records.ts";
import type { FeaturePart } from "../operation.ts";

/** What would be done, in words for the user, who has to agree to it. */
export interface Question {
  ask: string;
}

/** What tools work with. */
export interface ToolDeps {
  /** Memory as agents see it, without what the user hid. */
  runtime: Pick<ServerRuntime, "home" | "hooks" | "projectOf" | "forget" | "endless">;
  /** All of memory, for what the user has an agent correct. */
  whole: WithHooks;
  /** Epoch ms. */
  now(): number;
}

/** Who calls, as far as its client says so. */
export interface Caller {
  /** The client's session id. */
  session?: string;
  /** Nobody sits before it: what it asks its user is answered by nobody. */
  isUnattended?: boolean;
  /** The folder it works in. */
  cwd?: string;
}

/** One tool. */
export interface Tool<Input extends v.GenericSchema = v.GenericSchema> {
  name: string;
  /** Absent of what is always there. */
  brought?: FeaturePart;
  /** For the model: when to use it. */
  description: string;
  /** A line on that in what is said before any tool is looked at, for those of its kind too. */
  when?: string;
  input: Input;
  /** Whether it changes what is remembered. */
  changes?: "adds" | "deletes";
  /** Throws MemoirErrors, whose texts the model reads. A question is asked of the user; once they agree, `confirm` is true. */
  run(input: v.InferOutput<Input>, deps: ToolDeps, caller: Caller): Promise<string | Question>;
}

/** The client shows a model no longer answer than this (25,000 tokens). */
export const mostCharacters = 60_000;

/** Types a tool as it is written. */
export function defineTool<Input extends v.GenericSchema>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

// Fields of tools' arguments, said as shortly as an agent needs: the list of tools is read in every session.

const longest = 4_096;
/** A text that says something. */
export const said = v.pipe(
  v.string(),
  v.nonEmpty("is empty"),
  v.maxLength(longest, `has more than ${longest} characters`),
);

/** How many. */
export const limit = (usual: number) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), usual);
/** Ids as `search` gives them. */
export const ids = v.pipe(
  v.array(said),
  v.minLength(1, "is empty"),
  v.maxLength(20, "holds more than 20 ids"),
);

/** What of the arguments was given, and times in epoch ms. */
type Given<Input> = {
  [Name in keyof Input as Name extends "since" | "until" ? never : Name]?: Exclude<
    Input[Name],
    undefined
  >;
} & { since?: number; until?: number };

/** Without what was not given; times in epoch ms. Throws `usage` for a time that is none. */
export function given<Input extends { since?: string | undefined; until?: string | undefined }>(
  { since, until, ...rest }: Input,
  now: number,
): Given<Input> {
  const kept = Object.entries(rest).filter(([, value]) => value !== undefined && value !== "");
  return {
    ...(Object.fromEntries(kept) as Given<Input>),
    ...(since ? { since: timeIn(since, now, "`since`") } : {}),
    ...(until ? { until: timeIn(until, now, "`until`") } : {}),
  };
}
