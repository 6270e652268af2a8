// Reads what the client sent: texts, tool results, the context that hooks added, and the conversation without it.
import assert from "node:assert/strict";
import type { WireBlock, WireMessage, WireRequest } from "./messages-api.ts";

const startOfContext = "<memoir-context";
const endOfContext = "</memoir-context>";

function blockTexts(block: WireBlock): string[] {
  if (typeof block.content === "string") return [block.content];
  if (block.content) return block.content.flatMap(blockTexts);
  return block.text === undefined ? [] : [block.text];
}

function messageTexts(message: WireMessage): string[] {
  if (typeof message.content === "string") return [message.content];
  return message.content.flatMap(blockTexts);
}

/** Every text of a request's messages, in order. */
export function texts(request: WireRequest): string[] {
  return request.body.messages.flatMap(messageTexts);
}

/** memoir's own blocks in one text. */
function contextsIn(text: string): string[] {
  return text
    .split(startOfContext)
    .slice(1)
    .map(
      (part) => startOfContext + part.slice(0, part.indexOf(endOfContext) + endOfContext.length),
    );
}

/** The context that memoir gave, block by block, as the model sees it in this request. */
export function contexts(request: WireRequest | undefined): string[] {
  return request ? texts(request).flatMap(contextsIn) : [];
}

/** Tool results in a request, by tool-use id. */
export function toolResults(request: WireRequest): Map<string, string> {
  const results = new Map<string, string>();
  for (const message of request.body.messages) {
    if (typeof message.content === "string") continue;
    for (const block of message.content) {
      if (block.tool_use_id) results.set(block.tool_use_id, blockTexts(block).join("\n"));
    }
  }
  return results;
}

/** A tool's result as all requests tell it: it must have arrived, and in one form. */
export function resultOf(requests: readonly WireRequest[], id: string): string {
  const found = requests.map((request) => toolResults(request).get(id));
  const texts = [...new Set(found.filter((text) => text !== undefined))];
  assert.equal(texts.length, 1, `the result of ${id} was sent in ${texts.length} forms`);
  return texts[0] ?? "";
}

interface Line {
  role: string;
  kind: string;
  text: string;
}

function messageLines(message: WireMessage): Line[] {
  const blocks: WireBlock[] =
    typeof message.content === "string"
      ? [{ type: "text", text: message.content }]
      : message.content;
  return blocks.map((block) => ({
    role: message.role,
    kind: block.type,
    text:
      block.type === "tool_use"
        ? `${block.name} ${JSON.stringify(block.input)}`
        : blockTexts(block).join("\n"),
  }));
}

/** What differs between two runs of one script: ids, times, durations, and the client's reminders, which hooks may add to. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "")
    .replaceAll(/toolu_[A-Za-z0-9]+/g, "toolu")
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "uuid")
    .replaceAll(/\ba[0-9a-f]{16}\b/g, "agent")
    .replaceAll(/duration_ms:? [\d.]+/g, "duration")
    .replaceAll(/\b[\d.]+ ?ms\b/g, "duration")
    .trim();
}

/**
 * The conversation itself, one line a block, equal for two runs of one script: without what the client or a hook added,
 * with `paths` replaced by names, and with the results of parallel tool uses in one order.
 */
export function conversation(request: WireRequest, paths: Record<string, string>): string[] {
  const plain = ({ role, kind, text }: Line): string => {
    let result = text;
    for (const [path, name] of Object.entries(paths)) result = result.replaceAll(path, name);
    return `${role} ${kind}: ${withoutChance(result)}`;
  };
  return request.body.messages
    .filter(({ role }) => role !== "system")
    .flatMap((message) => messageLines(message).map(plain).sort())
    .filter((line) => !line.endsWith(": "));
}
