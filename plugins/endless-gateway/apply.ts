// Puts what was decided into a request's messages. Pure: the same decisions on the same messages give the same bytes.
import { type Block, contentHash, isToolResult, isToolUse, type Message } from "./messages.ts";

/** A decision about one half of a tool use: what stands there instead. */
export interface Edit {
  toolUseId: string;
  part: "input" | "output";
  /** Of what was there when it was decided; something else stays as it is. */
  hash: string;
  /** JSON of the new input, or the new result's text. */
  instead: string;
}

/** A decision about a place: messages in front of the message with this hash, or blocks at the end of it. */
export interface Injection {
  hash: string;
  place: "before" | "inside";
  /** JSON: a list of messages, or of blocks. */
  json: string;
  /** Ids of the observations that it tells of. */
  observations: string[];
}

/** Gives an edit, and so on; undefined where nothing was decided. */
export interface Decisions {
  edit(toolUseId: string, part: "input" | "output"): Edit | undefined;
  injection(hash: string): Injection | undefined;
}

/** The messages as they go out; the very same list when nothing changes. */
export function applyDecisions(
  messages: readonly Message[],
  lineage: readonly string[],
  decisions: Decisions,
): readonly Message[] {
  let changed = false;
  const applied = messages.flatMap((message, at) => {
    const edited = editMessage(message, decisions);
    const injection = decisions.injection(lineage[at] ?? "");
    if (edited !== message || injection) changed = true;
    if (!injection) return [edited];
    const added: unknown = JSON.parse(injection.json);
    if (injection.place === "before") return [...(added as Message[]), edited];
    return [{ ...edited, content: [...listOf(edited), ...(added as Block[])] }];
  });
  return changed ? applied : messages;
}

function listOf({ content }: Message): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function editMessage(message: Message, decisions: Decisions): Message {
  if (typeof message.content === "string") return message;
  let changed = false;
  const content = message.content.map((block) => {
    const edited = editBlock(block, decisions);
    if (edited !== block) changed = true;
    return edited;
  });
  return changed ? { ...message, content } : message;
}

/** Every other key of the block stays where it is, a cache breakpoint too. */
function editBlock(block: Block, decisions: Decisions): Block {
  if (isToolUse(block)) {
    const edit = decisions.edit(block.id, "input");
    if (!edit || edit.hash !== contentHash(block.input)) return block;
    return { ...block, input: JSON.parse(edit.instead) as unknown };
  }
  if (isToolResult(block)) {
    const edit = decisions.edit(block.tool_use_id, "output");
    if (!edit || edit.hash !== contentHash(block.content)) return block;
    const text = edit.instead;
    const content = typeof block.content === "string" ? text : [{ type: "text", text }];
    return { ...block, content };
  }
  return block;
}
