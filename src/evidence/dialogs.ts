// Dialogs and delegation as evidence: questions answered, plans accepted, tasks given to subagents with their reports, the list of things to do.
import type { Evidence } from "../sdk/turn.ts";
import { listField, recordOf, textField, textOf } from "../text/values.ts";
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
