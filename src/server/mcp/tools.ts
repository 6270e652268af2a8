// The tools that an agent gets over MCP, in the order in which they are listed.
import { correctTool } from "./correct-tool.ts";
import { forgetTool } from "./forget-tool.ts";
import { getTool } from "./get-tool.ts";
import { recallTool } from "./recall-tool.ts";
import { rememberTool } from "./remember-tool.ts";
import { searchTool } from "./search-tool.ts";
import { timelineTool } from "./timeline-tool.ts";

/** All of them. */
export const tools = [
  searchTool,
  timelineTool,
  getTool,
  recallTool,
  rememberTool,
  correctTool,
  forgetTool,
];

/** Names that tools had, and what they are called now. */
export const formerNames: Readonly<Record<string, string>> = { fetch_observations: "get" };
