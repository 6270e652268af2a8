// A recorded session as the events that its client's hooks would have delivered: same keys, original times.

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { stripContext } from "../../privacy/marker.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { AssistantEntry, BrokenLine, TranscriptEntry } from "../../transcript/entry.ts";
import { personText, textOfContent } from "../../transcript/parse-entry.ts";
import { createToolUseMatcher, type TranscriptToolUse } from "../../transcript/tool-uses.ts";
import type { ClientTranscripts, ToldUse } from "../transcripts.ts";
import { parsePayload } from "./parse.ts";
import { outcomeFields, type ToolResult } from "./tools.ts";

/** Whose lines are read. */
interface RecordedSource {
  session: string;
  /** The session's own file, also for a subagent. */
  transcriptPath: string;
  /** A subagent's own file. */
  agent?: { id: string; type?: string; path: string };
  /** The session has no file of its own: it ends with this subagent. */
  alone?: boolean;
  /** The session's first working directory, where it is known from an earlier reading. */
  cwd?: string;
  /** Whose session it is; absent: Claude Code's. */
  of?: RecordedClient;
}

/** What is another client's about a recorded session. */
export interface RecordedClient extends Pick<ClientTranscripts, "countsUses" | "outcome" | "told"> {
  name: string;
  /** Where its sessions worked, where their lines do not say it. */
  cwd?: string | undefined;
}

/** An event read from a transcript, and where in its file. */
export interface RecordedEvent {
  event: ClientEvent;
  /** Of the line that completed it. */
  offset: number;
  line: number;
  /** The id that the file has for a tool use whose event has another. */
  use?: string;
  /** It ends a prompt, a subagent or the session: worth telling only when something before it was. */
  closes: boolean;
}

/** Turns one file's entries into events, in file order. */
export interface SessionEvents {
  add(entry: TranscriptEntry | BrokenLine): RecordedEvent[];
  /** What ends with the file: the open prompt, or the subagent. `over` also ends the session. */
  end(over: boolean): RecordedEvent[];
  /** Epoch ms of the newest entry; undefined before the first. */
  lastTime(): number | undefined;
  /** The first working directory. */
  cwd(): string | undefined;
  /** Tool uses without a result so far, oldest first. */
  open(): TranscriptToolUse[];
  /** What the agent said last in the open prompt. */
  said(): string;
  /** The id of a tool use that the file does not have yet, where they are counted; `isTaken`: one that a hook told of. */
  idAhead(
    use: Pick<TranscriptToolUse, "name" | "input">,
    isTaken: (id: string) => boolean,
  ): string | undefined;
}

interface Speaker {
  agent?: { id: string; type?: string };
  said: string;
  messageId?: string | undefined;
  active: boolean;
}

/**
 * Reads one file from its beginning, or from any prompt's line on.
 * Long because each kind of line has its own short rule over one state of the reading.
 */
export function createSessionEvents(source: RecordedSource): SessionEvents {
  const of: RecordedClient = source.of ?? { name: "claude-code" };
  const { name: client } = of;
  const counted = of.countsUses ? createUseIds(source.session) : undefined;
  const matcher = createToolUseMatcher();
  const main: Speaker = { said: "", active: false };
  const own: Speaker = source.agent ? { said: "", active: false, agent: source.agent } : main;
  /** Subagents whose lines stand in the session's file. */
  const inside = new Map<string, Speaker>();
  /** What hooks told of and whose end was not read yet, oldest first. */
  const told: ToldUse[] = [];
  let cwd = source.cwd;
  let last: TranscriptEntry | undefined;
  let lastTime: number | undefined;
  let branch: string | undefined;
  let started = false;

  function speakerOf(entry: TranscriptEntry): Speaker {
    if (source.agent || !entry.isSidechain) return own;
    const id = entry.agentId ?? "sidechain";
    const known = inside.get(id) ?? { said: "", active: false, agent: { id } };
    inside.set(id, known);
    return known;
  }

  function recorded(
    name: string,
    id: string,
    fields: Record<string, unknown>,
    at: {
      entry: TranscriptEntry;
      time?: number | undefined;
      closes?: boolean;
      cwd?: string | undefined;
    },
  ): RecordedEvent[] {
    const time = at.time ?? at.entry.time ?? lastTime;
    const where = at.cwd ?? at.entry.cwd ?? cwd ?? of.cwd;
    if (time === undefined || where === undefined) return [];
    const payload = {
      session_id: source.session,
      transcript_path: source.transcriptPath,
      cwd: where,
      hook_event_name: name,
      ...fields,
    };
    const event = parsePayload(client, payload, { id, time });
    // What led to the event stands before it; a prompt is what its own line brings.
    const before = name === "UserPromptSubmit" ? 0 : at.entry.bytes + 1;
    if (!source.agent) event.transcriptBytes = at.entry.offset + before;
    event.recovered = { modelFree: false, ...(branch && { branch }) };
    const { offset, line } = at.entry;
    return [{ event, offset, line, closes: at.closes ?? false }];
  }

  function start(entry: TranscriptEntry): RecordedEvent[] {
    if (started || source.agent || source.cwd !== undefined) return [];
    started = true;
    return recorded("SessionStart", `start-${idOf(entry)}`, { source: "startup" }, { entry });
  }

  function closeAgents(entry: TranscriptEntry): RecordedEvent[] {
    const events = [...inside.values()].flatMap((speaker) => stop(speaker, entry));
    inside.clear();
    return events;
  }

  function closePrompt(entry: TranscriptEntry): RecordedEvent[] {
    return [...closeAgents(entry), ...stop(own, entry)];
  }

  /** The end of what a speaker did since it began; nothing when it did nothing. */
  function stop(speaker: Speaker, entry: TranscriptEntry): RecordedEvent[] {
    if (!speaker.active) return [];
    const said = speaker.said === "" ? {} : { last_assistant_message: speaker.said };
    const { agent } = speaker;
    Object.assign(speaker, { active: false, said: "", messageId: undefined });
    const at = { entry, time: lastTime, closes: true };
    if (!agent) return recorded("Stop", `stop-${idOf(entry)}`, said, at);
    const path = source.agent ? { agent_transcript_path: source.agent.path } : {};
    const fields = { ...agentFields(agent), ...path, ...said };
    return recorded("SubagentStop", `agent-${agent.id}-${idOf(entry)}`, fields, at);
  }

  function prompt(entry: TranscriptEntry): RecordedEvent[] {
    if (source.agent || entry.isSidechain) return [];
    const person = personText(entry, stripContext);
    if (person === undefined || person.kind === "expansion") return [];
    const before = last ?? entry;
    counted?.begin(idOf(entry));
    const promptId = entry.raw.promptId;
    const fields = {
      prompt: person.text,
      ...(typeof promptId === "string" && promptId !== "" && { prompt_id: promptId }),
    };
    return [
      ...closePrompt(before),
      ...start(entry),
      ...recorded("UserPromptSubmit", `prompt-${idOf(entry)}`, fields, { entry }),
    ];
  }

  function tool(use: TranscriptToolUse, entry: TranscriptEntry, speaker: Speaker): RecordedEvent[] {
    const { result } = use;
    if (!result) return [];
    speaker.active = true;
    // Not every client's lines have the folder.
    const where = use.cwd ?? cwd ?? of.cwd;
    const placed = where === undefined ? use : { ...use, cwd: where };
    const ended = of.outcome?.(placed) ?? outcome(result);
    const id = counted?.next(use) ?? takeTold(told, use)?.id ?? use.id;
    const fields = {
      tool_name: use.name,
      tool_input: "input" in ended ? ended.input : use.input,
      tool_use_id: id,
      ...(speaker.agent && agentFields(speaker.agent)),
      ...outcomeFields(ended),
    };
    const name = "error" in fields ? "PostToolUseFailure" : "PostToolUse";
    const at = { entry, time: result.time ?? use.time, cwd: use.cwd };
    const found = recorded(name, `tool-${id}`, fields, at);
    return [
      ...start(entry),
      ...found.map((one) => ({ ...one, ...(id !== use.id && { use: use.id }) })),
    ];
  }

  function hear(entry: AssistantEntry, speaker: Speaker): void {
    if (entry.isApiError || entry.model === "<synthetic>") return;
    const text = entry.blocks
      .flatMap((block) => (block.type === "text" ? [block.text] : []))
      .join("\n")
      .trim();
    if (text === "") return;
    const goesOn = entry.messageId !== undefined && entry.messageId === speaker.messageId;
    speaker.said = goesOn ? `${speaker.said}\n${text}` : text;
    speaker.messageId = entry.messageId;
    speaker.active = true;
  }

  return {
    add(entry) {
      if (entry.kind === "broken" || entry.type === "progress") return [];
      cwd ??= entry.cwd;
      branch = entry.gitBranch || branch;
      const events = prompt(entry);
      const said = of.told?.(entry);
      if (said && told.push(said) > mostTold) told.shift();
      if (entry.time !== undefined) lastTime = Math.max(lastTime ?? 0, entry.time);
      const speaker = speakerOf(entry);
      if (entry.kind === "assistant") hear(entry, speaker);
      for (const use of matcher.add(entry)) events.push(...tool(use, entry, speaker));
      if (entry.kind === "assistant" || entry.kind === "user") last = entry;
      return events;
    },
    end(over) {
      if (!last) return [];
      const events = closePrompt(last);
      if (over && (!source.agent || source.alone))
        events.push(
          ...recorded(
            "SessionEnd",
            `end-${idOf(last)}`,
            { reason: "other" },
            { entry: last, time: lastTime, closes: true },
          ),
        );
      return events;
    },
    lastTime: () => lastTime,
    cwd: () => cwd ?? of.cwd,
    open: () => matcher.open(),
    said: () => own.said,
    idAhead: (use, isTaken) => counted?.ahead(use, isTaken),
  };
}

/** Hooks whose tool's end is not in the file. */
const mostTold = 100;

/** What a hook told of this use; where another hook had changed its input, the newest of the same tool. */
function takeTold(told: ToldUse[], { name, input }: ToldUse): ToldUse | undefined {
  const exact = told.findIndex((one) => one.name === name && isDeepStrictEqual(one.input, input));
  const at = exact >= 0 ? exact : told.findLastIndex((one) => one.name === name);
  return at < 0 ? undefined : told.splice(at, 1)[0];
}

function agentFields({ id, type }: { id: string; type?: string }): Record<string, string> {
  return { agent_id: id, ...(type !== undefined && { agent_type: type }) };
}

/** A line's own id, or its place. */
function idOf(entry: TranscriptEntry): string {
  return entry.uuid ?? `line-${entry.line}`;
}

const refused = /doesn't want to (?:proceed|take this action)|\[Request interrupted by user/;

/** What a hook would have said of the result: the structured one where the tool worked, the plain text where not. */
function outcome(result: NonNullable<TranscriptToolUse["result"]>): ToolResult {
  const structured = result.structured;
  if (!result.isError) return { response: structured ?? textOfContent(result.content) };
  const shown = textOfContent(result.content);
  const text = typeof structured === "string" ? structured.replace(/^Error: /, "") : shown;
  return { error: text, isInterrupt: refused.test(shown) };
}

// Ids for the tool uses of a client whose hooks have none and whose transcript has them too late: both sides count to the same.

/** A tool use in normal form. */
interface Use {
  name: string;
  input: unknown;
}

/** Names the n-th use of a tool with the same input since a prompt. */
interface UseIds {
  /** What follows belongs to this prompt, named by its line. */
  begin(prompt: string): void;
  /** The id of a use that is told now. */
  next(use: Use): string;
  /** The id of one that will be told, past those that are known to `isTaken`. */
  ahead(use: Use, isTaken: (id: string) => boolean): string;
}

/** Nothing was told yet of this session. */
function createUseIds(session: string): UseIds {
  let prompt = "";
  const counts = new Map<string, number>();

  function printOf({ name, input }: Use): string {
    const text = JSON.stringify([session, prompt, name, inOrder(input, 0)]);
    return `use_${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
  }

  return {
    begin(line) {
      prompt = line;
      counts.clear();
    },
    next(use) {
      const print = printOf(use);
      const count = (counts.get(print) ?? 0) + 1;
      counts.set(print, count);
      return `${print}_${count}`;
    },
    ahead(use, isTaken) {
      const print = printOf(use);
      let count = (counts.get(print) ?? 0) + 1;
      while (isTaken(`${print}_${count}`)) count++;
      return `${print}_${count}`;
    },
  };
}

/** Deeper input is nothing that a model writes. */
const maxDepth = 50;

/** Members by their names: two writers need not have them in one order. */
function inOrder(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((one) => inOrder(one, depth + 1));
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, one]) => [name, inOrder(one, depth + 1)]);
}
