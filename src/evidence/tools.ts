// What tool uses leave as evidence: what failed, what repaired it, what passed, what was committed, what was answered, planned and
// delegated, and which files were touched.
import { changingTools, lookingTools, readingTools, shellTools } from "../sdk/tool-names.ts";
import type { Evidence, TouchedFile } from "../sdk/turn.ts";
import { isClientFile, pathBelow } from "../text/paths.ts";
import { commandKey } from "../text/prose/plain.ts";
import { listField, recordOf, shorten, textField, textOf } from "../text/text.ts";
import {
  commits,
  hidesExit,
  hidesPart,
  publications,
  published,
  runVerdict,
} from "./command-line.ts";
import { touchedSymbols } from "./symbols.ts";

/** A tool use with what is known of it. */
export interface UsedTool {
  id: string;
  name: string;
  input: unknown;
  /** The tool's structured result; absent when it failed. */
  response?: unknown;
  /** The failure's own text; present exactly when it failed. */
  error?: string;
  /** What a change touched, once its response was read for it. */
  symbols?: readonly string[];
  /** Characters of output or error that were left out already. */
  omitted?: number;
}

/** Files of a turn, and symbols of a file. */
export const filesLimit = 500;
export const symbolsLimit = 40;

// A tool use in a line: its command, or its name and what it was pointed at.

const targets = [
  "file_path",
  "notebook_path",
  "path",
  "description",
  "subject",
  "url",
  "query",
  "pattern",
  "skill",
  "task_id",
  "plan",
];

/** The command line of a shell; else the tool's name and its target. `relative` shortens paths. */
export function aboutTool({ name, input }: UsedTool, relative: (path: string) => string): string {
  if (shellTools.has(name)) return textField(input, "command").trim();
  const questions = listField(input, "questions").map((one) => textField(one, "question"));
  const field = targets.find((target) => textField(input, target) !== "");
  if (questions.length > 0) return `${name}: ${questions.join(" ")}`;
  if (field?.endsWith("path")) return `${name} ${relative(textField(input, field))}`;
  if (field !== undefined) return `${name}: ${textField(input, field)}`;
  const plain = Object.entries(recordOf(input)).flatMap(([key, value]) =>
    typeof value === "string" || typeof value === "number" ? [`${key}=${value}`] : [],
  );
  return [name, ...plain].join(" ");
}

type Piece = Pick<Evidence, "kind" | "text" | "about" | "described">;

/** Kept elsewhere: as files, choices, plans, reports and lists. */
const keptElsewhere: ReadonlySet<string> = new Set([
  ...changingTools,
  ...lookingTools,
  ...["AskUserQuestion", "ExitPlanMode", "EnterPlanMode", "Task", "Agent"],
  ...["TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate"],
]);

/** `mcp__github__create_pull_request`: a server's tool that publishes what it is given a title for. */
const publishingTool = /create_(?:pull|merge)_request|create_release/;

/** A command that failed and did not pass since. */
interface Failed {
  text: string;
  /** How many changes had been made by then. */
  changes: number;
  /** What it failed with before, and the files that were changed until that was gone. */
  before: ReadonlyArray<{ text: string; files: string[] }>;
}

/** A repair stands behind its failure: what failed is kept short. */
const failureLimit = 600;
const failedAtOnce = 200;
const filesNamed = 20;
const failuresBefore = 10;

/** `changes`: paths of changed files, growing. `relative` shortens paths. Long because what failed before is known to all of its parts. */
export function commandEvidence(
  relative: (path: string) => string,
  changes: readonly string[],
): { add(tool: UsedTool): Piece[] } {
  const failed = new Map<string, Failed>();
  const isElsewhere = (folder: string) => isAnothers(relative(folder), changes);

  function fail(key: string, text: string): void {
    const last = failed.get(key);
    const files = last ? changedSince(last) : [];
    const gone = last && files.length > 0 && isGone(last.text, text);
    const before = [...(last?.before ?? []), ...(gone ? [{ text: last.text, files }] : [])];
    failed.set(key, { text, changes: changes.length, before: before.slice(-failuresBefore) });
    if (failed.size > failedAtOnce) failed.delete(failed.keys().next().value ?? "");
  }

  function changedSince(one: Failed): string[] {
    return [...new Set(changes.slice(one.changes))];
  }

  /** What was changed between a command's failure and its passing; of several failures, until each was gone. */
  function repairOf(key: string, about: string): Piece[] {
    const last = failed.get(key);
    failed.delete(key);
    if (!last) return [];
    return [...last.before, { text: last.text, files: changedSince(last) }]
      .filter(({ files }) => files.length > 0)
      .map(({ text, files }) => ({
        kind: "repair",
        about,
        text: `${shorten(text, failureLimit, true).text}\n\n→ ${files.slice(0, filesNamed).join("\n")}`,
      }));
  }

  function run(tool: UsedTool): Piece[] {
    const about = aboutTool(tool, relative);
    const description = textField(tool.input, "description");
    const described = description === "" ? {} : { described: description };
    const key = commandKey(about);
    if (tool.error !== undefined) {
      fail(key, tool.error);
      // What was committed before a later part failed is committed.
      const made = commits(about, tool.error, false, isElsewhere);
      return [...made, { kind: "failure", text: tool.error, about, ...described }];
    }
    const output = outputOf(tool.response);
    const inBackground = textField(tool.response, "backgroundTaskId") !== "";
    const verdict = !inBackground && hidesPart(about) ? runVerdict(output) : undefined;
    const made = inBackground
      ? []
      : [
          ...commits(about, output, !hidesExit(about), isElsewhere),
          ...publications(about, output, isElsewhere),
        ];
    if (verdict === "failed") {
      fail(key, output);
      return [...made, { kind: "failure", text: output, about, ...described }];
    }
    if (inBackground || (hidesExit(about) && verdict === undefined))
      return [...made, { kind: "ran", text: output, about, ...described }];
    return [
      ...made,
      ...repairOf(key, about),
      { kind: "passed", text: output, about: withoutMessage(about, made), ...described },
    ];
  }

  return {
    add(tool) {
      if (shellTools.has(tool.name)) return run(tool);
      if (tool.error !== undefined)
        return [{ kind: "failure", text: tool.error, about: aboutTool(tool, relative) }];
      if (keptElsewhere.has(tool.name)) return [];
      const title = textField(tool.input, "title");
      if (title !== "" && publishingTool.test(tool.name)) {
        const body = textField(tool.input, "body", "description");
        const made = { what: tool.name, text: [title, body].filter(Boolean).join("\n\n") };
        return [published(made, outputOf(tool.response))];
      }
      return [{ kind: "passed", text: outputOf(tool.response), about: aboutTool(tool, relative) }];
    },
  };
}

/** Another repository's folder: outside the project, or for a while only; a worktree shows by what was changed in it. */
function isAnothers(folder: string, changes: readonly string[]): boolean {
  return (
    /^(?:\/(?!$|[a-z]\/)|[a-zA-Z]:|\$\(mktemp)/.test(folder) &&
    !changes.some((changed) => changed.startsWith(folder))
  );
}

/** At least half of what it failed with is not said any more, but for numbers. */
function isGone(before: string, now: string): boolean {
  const lines = (text: string) =>
    new Set(text.split("\n").map((line) => line.replace(/\d+/g, "#").trim()));
  const still = lines(now);
  const own = [...lines(before)].filter((line) => (line.match(/\p{L}/gu)?.length ?? 0) >= 8);
  return own.length > 0 && own.filter((line) => !still.has(line)).length * 2 >= own.length;
}

/** The commit has the message. */
function withoutMessage(line: string, made: readonly Piece[]): string {
  return made.reduce((rest, { text }) => rest.replace(text, () => "…"), line);
}

function outputOf(response: unknown): string {
  if (typeof response === "string" || Array.isArray(response)) return textOf(response);
  const streams = [textField(response, "stdout"), textField(response, "stderr")];
  const printed = streams.filter(Boolean).join("\n");
  const found = listField(response, "results").filter((one) => typeof one === "string");
  return (
    printed ||
    textField(response, "result") ||
    textOf(recordOf(response).content) ||
    found.join("\n")
  );
}

// Dialogs and delegation: questions answered, plans accepted, tasks given to subagents with their reports, the list of things to do.

/** What a dialog leaves: what was picked of what was on offer is a choice, what was typed is the person's own word. */
export interface DialogPiece {
  kind: "choice" | "typed";
  text: string;
  /** The question, and what was on offer. */
  about: string;
}

/** An answer in a dialog that the client tells in words. */
export interface DialogAnswer {
  question: string;
  /** Picked or typed; "" without. */
  answer: string;
  /** Typed beside it. */
  note: string;
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

// Which files a turn read and changed, and the names its changes touched.

/** Files so far. `relative` shortens paths. */
export function createFiles(relative: (path: string) => string) {
  const found = new Map<string, { changed: boolean; symbols: Set<string> }>();
  const changes: string[] = [];
  return {
    /** Paths of all changes so far, in order, repeated for each change. */
    changes: changes as readonly string[],
    add(tool: UsedTool): void {
      const { name, input, response, error } = tool;
      const changed = changingTools.has(name);
      if (error !== undefined || (!changed && !readingTools.has(name))) return;
      const named =
        textField(input, "file_path", "notebook_path") || textField(response, "filePath");
      if (named === "" || isClientFile(named)) return;
      const path = relative(named);
      const file = found.get(path) ?? { changed: false, symbols: new Set() };
      found.set(path, file);
      if (!changed) return;
      file.changed = true;
      changes.push(path);
      for (const symbol of tool.symbols ?? touchedSymbols(response, path, symbolsLimit))
        if (file.symbols.size < symbolsLimit) file.symbols.add(symbol);
    },
    /** Changed ones first, each once, at most `filesLimit`. */
    list(): { files: TouchedFile[]; leftOut: number } {
      const all = [...found].map(
        ([path, { changed, symbols }]): TouchedFile => ({
          path,
          changed,
          ...(symbols.size > 0 && { symbols: [...symbols] }),
        }),
      );
      const ordered = [
        ...all.filter((file) => file.changed),
        ...all.filter((file) => !file.changed),
      ];
      return {
        files: ordered.slice(0, filesLimit),
        leftOut: Math.max(0, ordered.length - filesLimit),
      };
    },
  };
}

/** Makes paths below `root` relative to it, with forward slashes. */
export function relativeTo(root: string): (path: string) => string {
  return (path) => (path === root ? path : (pathBelow(root, path) ?? path));
}
