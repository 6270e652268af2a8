// Recognises what fetches something back from memoir: it must arrive whole, or nothing could ever be had back.
import { isOwnTool } from "../../src/sdk/index.ts";
import type { Arrived } from "./reducer.ts";

const recall =
  /(?:^|[\s;&|("'/\\])memoir(?:\.exe)?["']?\s+(?:recall|show|search|context|endless)\b/;

/** True for a shell command that asks memoir for anything, and for memoir's own MCP tools. */
export function isOwnCall({ tool, input }: Pick<Arrived, "tool" | "input">): boolean {
  if (isOwnTool(tool)) return true;
  return typeof input.command === "string" && recall.test(input.command);
}
