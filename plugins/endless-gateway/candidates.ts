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
  type ToolResultBlock,
  type ToolUseBlock,
} from "./messages.ts";
import type { OldResult } from "./retire.ts";

// Before they are first sent: finished ones, in an assistant's message that nothing signs.

type WantsTool = (tool: string) => boolean;

/** A tool use of a request, and what answered it. */
interface AnsweredUse {
  use: ToolUseBlock;
  results: ToolResultBlock[];
  /** Its id stands in the request twice: nobody knows which of them is meant. */
  isTwice: boolean;
}

/** By id. */
export function usesIn(messages: readonly Message[]): Map<string, AnsweredUse> {
  const uses = new Map<string, AnsweredUse>();
  for (const block of messages.flatMap(blocksOf)) {
    if (isToolResult(block)) uses.get(block.tool_use_id)?.results.push(block);
    if (!isToolUse(block)) continue;
    const known = uses.get(block.id);
    uses.set(block.id, { use: block, results: known?.results ?? [], isTwice: known !== undefined });
  }
  return uses;
}

/** What failed is tried again, by what was wrong with it. */
function isDone(answered: AnsweredUse | undefined): boolean {
  const { results = [], isTwice } = answered ?? {};
  return !isTwice && results.length === 1 && results[0]?.is_error !== true;
}

/** Tool uses of the last assistant's message whose inputs may go. Whatever is not certain is left out. */
export function clearableIn(messages: readonly Message[], wants: WantsTool): ToolUseBlock[] {
  const blocks = blocksOf(messages[lastAssistant(messages)]);
  // Thinking is signed together with what it led to; what is not known may be, too.
  if (!blocks.every(isPlain)) return [];
  const uses = usesIn(messages);
  return blocks
    .filter(isToolUse)
    .filter((use) => isDone(uses.get(use.id)) && largeInput(use, wants) !== undefined);
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
  const uses = usesIn(messages);
  const candidates: Candidate[] = [];
  const last = lastAssistant(messages);
  const prompt = messages.findLastIndex(isPrompt);
  const count = messages.filter(({ role }) => role === "assistant").length;
  const answers: number[] = [];
  let at = (sizeOf(body.system) + sizeOf(body.tools)) / charactersPerToken;
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") answers.push(at);
    const age = count - answers.length;
    const mayClear = inputs && index < prompt && !blocksOf(message).every(isPlain);
    for (const block of blocksOf(message)) {
      const leaving = isToolUse(block)
        ? mayClear && isDone(uses.get(block.id)) && inputIn(block, wants)
        : isToolResult(block) && index < last && outputIn(block, uses, wants);
      if (leaving) {
        const saves = (leaving.text.length - lineCharacters) / charactersPerToken;
        candidates.push({ ...leaving, at, saves, age });
      }
      at += sizeOf(block) / charactersPerToken;
    }
  }
  return { candidates, contextTokens: at, answers };
}

type Leaving = Omit<Candidate, "at" | "saves" | "age">;

function inputIn(use: ToolUseBlock & Block, wants: WantsTool): Leaving | undefined {
  const { id: toolUseId, name: tool, input: value } = use;
  const text = largeInput(use, wants);
  if (text === undefined) return undefined;
  return { id: `input ${toolUseId}`, toolUseId, part: "input", tool, value, text };
}

function outputIn(
  block: ToolResultBlock,
  uses: ReadonlyMap<string, AnsweredUse>,
  wants: WantsTool,
): Leaving | undefined {
  const { tool_use_id: id, content: value } = block;
  const known = uses.get(id);
  const text = plainResult(block);
  if (!known || known.isTwice || text === undefined || text.length < leastCharacters)
    return undefined;
  const tool = known.use.name;
  return wants(tool) ? { id, toolUseId: id, part: "output", tool, value, text } : undefined;
}

/** The person asks for something: what was said before is a turn that ended. */
function isPrompt(message: Message): boolean {
  return message.role === "user" && !blocksOf(message).some(isToolResult);
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
