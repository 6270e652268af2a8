// A recorded session as the events that its client's hooks would have delivered: same keys, original times.

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { stripContext } from "../../privacy/marker.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { AssistantEntry, BrokenLine, TranscriptEntry } from "../../transcript/entry.ts";
import { personText, textOfContent } from "../../transcript/parse-entry.ts";
import { createToolUseMatcher, type TranscriptToolUse } from "../../transcript/tool-uses.ts";
import type { ClientTranscripts, ReportedUse } from "../adapter.ts";
import { parsePayload } from "./payload.ts";
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
export interface RecordedClient
  extends Pick<ClientTranscripts, "countsUses" | "outcome" | "reported"> {
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

interface Speaker {
  agent?: { id: string; type?: string };
  said: string;
  messageId?: string | undefined;
  active: boolean;
}

/** Where and when an event happened, as the lines of its file say it. */
interface Place {
  entry: TranscriptEntry;
  time?: number | undefined;
  closes?: boolean;
  cwd?: string | undefined;
}

/** Turns one file's entries into events, in file order; from its beginning, or from any prompt's line on. */
export class SessionEvents {
  readonly #source: RecordedSource;
  readonly #of: RecordedClient;
  readonly #counted: UseIds | undefined;
  readonly #matcher = createToolUseMatcher();
  readonly #own: Speaker;
  /** Subagents whose lines stand in the session's file. */
  readonly #inside = new Map<string, Speaker>();
  /** What hooks reported and whose end was not read yet, oldest first. */
  readonly #reported: ReportedUse[] = [];
  #cwd: string | undefined;
  #last: TranscriptEntry | undefined;
  #lastTime: number | undefined;
  #branch: string | undefined;
  #started = false;

  constructor(source: RecordedSource) {
    const { of = { name: "claude-code" }, agent } = source;
    this.#source = source;
    this.#of = of;
    this.#counted = of.countsUses ? createUseIds(source.session) : undefined;
    this.#own = { said: "", active: false, ...(agent && { agent }) };
    this.#cwd = source.cwd;
  }

  add(entry: TranscriptEntry | BrokenLine): RecordedEvent[] {
    if (entry.kind === "broken" || entry.type === "progress") return [];
    this.#cwd ??= entry.cwd;
    this.#branch = entry.gitBranch || this.#branch;
    const events = this.#prompt(entry);
    const said = this.#of.reported?.(entry);
    if (said && this.#reported.push(said) > mostReported) this.#reported.shift();
    if (entry.time !== undefined) this.#lastTime = Math.max(this.#lastTime ?? 0, entry.time);
    const speaker = this.#speakerOf(entry);
    if (entry.kind === "assistant") hear(entry, speaker);
    for (const use of this.#matcher.add(entry)) events.push(...this.#tool(use, entry, speaker));
    if (entry.kind === "assistant" || entry.kind === "user") this.#last = entry;
    return events;
  }

  /** What ends with the file: the open prompt, or the subagent. `over` also ends the session. */
  end(over: boolean): RecordedEvent[] {
    const entry = this.#last;
    if (!entry) return [];
    const events = this.#closePrompt(entry);
    const at = { entry, time: this.#lastTime, closes: true };
    if (over && (!this.#source.agent || this.#source.alone))
      events.push(...this.#recorded("SessionEnd", `end-${idOf(entry)}`, { reason: "other" }, at));
    return events;
  }

  /** Epoch ms of the newest entry; undefined before the first. */
  lastTime(): number | undefined {
    return this.#lastTime;
  }

  /** The first working directory. */
  cwd(): string | undefined {
    return this.#cwd ?? this.#of.cwd;
  }

  /** Tool uses without a result so far, oldest first. */
  open(): TranscriptToolUse[] {
    return this.#matcher.open();
  }

  /** What the agent said last in the open prompt. */
  said(): string {
    return this.#own.said;
  }

  /** The id of a tool use that the file does not have yet, where they are counted; `isTaken`: one that a hook reported. */
  idAhead(
    use: Pick<TranscriptToolUse, "name" | "input">,
    isTaken: (id: string) => boolean,
  ): string | undefined {
    return this.#counted?.ahead(use, isTaken);
  }

  #speakerOf(entry: TranscriptEntry): Speaker {
    if (this.#source.agent || !entry.isSidechain) return this.#own;
    const id = entry.agentId ?? "sidechain";
    const known = this.#inside.get(id) ?? { said: "", active: false, agent: { id } };
    this.#inside.set(id, known);
    return known;
  }

  #recorded(name: string, id: string, fields: Record<string, unknown>, at: Place): RecordedEvent[] {
    const { session, transcriptPath, agent } = this.#source;
    const time = at.time ?? at.entry.time ?? this.#lastTime;
    const cwd = at.cwd ?? at.entry.cwd ?? this.cwd();
    if (time === undefined || cwd === undefined) return [];
    const payload = {
      session_id: session,
      transcript_path: transcriptPath,
      cwd,
      hook_event_name: name,
      ...fields,
    };
    const event = parsePayload(this.#of.name, payload, { id, time });
    // What led to the event stands before it; a prompt is what its own line brings.
    const before = name === "UserPromptSubmit" ? 0 : at.entry.bytes + 1;
    if (!agent) event.transcriptBytes = at.entry.offset + before;
    const branch = this.#branch;
    event.recovered = { modelFree: false, ...(branch && { branch }) };
    const { offset, line } = at.entry;
    return [{ event, offset, line, closes: at.closes ?? false }];
  }

  #start(entry: TranscriptEntry): RecordedEvent[] {
    if (this.#started || this.#source.agent || this.#source.cwd !== undefined) return [];
    this.#started = true;
    return this.#recorded("SessionStart", `start-${idOf(entry)}`, { source: "startup" }, { entry });
  }

  #closePrompt(entry: TranscriptEntry): RecordedEvent[] {
    const events = [...this.#inside.values(), this.#own].flatMap((one) => this.#stop(one, entry));
    this.#inside.clear();
    return events;
  }

  /** The end of what a speaker did since it began; nothing when it did nothing. */
  #stop(speaker: Speaker, entry: TranscriptEntry): RecordedEvent[] {
    if (!speaker.active) return [];
    const said = speaker.said === "" ? {} : { last_assistant_message: speaker.said };
    const { agent } = speaker;
    Object.assign(speaker, { active: false, said: "", messageId: undefined });
    const at = { entry, time: this.#lastTime, closes: true };
    if (!agent) return this.#recorded("Stop", `stop-${idOf(entry)}`, said, at);
    const path = this.#source.agent ? { agent_transcript_path: this.#source.agent.path } : {};
    const fields = { ...agentFields(agent), ...path, ...said };
    return this.#recorded("SubagentStop", `agent-${agent.id}-${idOf(entry)}`, fields, at);
  }

  #prompt(entry: TranscriptEntry): RecordedEvent[] {
    if (this.#source.agent || entry.isSidechain) return [];
    const person = personText(entry, stripContext);
    if (person === undefined || person.kind === "expansion") return [];
    const before = this.#last ?? entry;
    this.#counted?.begin(idOf(entry));
    const promptId = entry.raw.promptId;
    const fields = {
      prompt: person.text,
      ...(typeof promptId === "string" && promptId !== "" && { prompt_id: promptId }),
    };
    return [
      ...this.#closePrompt(before),
      ...this.#start(entry),
      ...this.#recorded("UserPromptSubmit", `prompt-${idOf(entry)}`, fields, { entry }),
    ];
  }

  #tool(use: TranscriptToolUse, entry: TranscriptEntry, speaker: Speaker): RecordedEvent[] {
    const { result } = use;
    if (!result) return [];
    speaker.active = true;
    // Not every client's lines have the folder.
    const cwd = use.cwd ?? this.cwd();
    const ended = this.#of.outcome?.(cwd === undefined ? use : { ...use, cwd }) ?? outcome(result);
    const id = this.#counted?.next(use) ?? takeReported(this.#reported, use)?.id ?? use.id;
    const fields = {
      tool_name: use.name,
      tool_input: "input" in ended ? ended.input : use.input,
      tool_use_id: id,
      ...(speaker.agent && agentFields(speaker.agent)),
      ...outcomeFields(ended),
    };
    const name = "error" in fields ? "PostToolUseFailure" : "PostToolUse";
    const at = { entry, time: result.time ?? use.time, cwd: use.cwd };
    const found = this.#recorded(name, `tool-${id}`, fields, at);
    return [
      ...this.#start(entry),
      ...found.map((one) => ({ ...one, ...(id !== use.id && { use: use.id }) })),
    ];
  }
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

/** Hooks whose tool's end is not in the file. */
const mostReported = 100;

/** What a hook reported of this use; where another hook had changed its input, the newest of the same tool. */
function takeReported(
  reported: ReportedUse[],
  { name, input }: ReportedUse,
): ReportedUse | undefined {
  const exact = reported.findIndex(
    (one) => one.name === name && isDeepStrictEqual(one.input, input),
  );
  const at = exact >= 0 ? exact : reported.findLastIndex((one) => one.name === name);
  return at < 0 ? undefined : reported.splice(at, 1)[0];
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
  /** The id of a use that ends now. */
  next(use: Use): string;
  /** The id of one that will end, past those that are known to `isTaken`. */
  ahead(use: Use, isTaken: (id: string) => boolean): string;
}

/** Nothing is known yet of this session. */
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
