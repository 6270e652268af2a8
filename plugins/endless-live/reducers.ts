// Which reducer a tool's result goes to.
import { reduceRead } from "./read/read.ts";
import { reduceBash } from "./reduce/bash.ts";
import { reduceAgent, reduceMcp } from "./reduce/blocks.ts";
import { reduceGlob } from "./reduce/glob.ts";
import { reduceGrep } from "./reduce/grep.ts";
import { reduceTaskOutput } from "./reduce/task-output.ts";
import { reduceWebFetch } from "./reduce/web-fetch.ts";
import type { Reducer } from "./reducer.ts";

/** By tool name; `mcp__*` stands for every tool of an MCP server. A tool that is not here is left alone. */
export const reducers: Readonly<Record<string, Reducer>> = {
  Read: reduceRead,
  Bash: reduceBash,
  TaskOutput: reduceTaskOutput,
  Grep: reduceGrep,
  Glob: reduceGlob,
  WebFetch: reduceWebFetch,
  Task: reduceAgent,
  Agent: reduceAgent,
  "mcp__*": reduceMcp,
};

/** The tool's reducer, if it has one. */
export function reducerOf(tool: string): Reducer | undefined {
  const name = tool.startsWith("mcp__") ? "mcp__*" : tool;
  return Object.hasOwn(reducers, name) ? reducers[name] : undefined;
}
