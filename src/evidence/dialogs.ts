// Dialogs and delegation as evidence: questions answered, plans accepted, tasks given to subagents with their reports, the list of things to do.
import type { Evidence } from "../sdk/turn.ts";
import { listField, recordOf, textField, textOf } from "../text/text.ts";
import type { UsedTool } from "./tools.ts";
import type { DialogAnswer } from "./verdicts.ts";

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
