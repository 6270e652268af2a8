// Gemini CLI's payloads in the normal form.
import { isRecord, recordOf, textField } from "../../text/values.ts";
import { normalResult, normalTool } from "../normal/google-tools.ts";
import { withoutMarked } from "../normal/marks.ts";
import { outcomeFields, resultText } from "../normal/tools.ts";

/** Its names of events, which no other client shares, and Claude Code's. The others are Claude Code's own. */
const names: Readonly<Record<string, string>> = {
  BeforeAgent: "UserPromptSubmit",
  AfterAgent: "Stop",
  BeforeTool: "PreToolUse",
  AfterTool: "PostToolUse",
};

/**
 * The payload as Claude Code would have written it; undefined for a prompt that nobody typed. Its tool uses have no id:
 * `id` stands in until the transcript tells.
 */
export function normalGemini(payload: unknown, id: string): unknown {
  if (!isRecord(payload)) return payload;
  const { prompt, prompt_response: said, tool_response: response, ...fields } = payload;
  const own = textField(payload, "hook_event_name");
  const event = Object.hasOwn(names, own) ? names[own] : payload.hook_event_name;
  const told = { ...fields, hook_event_name: event };
  if (event === "UserPromptSubmit") {
    if (typeof prompt !== "string") return { ...told, prompt };
    const typed = typedText(prompt);
    return typed === "" ? undefined : { ...told, prompt: typed };
  }
  if (event === "Stop") return { ...told, ...(spoke(said) && { last_assistant_message: said }) };
  if (typeof payload.tool_name !== "string") return told;
  const { name, input } = normalTool(payload.tool_name, payload.tool_input);
  const used = { ...told, tool_name: name, tool_input: input };
  const withId = { ...used, tool_use_id: textField(payload, "tool_use_id") || id };
  if (event !== "PostToolUse") return withId;
  const { llmContent, returnDisplay, error } = recordOf(response);
  const isError = isRecord(error);
  const shown = isError ? textField(error, "message") || resultText(llmContent) : llmContent;
  // What a command printed stands before what went wrong with it.
  const content = name === "Bash" ? llmContent : shown;
  const result = normalResult({ name, input }, content, returnDisplay, isError);
  const hook_event_name = "error" in result ? "PostToolUseFailure" : event;
  return { ...withId, hook_event_name, ...outcomeFields(result) };
}

function spoke(said: unknown): boolean {
  return typeof said === "string" && said.trim() !== "" && said !== "[no response text]";
}

/** What hooks told at the start stands before the prompt, in a tag of the client's, which it escapes inside. */
export const hookContext = ["<hook_context>", "</hook_context>"] as const;
/** What was read of files that the prompt names with an `@`. */
const referenced = /\n?--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g;
/** What the client tells in a person's place: where it is, and what the person ran without the model. */
const told = /^(?:<session_context>|I ran the following shell command:\n```sh\n)/;

/** What a person typed of a text that stands in the user's place; empty where that is nothing. */
export function typedText(text: string): string {
  const typed = withoutMarked(text, ...hookContext)
    .replace(referenced, "")
    .trim();
  return told.test(typed) ? "" : typed;
}
