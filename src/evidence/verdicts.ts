// What the client itself writes where a user or a tool would speak: refusals, interruptions, notifications, compactions. Measured on its own texts.
import { textField } from "../text/text.ts";
import type { UsedTool } from "./tools.ts";

/** What a failed tool result says of the user's will. */
export type Verdict =
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

/** An answer in a dialog that the client tells in words. */
export interface DialogAnswer {
  question: string;
  /** Picked or typed; "" without. */
  answer: string;
  /** Typed beside it. */
  note: string;
}

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
export function stopOf(tool?: Pick<UsedTool, "name" | "input">): Verdict {
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
