// What happened in a turn, one thing after the other, whoever reported it: the form in which events and transcript lines meet, and the
// words by which the client tells of it in both.
import type { ClientEvent } from "../sdk/events.ts";
import { changingTools, readingTools, shellTools } from "../sdk/tool-names.ts";
import { isClientNote } from "../text/prose/plain.ts";
import { listField, recordOf, shorten, textField, textOf } from "../text/text.ts";
import { touchedSymbols } from "./symbols.ts";
import {
  aboutTool,
  answered,
  type DialogAnswer,
  type DialogPiece,
  symbolsLimit,
  type UsedTool,
} from "./tools.ts";

interface MomentBase {
  /** Epoch ms. */
  time: number;
  /** Of the transcript's line. */
  uuid?: string;
  requestId?: string;
  /** The subagent's id. */
  agent?: string;
}

/**
 * Words. `prompt`: what the turn begins with; `typed`: what the user typed later in it; `said`: the main agent's; `refused`:
 * the reason of a refusal; `choice`: what the user picked in a dialog that was left; `interrupted`: the user stopped the
 * agent; `compaction`: the client's summary; `report`: what a subagent said last; `ran`: what a command of the user's printed.
 */
export interface SpokenMoment extends MomentBase {
  what:
    | "prompt"
    | "typed"
    | "said"
    | "refused"
    | "choice"
    | "interrupted"
    | "compaction"
    | "report"
    | "ran";
  /** Empty for an interruption, and for a refusal without a reason. */
  text: string;
  /** The tool use that was refused or stopped, or that proposed a plan; the task that is reported on; the question; the command. */
  about?: string;
  toolUseId?: string;
  /** Characters of `text` that were left out already. */
  omitted?: number;
  /** Lines of one message bear the same. */
  messageId?: string;
  /** The client reported it as the end of the answer. */
  last?: boolean;
}

/** A tool was used. */
interface ToolMoment extends MomentBase {
  what: "tool";
  tool: UsedTool;
}

/** Where a tool use stands among what was said; what came of it its event says. */
interface UseMoment extends MomentBase {
  what: "use";
  toolUseId: string;
}

/** One thing that happened. */
export type Moment = SpokenMoment | ToolMoment | UseMoment;

// A prompt that is known, and how its line in the transcript differs from others, whatever capturing made of its text.

/** A prompt to be found again in the transcript. */
export interface PromptMark {
  number: number;
  /** As captured; empty for what came before any prompt. */
  text: string;
  /** Epoch ms. */
  time: number;
  promptId?: string;
}

/** How far a prompt's line and its hook, which runs first, are apart at most where their texts differ. */
const hookMs = 5_000;
/** The same where their texts are one: a prompt that was typed while the agent worked waits for its turn. */
const queuedMs = 60 * 60_000;

/** True when this is the prompt's line. */
export function isLineOf(
  mark: PromptMark,
  line: { text: string; time?: number | undefined; promptId: unknown },
): boolean {
  const { text, time, promptId } = line;
  if (typeof promptId === "string" && mark.promptId !== undefined)
    return promptId === mark.promptId;
  if (time === undefined) return isAlike(mark.text, text);
  const apart = Math.abs(time - mark.time);
  if (apart === 0) return true;
  if (apart > queuedMs) return false;
  return isAlike(mark.text, text) || (apart <= hookMs && sharesWords(mark.text, text));
}

/** Looked at of a text to tell whether it is another: a prompt may be of megabytes. */
const alikeChars = 400;

function isAlike(one: string, other: string): boolean {
  return wordsOf(one).join(" ") === wordsOf(other).join(" ");
}

/** Capturing took something out or put something in. */
function sharesWords(one: string, other: string): boolean {
  const [few, many] = [new Set(wordsOf(one)), new Set(wordsOf(other))].sort(
    (a, b) => a.size - b.size,
  );
  const shared = [...(few ?? [])].filter((word) => many?.has(word)).length;
  return shared * 2 >= (few?.size ?? 0);
}

function wordsOf(text: string): string[] {
  // Capturing may have taken the slash off a command.
  return text.trim().replace(/^\/+/, "").slice(0, alikeChars).split(/\s+/);
}

// Brings together what events and the transcript tell of one turn: each thing once, in the order of the transcript where it has one.

/** Moments of both, oldest first. A tool use counts only where an event tells it: what capture left out stays out. */
export function mergeMoments(
  reported: readonly Moment[],
  written: readonly Moment[] | undefined,
): Moment[] {
  if (!written) return [...reported].sort(byTime);
  const tools = new Map(
    reported.flatMap((one) => (one.what === "tool" ? [[one.tool.id, one]] : [])),
  );
  const merged: Moment[] = [];
  const rest = new Set(reported);
  for (const moment of written) {
    if (moment.what !== "use") {
      merged.push(moment);
      continue;
    }
    const tool = tools.get(moment.toolUseId);
    if (!tool || !rest.delete(tool)) continue;
    merged.push({ ...tool, time: moment.time, ...(moment.uuid && { uuid: moment.uuid }) });
  }
  for (const moment of rest) {
    if (moment.what === "tool" || moment.what === "use") merged.push(moment);
    else if (!mark(merged, moment)) merged.push(moment);
  }
  return merged.sort(byTime);
}

/** True when the transcript has these words too; it then says of them what only the event tells. */
function mark(merged: Moment[], reported: SpokenMoment): boolean {
  const at = merged.findLastIndex((one) => isSame(one, reported));
  const same = merged[at];
  if (!same || same.what === "tool" || same.what === "use") return false;
  // A prompt is taken as it was captured.
  if (reported.what === "prompt") merged[at] = { ...same, text: reported.text };
  else if (reported.last)
    merged[at] = { ...same, last: true, text: longer(same.text, reported.text) };
  return true;
}

function isSame(one: Moment, reported: SpokenMoment): boolean {
  if (one.what !== reported.what) return false;
  switch (reported.what) {
    case "prompt":
      return true;
    case "refused":
    case "interrupted":
      return one.toolUseId === reported.toolUseId;
    case "compaction":
      return plain(one.text).slice(0, 500) === plain(reported.text).slice(0, 500);
    default: {
      const [a, b] = [plain(one.text), plain(reported.text)];
      return a === b || (reported.last === true && (a.endsWith(b) || b.endsWith(a)));
    }
  }
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function byTime(one: Moment, other: Moment): number {
  return one.time - other.time;
}

// Takes what must not be kept out of a transcript's moments. Their texts were never captured: they go through the capture plugins.

/** Texts as they may be kept, in order; undefined when that failed, and nothing may be used. */
type ScrubAll = (texts: readonly string[]) => Promise<readonly string[] | undefined>;

/** A longer text is cut in the middle before it is scrubbed; no piece is that long. */
const longest = 256 * 1024;

/** The same moments with scrubbed texts, without those of which nothing is left; undefined when scrubbing failed. */
export async function scrubMoments(
  moments: readonly Moment[],
  scrub: ScrubAll,
): Promise<Moment[] | undefined> {
  const texts = [...new Set(moments.flatMap(textsOf))];
  const scrubbed = texts.length === 0 ? [] : await scrub(texts.map(bounded));
  if (!scrubbed || scrubbed.length !== texts.length) return undefined;
  const clean = new Map(texts.map((text, at) => [text, scrubbed[at] ?? ""]));
  return moments.flatMap((moment): Moment[] => {
    if (moment.what === "tool" || moment.what === "use") return [moment];
    const text = clean.get(moment.text) ?? "";
    if (moment.text !== "" && text.trim() === "" && moment.what !== "refused") return [];
    const { about: named, ...rest } = moment;
    const about = named === undefined ? undefined : clean.get(named);
    const omitted = Math.max(0, moment.text.length - longest);
    return [{ ...rest, text, ...(about && { about }), ...(omitted > 0 && { omitted }) }];
  });
}

function textsOf(moment: Moment): string[] {
  if (moment.what === "tool" || moment.what === "use") return [];
  return [moment.text, moment.about ?? ""].filter((text) => text !== "");
}

function bounded(text: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest / 2)}\n…\n${text.slice(-longest / 2)}`.toWellFormed();
}

// Captured events as moments: what hooks reported of a turn, and what was recovered from a transcript in their form.

/** What one event tells of its turn; nothing where it tells nothing. `relative` shortens paths. */
export function momentsOfEvent(event: ClientEvent, relative: (path: string) => string): Moment[] {
  if (event.withheld) return [];
  const base = { time: event.time, ...(event.agent && { agent: event.agent.id }) };
  const words = (what: SpokenMoment["what"], text: string | undefined): Moment[] =>
    text === undefined || text.trim() === "" || isClientNote(text)
      ? []
      : [{ ...base, what, text: text.trim() }];
  switch (event.name) {
    case "UserPromptSubmit": {
      const report = notificationText(event.prompt);
      return report === undefined ? words("prompt", event.prompt) : words("report", report);
    }
    case "PostToolUse":
      return [
        {
          ...base,
          what: "tool",
          tool: slimTool({ ...toolOf(event), response: event.toolResponse }),
        },
      ];
    case "PostToolUseFailure": {
      const tool = toolOf(event);
      const verdict =
        verdictOf(event.error, tool) ?? (event.isInterrupt ? stopOf(tool) : undefined);
      return verdict
        ? stopped(tool, verdict, relative).map((one) => ({ ...base, ...one }))
        : [{ ...base, what: "tool", tool: slimTool({ ...tool, error: event.error }) }];
    }
    // The only event that a tool use has which was refused before it ran; all others have reported theirs.
    case "PostToolBatch":
      return event.toolCalls.flatMap((call) => {
        const tool = toolOf(call);
        const verdict = verdictOf(textOf(call.toolResponse), tool);
        return verdict ? stopped(tool, verdict, relative).map((one) => ({ ...base, ...one })) : [];
      });
    case "Stop":
      return words("said", event.lastAssistantMessage).map((said) => ({ ...said, last: true }));
    case "SubagentStop":
      return isCompacting(event.agent) ? [] : words("report", event.lastAssistantMessage);
    case "PostCompact":
      return words("compaction", compactionText(event.compactSummary ?? ""));
    default:
      return [];
  }
}

type Stopped = Pick<SpokenMoment, "what" | "text" | "about" | "toolUseId">;

/** What a tool use leaves that did not run or was stopped; nothing where a plan was proposed that stands in a file. */
export function stopped(
  tool: UsedTool | undefined,
  verdict: Verdict,
  relative: (path: string) => string,
): Stopped[] {
  const of = tool && { about: aboutTool(tool, relative), toolUseId: tool.id };
  switch (verdict.kind) {
    case "skipped":
      return [];
    case "proposed": {
      const by = tool && { about: tool.name, toolUseId: tool.id };
      return verdict.plan === "" ? [] : [{ what: "said", text: verdict.plan, ...by }];
    }
    case "interrupted":
      return [{ what: "interrupted", text: "", ...of }];
    case "refused": {
      const questions = listField(tool?.input, "questions");
      const said = (verdict.answers ?? []).flatMap((one): DialogPiece[] =>
        answered(one, questions),
      );
      return [
        ...said.map(({ kind, ...piece }) => ({
          what: kind,
          ...piece,
          ...(tool && { toolUseId: tool.id }),
        })),
        { what: "refused", text: verdict.reason, ...of },
      ];
    }
  }
}

/** The client tells its own summarizing as a subagent; its words are the compaction's. */
function isCompacting(agent: ClientEvent["agent"]): boolean {
  return agent?.type === "" || agent?.id.startsWith("acompact") === true;
}

function toolOf(event: { toolUseId: string; toolName: string; toolInput: unknown }): UsedTool {
  return { id: event.toolUseId, name: event.toolName, input: event.toolInput };
}

// A tool use without what no evidence is made of: whole files before and after a change, what was read, endless output.

/** More than is kept of an output, so that it can be shortened with care. */
const outputLimit = 16_000;

/** The same tool use, small: a turn of many hours fits into memory. */
export function slimTool(tool: UsedTool): UsedTool {
  const { id, name, input, response, error } = tool;
  if (changingTools.has(name) || readingTools.has(name)) {
    const path = textField(input, "file_path", "notebook_path") || textField(response, "filePath");
    const symbols = changingTools.has(name) && touchedSymbols(response, path, symbolsLimit);
    return {
      ...failed({ id, name, input: { file_path: path } }, error),
      ...(symbols && { symbols }),
    };
  }
  if (!shellTools.has(name)) return error === undefined ? tool : failed({ id, name, input }, error);
  const command = textField(input, "command");
  const slim = { id, name, input: { command, description: textField(input, "description") } };
  return error === undefined ? ran(slim, response) : failed(slim, error);
}

function failed(tool: UsedTool, error: string | undefined): UsedTool {
  if (error === undefined) return tool;
  const { text, leftOut } = shorten(error, outputLimit, true);
  return { ...tool, error: text, ...(leftOut > 0 && { omitted: leftOut }) };
}

function ran(tool: UsedTool, response: unknown): UsedTool {
  if (Array.isArray(response)) return { ...tool, response };
  const { backgroundTaskId } = recordOf(response);
  const whole =
    typeof response === "string"
      ? response
      : [textField(response, "stdout"), textField(response, "stderr")].filter(Boolean).join("\n");
  const { text, leftOut } = shorten(whole, outputLimit, true);
  return {
    ...tool,
    response: { stdout: text, ...(backgroundTaskId !== undefined && { backgroundTaskId }) },
    ...(leftOut > 0 && { omitted: leftOut }),
  };
}

// What the client itself writes where a user or a tool would speak: refusals, interruptions, notifications, compactions. Measured on its own texts.

/** What a failed tool result says of the user's will. */
type Verdict =
  /** Refused; the reason as typed, empty without one, and what was answered of a dialog that was left. */
  | { kind: "refused"; reason: string; answers?: readonly DialogAnswer[] }
  /** Stopped by Esc while it ran. */
  | { kind: "interrupted" }
  /**
   * A plan that was turned down without a word: the client says the same of one that was accepted to be carried out in a fresh
   * session. What the agent proposed is what the turn came to.
   */
  | { kind: "proposed"; plan: string }
  /** It never ran, and nobody refused it. */
  | { kind: "skipped" };

const refusal =
  /^(?:Error: )?(?:The user doesn't want to (?:proceed with this tool use|take this action right now)|Permission for this tool use was denied\b.*?(?:the user said:|The user said:))/is;
const reasonFollows = /\b(?:to tell you how to proceed, )?the user said:\n/i;
const rejectedPlan =
  /^(?:Error: )?The agent proposed a plan that was rejected by the user\.[\s\S]*?Rejected plan:\n/;
/** Appended by the client to what the user typed. */
const clientNote =
  /\n\nNote: The user's next message may contain a correction or preference\.[\s\S]*$/;
/** A dialog that was left for words of one's own, or for having said enough: the client's words, then what was answered. */
const leftDialog =
  /^The user (?:wants to clarify these questions|has indicated they have provided enough answers)/;
const dialogAnswer =
  /^- "(.*)"\n(?:\s+Answer: (.*(?:\n(?!- "| {2}User notes: ).*)*)|\s+\(No answer provided\))?(?:\n\s+User notes: (.*(?:\n(?!- ").*)*))?/gm;
const skipped = /^(?:Error: )?\[Tool call skipped: /;
const interruption = /^(?:Error: )?\[Request interrupted by user(?: for tool use)?\]/;

/**
 * What the text of a tool's failed result says; undefined when the tool itself failed. A tool that Esc stopped bears the
 * words of one that was refused in its dialog: `hadBegun` is what the client says of it beside them.
 */
export function verdictOf(
  text: string,
  tool?: Pick<UsedTool, "name" | "input">,
  hadBegun = false,
): Verdict | undefined {
  if (skipped.test(text)) return { kind: "skipped" };
  if (interruption.test(text)) return { kind: "interrupted" };
  if (rejectedPlan.test(text)) return { kind: "refused", reason: "" };
  if (!refusal.test(text)) return undefined;
  const found = reasonFollows.exec(text);
  const typed = found ? text.slice(found.index + found[0].length) : "";
  const reason = typed.replace(clientNote, "").trim();
  if (leftDialog.test(reason)) return { kind: "refused", reason: "", answers: answersIn(reason) };
  const isProposed = tool?.name === "ExitPlanMode";
  return reason === "" && (hadBegun || isProposed) ? stopOf(tool) : { kind: "refused", reason };
}

function answersIn(text: string): DialogAnswer[] {
  return [...text.matchAll(dialogAnswer)].map(([, question = "", answer = "", note = ""]) => ({
    question,
    answer: answer.trim(),
    note: note.trim(),
  }));
}

/** A tool that was stopped without a word. */
function stopOf(tool?: Pick<UsedTool, "name" | "input">): Verdict {
  return tool?.name === "ExitPlanMode"
    ? { kind: "proposed", plan: textField(tool.input, "plan").trim() }
    : { kind: "interrupted" };
}

/** True when the line of a tool result says that the user stopped the tool after it had begun. */
export function saysHadBegun(line: Record<string, unknown> | undefined): boolean {
  return line?.toolDenialKind === "user-rejected" && line.toolDenialBeforeRun !== true;
}

/** True for the line that the client writes in the user's place when they press Esc. */
export function isInterruption(text: string): boolean {
  return interruption.test(text.trim());
}

const notification = /^\s*<((?:task|agent)-notification)>([\s\S]*?)(?:<\/\1>|$)/;

/** What a background task reports in the user's place; undefined for any other text. */
export function notificationText(text: string): string | undefined {
  const body = notification.exec(text)?.[2];
  if (body === undefined) return undefined;
  for (const tag of ["result", "summary"]) {
    const found = new RegExp(`<${tag}>([\\s\\S]*?)(?:</${tag}>|$)`).exec(body)?.[1]?.trim();
    if (found) return found;
  }
  return body.replace(/<[^>\n]{1,60}>/g, " ").trim();
}

const continued =
  /^This session is being continued from a previous conversation[^\n]*?(?:\n+|(?<=below:|summarized below:)\s*)/;
const goOn =
  /\n+(?:Please continue the conversation from where we left it off|If you need specific details from before compaction)[\s\S]*$/;

/** What newer clients put before the summary itself. */
const preamble = /^<system-reminder>[\s\S]*?<\/system-reminder>\s*/;
const heading = /^Summary:\s*\n/;
/** What the model thinks aloud before it: reported by the hook, not written into the transcript. */
const analysis = /^<analysis>[\s\S]*?<\/analysis>\s*(?=<summary>)/;

/** A compaction's summary without what the client says around it. */
export function compactionText(text: string): string {
  return text
    .trim()
    .replace(continued, "")
    .replace(goOn, "")
    .replace(preamble, "")
    .replace(heading, "")
    .replace(analysis, "")
    .replace(/^<summary>\n?|\n?<\/summary>$/g, "")
    .trim();
}

const ownCommand = /^\s*<bash-input>([\s\S]*?)<\/bash-input>\s*$/;
const ownOutput = /<bash-std(?:out|err)>([\s\S]*?)<\/bash-std(?:out|err)>/g;

/** The command line that the user had the client run, by `!`; undefined for any other text. */
export function ownCommandIn(text: string): string | undefined {
  return ownCommand.exec(text)?.[1]?.trim();
}

/** What it printed, as the client writes it below the command. */
export function ownOutputIn(text: string): string | undefined {
  if (!/^\s*<bash-std/.test(text)) return undefined;
  return [...text.matchAll(ownOutput)]
    .map(([, printed = ""]) => printed.trim())
    .filter(Boolean)
    .join("\n");
}
