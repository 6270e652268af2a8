// May a value be kept? Only what the capture plugins leave as it is.
import type { KeepRequest } from "../../sdk/endless.ts";
import type { PostToolUseEvent } from "../../sdk/events.ts";
import { sameJson, textLength } from "./json-value.ts";
import type { Capture } from "./originals.ts";

/** A longer value stays where it is. */
const mostCharacters = 8 * 1024 * 1024;

/** Sends the value through capture as a tool use's input or output; false when that drops, withholds or changes it. */
export async function mayBeKept(
  { session, toolUseId, tool, part, value, otherHalf = {} }: KeepRequest,
  capture: Capture,
  about: Pick<PostToolUseEvent, "client" | "time" | "cwd" | "project">,
): Promise<boolean> {
  if (textLength([value, otherHalf], mostCharacters) > mostCharacters) return false;
  const id = `endless:${session}:${toolUseId}:${part}`;
  const event: PostToolUseEvent = {
    ...about,
    name: "PostToolUse",
    id,
    key: id,
    session,
    toolUseId,
    toolName: tool,
    toolInput: part === "input" ? value : otherHalf,
    toolResponse: part === "output" ? value : otherHalf,
  };
  const captured = await capture(event);
  if ("drop" in captured || captured.event.withheld || captured.event.name !== event.name)
    return false;
  const { toolInput, toolResponse } = captured.event;
  return sameJson(part === "input" ? toolInput : toolResponse, value);
}
