// Which tool uses of a request may leave it: inputs before they are first sent, later old results and inputs beside thinking. Pure.
import { leastInput } from "../../src/strategy/index.ts";
import { isClearedInput } from "../../src/transcript/index.ts";
import {
  type Block,
  blocksOf,
  isToolResult,
  isToolUse,
  lastAssistant,
  type Message,
  plainResult,
  type ToolUseBlock,
} from "./messages.ts";
import type { OldResult } from "./retire.ts";

// Before they are first sent: finished ones, in an assistant's message that nothing signs.

type WantsTool = (tool: string) => boolean;

/** Tool uses of the last assistant's message whose inputs may go. Whatever is not certain is left out. */
export function clearableIn(messages: readonly Message[], wants: WantsTool): ToolUseBlock[] {
  const at = lastAssistant(messages);
  const blocks = blocksOf(messages[at]);
  // Thinking is signed together with what it led to; what is not known may be, too.
  if (at < 0 || !blocks.every(isPlain)) return [];
  const answers = messages
    .slice(at + 1)
    .flatMap(blocksOf)
    .filter(isToolResult);
  const ids = messages
    .flatMap(blocksOf)
    .filter(isToolUse)
    .map(({ id }) => id);
  return blocks.filter(isToolUse).filter((use) => {
    const own = answers.filter(({ tool_use_id }) => tool_use_id === use.id);
    return (
      wants(use.name) &&
      own.length === 1 &&
      // What failed is tried again, by what was wrong with it.
      own[0]?.is_error !== true &&
      ids.filter((id) => id === use.id).length === 1 &&
      !isClearedInput(use.input) &&
      JSON.stringify(use.input).length >= leastInput
    );
  });
}

/** Neither thinking nor signed, nor anything that is not known. */
function isPlain(block: Block): boolean {
  return (block.type === "text" || block.type === "tool_use") && !("signature" in block);
}

// Later: what is old enough to be weighed for leaving, and where in the request it is.

/** A result or an input that may leave, with what is needed to keep it. */
interface Candidate extends OldResult {
  toolUseId: string;
  part: "input" | "output";
  tool: string;
  /** What stands there, and as text. */
  value: unknown;
  text: string;
}

interface OldResults {
  candidates: Candidate[];
  /** Estimated tokens of all messages and what stands in front of them. */
  contextTokens: number;
  /** The same at each answer of the model. */
  answers: number[];
}

/** A rough figure is enough for a sum that only compares. */
const charactersPerToken = 4;
/** A result this small is hardly longer than the line that would stand in its place. */
const leastCharacters = 400;
/** About the length of that line. */
const lineCharacters = 100;

/**
 * Results in front of the last message of the assistant, of tools that may lose them; and with `inputs` also inputs that
 * stand beside thinking. Those could not be cleared before they were first sent: the API holds the last turn's messages
 * with thinking against what it gave. Once the person has asked for something else it does not. The messages are those
 * that go out, with what was decided so far.
 */
export function oldResultsIn(
  body: Readonly<Record<string, unknown>>,
  messages: readonly Message[],
  wants: WantsTool,
  inputs = false,
): OldResults {
  const uses = new Map<string, string>();
  const twice = new Set<string>();
  const candidates: Candidate[] = [];
  const last = lastAssistant(messages);
  const prompt = messages.findLastIndex(isPrompt);
  const answeredWell = inputs ? wellAnswered(messages) : new Set();
  const count = messages.filter(({ role }) => role === "assistant").length;
  const answers: number[] = [];
  let at = (sizeOf(body.system) + sizeOf(body.tools)) / charactersPerToken;
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") answers.push(at);
    const age = count - answers.length;
    const mayClear = inputs && index < prompt && !blocksOf(message).every(isPlain);
    for (const block of blocksOf(message)) {
      if (isToolUse(block)) {
        if (uses.has(block.id)) twice.add(block.id);
        uses.set(block.id, block.name);
        if (mayClear && answeredWell.has(block.id)) {
          const text = largeInput(block, wants);
          const saves = ((text?.length ?? 0) - lineCharacters) / charactersPerToken;
          const id = `input ${block.id}`;
          if (text !== undefined)
            candidates.push({
              ...{ id, toolUseId: block.id, part: "input", at, saves, age },
              ...{ tool: block.name, value: block.input, text },
            });
        }
      } else if (isToolResult(block) && index < last) {
        const text = plainResult(block);
        const tool = uses.get(block.tool_use_id);
        if (text !== undefined && tool !== undefined && wants(tool)) {
          const saves = (text.length - lineCharacters) / charactersPerToken;
          if (text.length >= leastCharacters)
            candidates.push({
              ...{ id: block.tool_use_id, toolUseId: block.tool_use_id, part: "output" },
              ...{ at, saves, age, tool, value: block.content, text },
            });
        }
      }
      at += sizeOf(block) / charactersPerToken;
    }
  }
  return {
    candidates: candidates.filter(({ toolUseId }) => !twice.has(toolUseId)),
    contextTokens: at,
    answers,
  };
}

/** The person asks for something: what was said before is a turn that ended. */
function isPrompt(message: Message): boolean {
  return message.role === "user" && !blocksOf(message).some(isToolResult);
}

/** Ids of tool uses with one result, which is no failure: what failed is tried again, by what was wrong with it. */
function wellAnswered(messages: readonly Message[]): Set<string> {
  const results = messages.flatMap(blocksOf).filter(isToolResult);
  const failed = new Set(
    results.filter((one) => one.is_error === true).map((one) => one.tool_use_id),
  );
  return new Set(results.map((one) => one.tool_use_id).filter((id) => !failed.has(id)));
}

/** An input's JSON; undefined for one that is small, cleared already, signed, or of a tool that loses nothing. */
function largeInput(use: ToolUseBlock & Block, wants: WantsTool): string | undefined {
  if (!wants(use.name) || isClearedInput(use.input) || !isPlain(use)) return undefined;
  const text = JSON.stringify(use.input);
  return text.length >= leastInput ? text : undefined;
}

/** About the length of the value's JSON; writing it out would take longer than all the rest. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 4;
  let size = 2;
  for (const [key, inner] of Object.entries(value)) size += key.length + 4 + sizeOf(inner);
  return size;
}
