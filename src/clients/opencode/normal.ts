// The payloads of memoir's plugin in OpenCode in the normal form.
//
// Each has `hook_event_name`, `session_id`, `cwd` and `transcript_path`, and `agent_id` where a subagent did it. Below
// `opencode` stands what OpenCode said, by the `hook` it said it with:
// - `session`: `agent`, `model`, beside `source`
// - `chat.message`: `message` and the `parts` that the person wrote
// - `tool.execute.before`: `tool`, `callID`, `args`
// - `tool.execute.after`: the same and `output`: `title`, `output`, `metadata`; of a server's tool `content`; with a `file`
//   above 0 that one of a patch
// - `message.part.updated`: the `part` of a tool that failed
import { isRecord, listField, recordOf, textField } from "../../text/text.ts";
import { endedFields } from "../normal/tools.ts";
import { type FinishedUses, finishedUses, normalTool } from "./tools.ts";

type Json = Record<string, unknown>;

/** The payload as Claude Code would have written it; undefined for a prompt with nothing in it. */
export function normalOpenCode(payload: unknown): unknown {
  if (!isRecord(payload) || !isRecord(payload.opencode)) return payload;
  const { opencode, ...fields } = payload;
  const told = recordOf(opencode);
  switch (told.hook) {
    case "session": {
      const model = textField(told.model, "modelID");
      // What it was told stood in the system prompt, and is gone with the process: one that goes on is told all of it anew.
      const source = fields.source === "compact" ? "compact" : "startup";
      return { ...fields, source, ...(model !== "" && { model }) };
    }
    case "chat.message": {
      const prompt = promptOf(listField(told, "parts"));
      const id = textField(told.message, "id");
      return prompt === "" ? undefined : { ...fields, prompt, ...(id !== "" && { prompt_id: id }) };
    }
    case "tool.execute.before":
      return { ...fields, ...usedTool(told, told.args) };
    case "tool.execute.after": {
      const at = typeof told.file === "number" ? told.file : 0;
      const { tool, callID, args: input } = told;
      return ended(
        fields,
        finishedUses({ tool, callID, state: { ...recordOf(told.output), input } }),
        at,
      );
    }
    case "message.part.updated":
      return ended(fields, finishedUses(recordOf(told.part)), 0);
    default:
      return fields;
  }
}

function usedTool({ tool, callID }: Json, args: unknown): Json {
  const { name, input } = normalTool(typeof tool === "string" ? tool : "", args);
  return { tool_name: name, tool_input: input, tool_use_id: callID };
}

function ended(fields: Json, uses: FinishedUses, at: number): Json {
  const { id, name, input, result } = uses[at] ?? uses[0];
  const used = { tool_name: name, tool_input: input, tool_use_id: id };
  return { ...fields, ...used, ...endedFields(result) };
}

/** What the person wrote. `opencode run "a b"` hands it on in quotation marks, with those inside escaped. */
export function promptOf(parts: readonly unknown[]): string {
  const text = parts
    .map((part) => textField(part, "text"))
    .join("\n")
    .trim();
  const quoted = /^"((?:[^"]|(?<=\\)")*)"$/.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replaceAll('\\"', '"').trim();
}
