// Which reducer a tool's result goes to.
import type { Policy } from "./policy.ts";
import type { Reducer } from "./reducer.ts";
import type { Seen } from "./seen.ts";

/** A reducer of this plugin. */
export type LiveReducer = Reducer<Seen, Policy>;

/** By tool name; `mcp__*` stands for every tool of an MCP server. A tool that is not here is left alone. */
export const reducers: Readonly<Record<string, LiveReducer>> = {};

/** The tool's reducer, if it has one. */
export function reducerOf(tool: string): LiveReducer | undefined {
  const name = tool.startsWith("mcp__") ? "mcp__*" : tool;
  return Object.hasOwn(reducers, name) ? reducers[name] : undefined;
}
