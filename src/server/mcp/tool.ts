// What a tool is that an agent gets over MCP.
import type * as v from "valibot";
import type { RecallQuery } from "../../runtime/endless/recall.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import type { AskSearch } from "../memory/ask-search.ts";
import type { Asked } from "../memory/records.ts";

/** What would be done, in words for the user, who has to agree to it. */
export interface Question {
  ask: string;
}

/** What tools work with. */
export interface ToolDeps {
  /** Memory as agents are told of it, without what the user hid. */
  runtime: Pick<ServerRuntime, "home" | "hooks" | "projectOf" | "forget">;
  /** All of memory, for what the user has an agent correct. */
  whole: Asked;
  search: AskSearch;
  /** A page of what was taken out, as text. Throws MemoirErrors. */
  recall(request: RecallQuery): Promise<string>;
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
  /** For the model: when to use it. */
  description: string;
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
