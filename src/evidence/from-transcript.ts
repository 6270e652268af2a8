// Transcript entries as moments, each in the turn it belongs to: what no hook reports.
import { stripContext } from "../privacy/marker.ts";
import { handedPlan } from "../text/prose/plain.ts";
import type {
  AssistantEntry,
  BrokenLine,
  OtherEntry,
  ToolResultBlock,
  TranscriptEntry,
  UserEntry,
} from "../transcript/entry.ts";
import { personText, textOfContent } from "../transcript/parse-entry.ts";
import {
  compactionText,
  isInterruption,
  isLineOf,
  type Moment,
  notificationText,
  ownCommandIn,
  ownOutputIn,
  type PromptMark,
  type SpokenMoment,
  saysHadBegun,
  stopped,
  verdictOf,
} from "./moment.ts";
import { aboutTool, type UsedTool } from "./tools.ts";

/** Reads a session's own transcript, forwards. */
export type TurnReader = ReturnType<typeof createTurnReader>;

/** A moment; `mark` where it is the line of a prompt that is known. */
interface Written {
  moment: Moment;
  mark?: PromptMark;
}

/** What is known of a file so far. */
interface Reading {
  written: Written[];
  /** Tool uses without a result yet. */
  open: Map<string, UsedTool>;
  queue: Queue;
  /** Prompts whose lines were not met. */
  missing: Set<PromptMark>;
  time: number;
  /** A plan was turned down without a word, and nothing came since. */
  hasProposed: boolean;
  /** A command that the user ran, whose output comes next. */
  ownCommand?: string | undefined;
  relative: (path: string) => string;
}

/** `marks` in the order of the file. `relative` shortens paths. */
export function createTurnReader(marks: readonly PromptMark[], relative: (path: string) => string) {
  const missing = new Set(marks.filter(({ text }) => text !== ""));
  const queue: Queue = { unmet: [], waiting: [] };
  const reading: Reading = {
    written: [],
    open: new Map(),
    queue,
    missing,
    time: 0,
    hasProposed: false,
    relative,
  };
  return {
    add(entry: TranscriptEntry | BrokenLine): void {
      if (entry.kind === "broken" || entry.isSidechain || entry.type === "progress") return;
      if (entry.time !== undefined) reading.time = entry.time;
      if (entry.kind === "assistant") takeAssistant(reading, entry);
      else if (entry.kind === "user") takeUser(reading, entry);
      else if (entry.type === "attachment") takePerson(reading, entry);
      else if (entry.kind === "other" && entry.type === "queue-operation")
        takeQueue(reading, entry);
    },
    /** Behind the last line that was added: what was queued and became a prompt of its own there is none of the turn before. */
    ahead(entry: TranscriptEntry | BrokenLine): void {
      const person = entry.kind === "user" ? personText(entry, stripContext) : undefined;
      if (person?.kind === "said") forgetQueued(reading, person.text);
    },
    /** True while something queued was not met as a line of its own. */
    queues: (): boolean => queue.unmet.length > 0,
    /** Moments by prompt number, in file order. */
    moments: () => assignTurns(marks, reading.written),
    /** True once the line of this prompt was met. */
    met: (number: number): boolean =>
      marks.some((one) => one.number === number && !missing.has(one)),
  };
}

function put(
  { written, time }: Reading,
  entry: TranscriptEntry,
  moment: Omit<SpokenMoment, "time">,
): Written {
  const made: Written = { moment: { ...moment, ...whereOf(entry), time } };
  written.push(made);
  return made;
}

function takePerson(reading: Reading, entry: TranscriptEntry): boolean {
  const { missing } = reading;
  const person = personText(entry, stripContext);
  if (person?.kind !== "said" && person?.kind !== "command") return false;
  const promptId = entry.raw?.promptId;
  const line = { text: person.text, time: entry.time, promptId };
  const mark = [...missing].find((one) => isLineOf(one, line));
  // A command that no hook reported asked nothing of the agent: the client has done it itself.
  if (!mark && person.kind === "command") return true;
  if (!mark) forgetQueued(reading, person.text);
  const made = put(reading, entry, { what: mark ? "prompt" : "typed", text: person.text });
  if (mark) {
    made.mark = mark;
    missing.delete(mark);
  }
  return true;
}

function takeUser(reading: Reading, entry: UserEntry): void {
  if (entry.isCompactSummary) {
    const texts = entry.blocks.flatMap((block) => (block.type === "text" ? block.text : []));
    const text = compactionText(stripContext(texts.join("\n")));
    if (text !== "") put(reading, entry, { what: "compaction", text });
    return;
  }
  if (entry.isMeta || takePerson(reading, entry)) return;
  const beside = entry.blocks.some(({ type }) => type === "tool_result");
  for (const block of entry.blocks) {
    if (block.type === "tool_result") takeResult(reading, entry, block);
    else if (block.type === "text") takeText(reading, entry, block.text, beside);
  }
}

function takeResult(
  reading: Reading,
  entry: UserEntry | AssistantEntry,
  { toolUseId, content, isError }: ToolResultBlock,
): void {
  const { open, relative } = reading;
  const tool = open.get(toolUseId);
  open.delete(toolUseId);
  const verdict = isError
    ? verdictOf(textOfContent(content), tool, saysHadBegun(entry.raw))
    : undefined;
  if (!verdict) return;
  if (verdict.kind === "proposed") reading.hasProposed = true;
  for (const moment of stopped(tool, verdict, relative)) {
    const text = stripContext(moment.text);
    if (text !== "" || moment.text === "") put(reading, entry, { ...moment, text, toolUseId });
  }
}

/** What stands in the user's place and is no prompt. */
function takeText(reading: Reading, entry: UserEntry, text: string, besideResult: boolean): void {
  const { open, relative } = reading;
  const report = notificationText(text);
  const command = reading.ownCommand;
  const output = command === undefined ? undefined : ownOutputIn(text);
  reading.ownCommand = ownCommandIn(text);
  if (command !== undefined && output !== undefined)
    put(reading, entry, { what: "ran", text: stripContext(output), about: command });
  else if (report) put(reading, entry, { what: "report", text: stripContext(report) });
  // The client's word for what became of the proposal, whatever that was.
  else if (isInterruption(text) && reading.hasProposed) reading.hasProposed = false;
  else if (isInterruption(text)) {
    const running = [...open.values()].at(-1);
    const about = running && { about: aboutTool(running, relative), toolUseId: running.id };
    put(reading, entry, { what: "interrupted", text: "", ...about });
    open.clear();
  } else if (besideResult) {
    const typed = personText({ ...entry, blocks: [{ type: "text", text }] }, stripContext);
    if (typed?.kind === "said") put(reading, entry, { what: "typed", text: typed.text });
  }
}

function takeAssistant(reading: Reading, entry: AssistantEntry): void {
  if (entry.isApiError || entry.model === "<synthetic>") return;
  const { open, written, time } = reading;
  reading.hasProposed = false;
  reading.ownCommand = undefined;
  const { messageId, requestId } = entry;
  const from = { ...(messageId && { messageId }), ...(requestId && { requestId }) };
  for (const block of entry.blocks) {
    if (block.type === "text" && block.text.trim() !== "")
      put(reading, entry, { what: "said", text: stripContext(block.text).trim(), ...from });
    else if (block.type === "tool_use" && !open.has(block.id)) {
      open.set(block.id, { id: block.id, name: block.name, input: block.input });
      const use = { what: "use" as const, toolUseId: block.id, time, ...whereOf(entry) };
      written.push({ moment: use });
    } else if (block.type === "tool_result") takeResult(reading, entry, block);
  }
}

// What was typed while the agent worked. Older clients write it down as a queue only, and hand it over unseen.

interface Queue {
  /** Put down where it was typed, until it is met as a line of its own. */
  unmet: Written[];
  /** What waits for the agent; undefined for what asks nothing of it. */
  waiting: Array<Written | undefined>;
}

/** `/exit`, `/mcp`: the client does these itself. */
const isCommand = /^\s*\/[\w:-]+(?:\s|$)/;

function takeQueue(reading: Reading, entry: OtherEntry): void {
  const { waiting } = reading.queue;
  const { operation, content } = entry.raw ?? {};
  if (operation === "enqueue") waiting.push(queuedWords(reading, entry, content));
  // Taken back to be edited: it was never said.
  else if (operation === "popAll") for (const one of waiting.splice(0)) forget(reading, one);
  else waiting.shift();
}

function queuedWords(reading: Reading, entry: OtherEntry, content: unknown): Written | undefined {
  if (typeof content !== "string" || isCommand.test(content)) return undefined;
  const typed = personText(userEntry(entry, content), stripContext);
  if (typed?.kind !== "said") return undefined;
  // It became a prompt of its own, whose line may not be written yet.
  const line = { text: typed.text, time: entry.time, promptId: undefined };
  if ([...reading.missing].some((one) => isLineOf(one, line))) return undefined;
  const made = put(reading, entry, { what: "typed", text: typed.text });
  reading.queue.unmet.push(made);
  return made;
}

/** A queued text as the user's line that it would have been. */
function userEntry(entry: OtherEntry, text: string): UserEntry {
  const blocks = [{ type: "text" as const, text }];
  return {
    ...entry,
    kind: "user",
    blocks,
    isCompactSummary: false,
  };
}

function forget({ written }: Reading, one: Written | undefined): void {
  const at = one ? written.indexOf(one) : -1;
  if (at >= 0) written.splice(at, 1);
}

/** It was handed over as a line of its own too. */
function forgetQueued(reading: Reading, text: string): void {
  const { unmet } = reading.queue;
  const at = unmet.findIndex(({ moment }) => moment.what === "typed" && moment.text === text);
  const [same] = at < 0 ? [] : unmet.splice(at, 1);
  forget(reading, same);
}

/**
 * Between two prompts whose lines were found, moments belong to the first; of a prompt whose line was not found, what
 * was written from its time on until the next. Nothing belongs to what stands before all of them; of what came before any
 * prompt, the plan that the session was begun with, which no hook reports.
 */
function assignTurns(
  marks: readonly PromptMark[],
  written: readonly Written[],
): Map<number, Moment[]> {
  const turns = new Map<number, Moment[]>();
  const found = new Set(written.flatMap(({ mark }) => mark ?? []));
  let current: PromptMark | undefined;
  let unseen = unseenAfter(marks, current, found);
  for (const { moment, mark } of written) {
    if (mark) {
      current = mark;
      unseen = unseenAfter(marks, current, found);
    }
    for (let next = unseen[0]; next && moment.time >= next.time; next = unseen[0]) {
      current = next;
      unseen.shift();
    }
    if (beginsWithPlan(moment, marks[0])) current ??= marks[0];
    if (!current) continue;
    const own = turns.get(current.number);
    if (own) own.push(moment);
    else turns.set(current.number, [moment]);
  }
  return turns;
}

/** The agent may think so long about a plan before it does anything. */
const planMs = 60 * 60_000;

function beginsWithPlan(moment: Moment, mark: PromptMark | undefined): boolean {
  return (
    mark?.number === 0 &&
    moment.what === "typed" &&
    mark.time - moment.time < planMs &&
    handedPlan(moment.text) !== undefined
  );
}

/** The prompts after this one whose lines are not in the file, up to the next that is. */
function unseenAfter(
  marks: readonly PromptMark[],
  mark: PromptMark | undefined,
  found: ReadonlySet<PromptMark>,
): PromptMark[] {
  const rest = marks.slice(mark ? marks.indexOf(mark) + 1 : 0);
  const next = rest.findIndex((one) => found.has(one));
  return next < 0 ? rest : rest.slice(0, next);
}

function whereOf({ uuid }: TranscriptEntry): { uuid?: string } {
  return uuid === undefined ? {} : { uuid };
}
