// Dialogs and delegation as evidence: questions answered, plans accepted, tasks given to subagents with their reports, the list of things to do.
import type { Evidence } from "../sdk/turn.ts";
import { listField, recordOf, textField, textOf } from "../text/text.ts";
import type { UsedTool } from "./moment.ts";

type Piece = Pick<Evidence, "kind" | "text" | "about">;

/** The user's answers to the agent's questions; about: the question and what else was on offer. */
export function choices({ name, input, response, error }: UsedTool): Piece[] {
  if (name !== "AskUserQuestion" || error !== undefined) return [];
  const questions = [...listField(response, "questions"), ...listField(input, "questions")];
  const notes = recordOf(recordOf(response).annotations);
  const answers = Object.entries(recordOf(recordOf(response).answers));
  if (answers.length === 0 && typeof response === "string")
    return [{ kind: "choice", text: response }];
  return answers.flatMap(([question, answer]): Piece[] => {
    const asked = questions.find((one) => textField(one, "question") === question);
    const offered = listField(asked, "options")
      .map((option) => textField(option, "label"))
      .filter(Boolean);
    const chosen = Array.isArray(answer) ? answer.join(", ") : String(answer);
    const note = textField(notes[question], "notes");
    return [
      {
        kind: "choice",
        text: note === "" ? chosen : `${chosen}\n${note}`,
        about: offered.length === 0 ? question : `${question} (${offered.join(" | ")})`,
      },
    ];
  });
}

const approved = /##+ Approved Plan[^\n]*:\n/;

/** A plan that the user accepted. */
export function plan({ name, input, response, error }: UsedTool): Piece[] {
  if (name !== "ExitPlanMode" || error !== undefined) return [];
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
  /** Refused; the reason as typed, empty without one. */
  | { kind: "refused"; reason: string }
  /** Stopped by Esc while it ran. */
  | { kind: "interrupted" };

const refusal =
  /^(?:Error: )?(?:The user doesn't want to (?:proceed with this tool use|take this action right now)|Permission for this tool use was denied\b.*?(?:the user said:|The user said:))/is;
const reasonFollows = /\b(?:to tell you how to proceed, )?the user said:\n/i;
const rejectedPlan =
  /^(?:Error: )?The agent proposed a plan that was rejected by the user\.[\s\S]*?Rejected plan:\n/;
/** Appended by the client to what the user typed. */
const clientNote =
  /\n\nNote: The user's next message may contain a correction or preference\.[\s\S]*$/;
const interruption = /^(?:Error: )?\[Request interrupted by user(?: for tool use)?\]/;

/**
 * What the text of a failed tool result says; undefined when the tool itself failed. A tool that Esc stopped bears the
 * words of one that was refused in its dialog: `hadBegun` is what the client says of it beside them.
 */
export function verdictOf(text: string, hadBegun = false): Verdict | undefined {
  if (interruption.test(text)) return { kind: "interrupted" };
  if (rejectedPlan.test(text)) return { kind: "refused", reason: "" };
  if (!refusal.test(text)) return undefined;
  const found = reasonFollows.exec(text);
  const typed = found ? text.slice(found.index + found[0].length) : "";
  const reason = typed.replace(clientNote, "").trim();
  return reason === "" && hadBegun ? { kind: "interrupted" } : { kind: "refused", reason };
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
/** What the model thinks aloud before it: told by the hook, not written into the transcript. */
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
