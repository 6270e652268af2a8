// Dialogs and delegation as evidence: questions answered, plans accepted, tasks given to subagents with their reports, the list of
// things to do; and what the client itself says of them in words.
import type { Evidence } from "../sdk/turn.ts";
import { listField, recordOf, textField, textOf } from "../text/text.ts";
import type { UsedTool } from "./tools.ts";

type Piece = Pick<Evidence, "kind" | "text" | "about">;

/** What a dialog leaves: what was picked of what was on offer is a choice, what was typed is the person's own word. */
export interface DialogPiece {
  kind: "choice" | "typed";
  text: string;
  /** The question, and what was on offer. */
  about: string;
}

/** The client's mark for a question that has a note for its answer. */
const notesOnly = "(notes only)";

/** The user's answers to the agent's questions. */
export function choices({ name, input, response, error }: UsedTool): Piece[] {
  if (name !== "AskUserQuestion" || error !== undefined) return [];
  const questions = [...listField(response, "questions"), ...listField(input, "questions")];
  const notes = recordOf(recordOf(response).annotations);
  const answers = Object.entries(recordOf(recordOf(response).answers));
  // Older clients tell it in one text.
  if (answers.length === 0 && typeof response === "string")
    return [{ kind: "choice", text: response }];
  const said = textField(response, "response").trim();
  const asked = textField(questions[0], "question");
  return [
    ...answers.flatMap(([question, answer]) =>
      answered({ question, answer, note: textField(notes[question], "notes") }, questions),
    ),
    ...(said === "" ? [] : [{ kind: "typed" as const, text: said, about: asked }]),
  ];
}

/** One answer; `questions` say what was on offer. */
export function answered(
  { question, answer, note }: Omit<DialogAnswer, "answer"> & { answer: unknown },
  questions: readonly unknown[],
): DialogPiece[] {
  const asked = questions.find((one) => textField(one, "question") === question);
  const offered = listField(asked, "options")
    .map((option) => textField(option, "label"))
    .filter(Boolean);
  const about = offered.length === 0 ? question : `${question} (${offered.join(" | ")})`;
  const { picked, typed } = pickedOf(answer, offered);
  const own = [typed, note].filter((text) => text.trim() !== "").join("\n");
  return [
    ...(picked === "" ? [] : [{ kind: "choice" as const, text: picked, about }]),
    ...(own === "" ? [] : [{ kind: "typed" as const, text: own, about }]),
  ];
}

/** What was picked and what was typed instead of it or beside it; all of it was picked where nothing is known to be on offer. */
function pickedOf(answer: unknown, offered: readonly string[]): { picked: string; typed: string } {
  if (Array.isArray(answer)) {
    const [own, known] = [true, false].map((isOwn) =>
      answer.filter((one) => isOwn !== offered.includes(String(one))).join(", "),
    );
    return offered.length === 0
      ? { picked: answer.join(", "), typed: "" }
      : { picked: known ?? "", typed: own ?? "" };
  }
  const whole = String(answer).trim();
  if (whole === notesOnly) return { picked: "", typed: "" };
  if (offered.length === 0 || offered.includes(whole)) return { picked: whole, typed: "" };
  // Several are joined by commas, and a label may hold one.
  let typed = whole;
  const picked = offered.filter((label) => {
    const at = `, ${typed}, `.indexOf(`, ${label}, `);
    if (at < 0) return false;
    typed = [typed.slice(0, Math.max(0, at - 2)), typed.slice(at + label.length + 2)]
      .filter((part) => part !== "")
      .join(", ");
    return true;
  });
  return { picked: picked.join(", "), typed };
}

const approved = /##+ Approved Plan[^\n]*:\n/;

/** A plan that the user accepted; a team's lead, who is an agent, is none. */
export function plan({ name, input, response, error }: UsedTool): Piece[] {
  if (name !== "ExitPlanMode" || error !== undefined) return [];
  if (recordOf(response).awaitingLeaderApproval === true) return [];
  // As it was accepted: the user may have edited it.
  const shown = textOf(response);
  const heading = approved.exec(shown);
  const text =
    textField(response, "plan") ||
    (heading ? shown.slice(heading.index + heading[0].length) : textField(input, "plan"));
  return text.trim() === "" ? [] : [{ kind: "plan", text }];
}

/** What a subagent was asked, and what it answered when it was waited for. */
export function subagent({ name, input, response, error }: UsedTool): Piece[] {
  if (name !== "Task" && name !== "Agent") return [];
  const about = textField(input, "description");
  const asked = textField(input, "prompt");
  const content = recordOf(response).content;
  const said = error === undefined ? textOf(content ?? response).trim() : "";
  const named = about === "" ? {} : { about };
  return [
    ...(asked === "" ? [] : [{ kind: "task" as const, text: asked, ...named }]),
    ...(said === "" ? [] : [{ kind: "report" as const, text: said, ...named }]),
  ];
}

interface Todo {
  text: string;
  done: boolean;
}

/** The agent's list of things to do as it stood last; reads both of the client's forms, the whole list at once and tasks one by one. */
export function readTodos() {
  let list = new Map<string, Todo>();
  let changedAt = 0;
  const isDone = (value: unknown) => textField(value, "status") === "completed";
  return {
    add({ name, input, response, error }: UsedTool, time: number): void {
      if (error !== undefined) return;
      if (name === "TodoWrite")
        list = new Map(
          listField(input, "todos").map((todo, at) => [
            String(at),
            { text: textField(todo, "content"), done: isDone(todo) },
          ]),
        );
      else if (name === "TaskCreate") {
        const id = textField(recordOf(response).task, "id") || String(list.size + 1);
        list.set(id, { text: textField(input, "subject"), done: false });
      } else if (name === "TaskUpdate") {
        const id = textField(input, "taskId", "task_id");
        const known = list.get(id);
        if (textField(input, "status") === "deleted") list.delete(id);
        else if (known && textField(input, "status") !== "") known.done = isDone(input);
      } else return;
      changedAt = time;
    },
    piece(): Evidence | undefined {
      const lines = [...list.values()]
        .filter(({ text }) => text !== "")
        .map(({ text, done }) => `- [${done ? "x" : " "}] ${text}`);
      if (lines.length === 0) return undefined;
      return { kind: "todo", text: lines.join("\n"), time: changedAt };
    },
  };
}

// What the client itself writes where a user or a tool would speak: refusals, interruptions, notifications, compactions. Measured on its own texts.

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
interface DialogAnswer {
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
