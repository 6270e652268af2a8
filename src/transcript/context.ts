// The conversation around tool uses: what was asked, thought and said before them, and what came of them. Read once, from the end.
import type { ContextTurn, TokenUsage } from "../sdk/work.ts";
import type { AssistantEntry, TranscriptEntry, UserEntry } from "./entry.ts";
import { type LineParser, personText, textOfContent, withoutProgress } from "./parse-entry.ts";
import { type BackwardSource, readEntriesBackwards } from "./read.ts";

/** A tool use to be looked for. */
interface WantedToolUse {
  id: string;
  /** Epoch ms at which it had ended; lets the reader stop looking for one that is not in the file. */
  time?: number;
  durationMs?: number;
  /** The subagent's id. */
  agentId?: string;
}

/** What the transcript tells about one tool use. Texts are beginnings, as long as the limits allow. */
export interface FoundContext {
  userIntent?: string;
  reasoning?: string;
  assistantText?: string;
  result?: string;
  /** Before the prompt it belongs to, oldest first. */
  turns: ContextTurn[];
  model?: string;
  /** Of the message that made it. */
  usage?: TokenUsage;
  messageId?: string;
  /** All tool uses of that message, in order. */
  messageToolUses: string[];
  cwd?: string;
  branch?: string;
  version?: string;
  /** Epoch ms. */
  time?: number;
  /** Reading stopped before everything was found, or the file does not have the tool use yet. */
  partial: boolean;
}

/** Characters of each text, turns, and bytes to read at most. */
export interface ContextLimits {
  intent: number;
  reasoning: number;
  assistantText: number;
  result: number;
  turns: number;
  turn: number;
  bytes: number;
}

/** What is read of the conversation around tool uses. */
interface ContextOptions {
  limits?: Partial<ContextLimits>;
  /** Takes out of a person's text what others put in, before it is judged. */
  clean?: (text: string) => string;
  /** For a client whose lines are of another form than Claude Code's. */
  parse?: LineParser | undefined;
}

/** What an absent limit means. */
export const defaultContextLimits: ContextLimits = {
  intent: 4_000,
  reasoning: 500,
  assistantText: 500,
  result: 500,
  turns: 3,
  turn: 500,
  bytes: 32 * 1024 * 1024,
};

/** A tool use stands in the file before it runs; a person may take their time to permit it. */
const slackMs = 12 * 60 * 60_000;

interface Message {
  usage?: TokenUsage;
  /** Last first. */
  toolUses: string[];
}

/** A context that is being filled, going back in time. */
interface Open {
  context: FoundContext;
  follows: Follows;
  asked: boolean;
  /** Time of the newest entry it followed. */
  newest?: number;
}

/**
 * Contexts by tool-use id, from one pass over the file from its end. A tool use of the main agent sees the main
 * agent's lines only, a subagent's only its own. Reading ends when everything asked for is found, at the start of the
 * file, or at the limit. A tool use that the file does not have yet gets what stands at its end, marked `partial`.
 * Long because one pass over the file keeps what every later line is judged by.
 */
export async function readToolContexts(
  source: BackwardSource,
  wanted: readonly WantedToolUse[],
  { limits: some, clean, parse }: ContextOptions = {},
): Promise<Map<string, FoundContext>> {
  const limits = { ...defaultContextLimits, ...some };
  const missing = new Map(wanted.map((use) => [use.id, use]));
  const ids = missing.size;
  const results = new Map<string, string>();
  const messages = new Map<string, Message>();
  const found = new Map<string, FoundContext>();
  /** One for each agent: for tool uses that the file does not have yet. */
  const ends = new Map(wanted.map(({ agentId }) => [agentId, openAtEnd(agentId)]));
  let open: Open[] = [];
  let expanded = false;
  let cut = false;

  const isDone = ({ context, asked }: Open) => asked && context.turns.length >= limits.turns;

  function takeUser(entry: UserEntry): void {
    for (const block of entry.blocks)
      if (block.type === "tool_result" && missing.has(block.toolUseId))
        results.set(block.toolUseId, head(textOfContent(block.content), limits.result));
  }

  function takePerson(entry: TranscriptEntry, followers: readonly Open[]): void {
    const person = personText(entry, clean);
    const prompt = person?.kind === "said" || (person?.kind === "command" && expanded);
    if (entry.kind === "user") expanded = person?.kind === "expansion";
    if (!prompt) return;
    for (const one of followers) takePrompt(one, person.text, limits);
  }

  function takeAssistant(entry: AssistantEntry, followers: Open[]): void {
    expanded = false;
    if (entry.isApiError || entry.model === "<synthetic>") return;
    const message = messageOf(entry);
    for (const block of entry.blocks.toReversed()) {
      if (block.type === "tool_use") {
        if (!message.toolUses.includes(block.id)) message.toolUses.push(block.id);
        if (!missing.delete(block.id)) continue;
        const made = openAt(entry, results.get(block.id));
        found.set(block.id, made.context);
        open.push(made);
        followers.push(made);
      } else if (block.type === "text")
        for (const one of followers) takeText(one, block.text, limits);
      else if (block.type === "thinking")
        for (const one of followers) takeThinking(one, block.thinking, limits);
    }
  }

  function messageOf(entry: AssistantEntry): Message {
    const key = messageKey(entry);
    const known = messages.get(key) ?? { toolUses: [] };
    // The last line of a message has its final count.
    if (entry.usage && entry.usage.output > (known.usage?.output ?? -1)) known.usage = entry.usage;
    messages.set(key, known);
    return known;
  }

  const onCut = () => {
    cut = true;
  };
  for await (const entry of readEntriesBackwards(limited(source, limits.bytes, onCut), {
    parse: withoutProgress(parse),
  })) {
    if (entry.kind === "broken") continue;
    const { time } = entry;
    if (time !== undefined) giveUp(missing, time);
    const followers = [...open, ...ends.values()].filter((one) => one.follows(entry));
    if (time !== undefined) for (const one of followers) one.newest ??= time;
    if (entry.kind === "assistant") takeAssistant(entry, followers);
    else {
      if (entry.kind === "user") takeUser(entry);
      takePerson(entry, followers);
    }
    open = open.filter((one) => !isDone(one));
    if (missing.size > 0 || open.length > 0) continue;
    if (found.size === ids || [...ends.values()].every(isDone)) break;
  }
  if (cut) for (const { context } of open) context.partial = true;
  for (const use of wanted) {
    const end = ends.get(use.agentId);
    if (found.has(use.id) || !end || !isBehind(end, use)) continue;
    const result = results.get(use.id);
    found.set(use.id, { ...end.context, ...(result !== undefined && { result }), partial: true });
  }
  for (const context of found.values()) finish(context, messages);
  return found;
}

/** What the person asked; then, going back in time, what was said before it. */
function takePrompt(one: Open, text: string, limits: ContextLimits): void {
  if (one.asked) addTurn(one, "user", text, limits);
  else one.context.userIntent = head(text, limits.intent);
  one.asked = true;
}

function takeText(one: Open, text: string, limits: ContextLimits): void {
  if (text.trim() === "") return;
  if (one.asked) addTurn(one, "assistant", text, limits);
  else one.context.assistantText ??= head(text, limits.assistantText);
}

function takeThinking({ asked, context }: Open, text: string, limits: ContextLimits): void {
  if (!asked && text.trim() !== "") context.reasoning ??= head(text, limits.reasoning);
}

/** Of what one side said without the other in between, the last is the turn. */
function addTurn(
  { context: { turns } }: Open,
  role: ContextTurn["role"],
  text: string,
  limits: ContextLimits,
): void {
  if (turns.length >= limits.turns || (role === "assistant" && turns[0]?.role === role)) return;
  turns.unshift({ role, text: head(text, limits.turn) });
}

/** The context of a tool use that this entry holds. */
function openAt(entry: AssistantEntry, result: string | undefined): Open {
  const { model, cwd, gitBranch, version, time } = entry;
  const context: FoundContext = {
    ...(result !== undefined && { result }),
    turns: [],
    ...(model !== undefined && { model }),
    messageId: messageKey(entry),
    messageToolUses: [],
    ...(cwd !== undefined && { cwd }),
    ...(gitBranch !== undefined && gitBranch !== "" && { branch: gitBranch }),
    ...(version !== undefined && { version }),
    ...(time !== undefined && { time }),
    partial: false,
  };
  return { context, follows: threadOf(entry), asked: false };
}

function finish(context: FoundContext, messages: ReadonlyMap<string, Message>): void {
  const message = context.messageId === undefined ? undefined : messages.get(context.messageId);
  if (!message) return;
  context.messageToolUses = message.toolUses.toReversed();
  if (message.usage) context.usage = message.usage;
}

/** Not found, and every line of its agent is older: the client has not written it yet. */
function isBehind({ newest }: Open, { time }: WantedToolUse): boolean {
  return newest !== undefined && time !== undefined && newest <= time;
}

function giveUp(missing: Map<string, WantedToolUse>, time: number): void {
  for (const [id, use] of missing)
    if (use.time !== undefined && time < use.time - (use.durationMs ?? 0) - slackMs)
      missing.delete(id);
}

function openAtEnd(agentId: string | undefined): Open {
  return {
    context: { turns: [], messageToolUses: [], partial: true },
    follows: threadOfAgent(agentId),
    asked: false,
  };
}

function messageKey(entry: AssistantEntry): string {
  return entry.messageId ?? entry.requestId ?? `at ${entry.offset}`;
}

async function* limited(
  source: BackwardSource,
  bytes: number,
  onCut: () => void,
): AsyncGenerator<{ chunk: Uint8Array; offset: number }> {
  let read = 0;
  for await (const part of source) {
    if (read >= bytes) {
      onCut();
      return;
    }
    read += part.chunk.length;
    yield part;
  }
}

/** The beginning, without half a surrogate pair. */
function head(text: string, most: number): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const code = whole.charCodeAt(most - 1);
  return whole.slice(0, code >= 0xd800 && code <= 0xdbff ? most - 1 : most);
}

// Whose line it is: several agents write into one file, and each has a conversation of its own.

/** True for an entry of the same agent. Ask with every entry, going back in time. */
type Follows = (entry: TranscriptEntry) => boolean;

/** The lines of one agent; of the main agent without an id. */
function threadOfAgent(agentId: string | undefined): Follows {
  if (agentId === undefined) return (entry) => !entry.isSidechain;
  return (entry) => entry.agentId === agentId;
}

/** The older lines of the agent whose line this is. */
function threadOf(entry: TranscriptEntry): Follows {
  if (!entry.isSidechain) return threadOfAgent(undefined);
  if (entry.agentId !== undefined) return threadOfAgent(entry.agentId);
  // Clients of 2025 do not name the agent: only the chain of parents tells parallel ones apart.
  let expected = entry.parentUuid;
  return ({ uuid, parentUuid }) => {
    if (uuid === undefined || uuid !== expected) return false;
    expected = parentUuid;
    return true;
  };
}
