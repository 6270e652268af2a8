// Makes of a person's script what the client would: transcripts line by line, and the hook payloads told between them.
import { join } from "node:path";
import type { Person, PersonSession, Step } from "./script.ts";
import { type Json, type Moment, type Stage, setStage, shortHash } from "./stage.ts";

/** A session as the client leaves it. */
export interface PlayedScript {
  session: string;
  /** Its own transcript. */
  path: string;
  moments: readonly Moment[];
  /** Epoch ms after its end. */
  over: number;
}

/** All sessions of a person; transcripts lie below `projects`. */
export function play(person: Person, projects: string): PlayedScript[] {
  return person.sessions.map((session, at) => playSession(person, session, at, projects));
}

/** A session's id: the same each time, and shaped like the client's. */
function idOf(person: string, at: number): string {
  const hash = shortHash(`${person} ${at}`, 32);
  return [0, 8, 12, 16, 20]
    .map((from, part) => hash.slice(from, [8, 12, 16, 20, 32][part]))
    .join("-");
}

const reasons = { exit: "prompt_input_exit", clear: "clear" };

function playSession(
  { name, cwd }: Person,
  { start, steps, ends = "exit" }: PersonSession,
  at: number,
  projects: string,
): PlayedScript {
  const session = idOf(name, at);
  const folder = join(projects, cwd.replace(/[/.]/g, "-"));
  const stage = setStage({ session, cwd, folder, start: Date.parse(start) });
  stage.happens([], [stage.hook("SessionStart", { source: "startup" })]);
  for (const step of steps) perform(stage, step);
  if (ends !== "killed")
    stage.happens([], [...stage.stop(), stage.hook("SessionEnd", { reason: reasons[ends] })]);
  // Who is killed in the middle of work had no time to stop.
  else if (stage.hasSaid()) stage.happens([], stage.stop());
  return { session, path: stage.path, moments: stage.moments, over: stage.now() };
}

function perform(stage: Stage, step: Step): void {
  if ("user" in step) stage.prompt(step.user);
  else if ("says" in step) stage.say(step.says);
  else if ("stopsRun" in step || "stops" in step) pressEscape(stage, step);
  else if ("refuses" in step) stage.refuse("Bash", { command: step.refuses }, step.because);
  else if ("refusesEdit" in step) {
    const input = {
      file_path: join(stage.cwd, step.refusesEdit),
      old_string: "",
      new_string: step.to,
    };
    stage.refuse("Edit", input, step.because);
  } else if ("delegates" in step) delegate(stage, step);
  else if ("compacts" in step) compact(stage, step.compacts);
  else if ("asks" in step || "plans" in step) decide(stage, step);
  else work(stage, step);
}

type Among<Name extends string> = Extract<Step, Record<Name, unknown>>;

/** Esc, while a command runs or while the agent speaks. */
function pressEscape(stage: Stage, step: Among<"stopsRun"> | Among<"stops">): void {
  const during = "stopsRun" in step ? " for tool use" : "";
  if ("stopsRun" in step)
    stage.fails(
      "Bash",
      { command: step.stopsRun },
      "[Request interrupted by user for tool use]",
      true,
    );
  stage.happens([stage.interruption(during)]);
  stage.abandon();
}

function decide(stage: Stage, step: Among<"asks"> | Among<"plans">): void {
  if ("plans" in step) {
    const input = { plan: step.plans };
    if (!step.accepted) {
      stage.refuse("ExitPlanMode", input, step.because);
      return;
    }
    const content = `User has approved your plan. You can now start coding.\n\n## Approved Plan:\n${step.plans}`;
    stage.works("ExitPlanMode", input, content, { plan: step.plans, isAgent: false });
    return;
  }
  const options = step.options.map((label) => ({ label, description: label }));
  const questions = [{ question: step.asks, header: "Choice", options, multiSelect: false }];
  const content = `User has answered your questions: "${step.asks}"="${step.answer}". You can now continue with the user's answers in mind.`;
  const answers = { [step.asks]: step.answer };
  stage.works("AskUserQuestion", { questions }, content, { questions, answers });
}

type Work = Among<"runs"> | Among<"edits"> | Among<"writes"> | Among<"reads"> | Among<"notebook">;

function work(stage: Stage, step: Work): void {
  if ("runs" in step) {
    const input = { command: step.runs };
    const structured = { stdout: step.prints, stderr: "", interrupted: false, isImage: false };
    if (step.fails) stage.fails("Bash", input, `Exit code 1\n${step.prints}`);
    else stage.works("Bash", input, step.prints, structured);
  } else if ("edits" in step) {
    const filePath = join(stage.cwd, step.edits);
    const input = { file_path: filePath, old_string: step.from, new_string: step.to };
    const done = `The file ${filePath} has been updated successfully.`;
    stage.works("Edit", input, done, editResult(filePath, step.from, step.to));
  } else if ("writes" in step) {
    const filePath = join(stage.cwd, step.writes);
    const { content } = step;
    const structured = { type: "create", filePath, content, structuredPatch: [] };
    const done = `File created successfully at: ${filePath}`;
    stage.works("Write", { file_path: filePath, content }, done, structured);
  } else if ("reads" in step) {
    const filePath = join(stage.cwd, step.reads);
    const { content } = step;
    const numLines = content.split("\n").length;
    const file = { filePath, content, numLines, startLine: 1, totalLines: numLines };
    stage.works("Read", { file_path: filePath }, content, { type: "text", file });
  } else {
    const input = {
      notebook_path: join(stage.cwd, step.notebook),
      cell_id: step.cell,
      new_source: step.source,
      cell_type: "code",
      edit_mode: "replace",
    };
    const structured = { ...input, language: "python", error: "" };
    stage.works("NotebookEdit", input, `Updated cell ${step.cell}`, structured);
  }
}

function delegate(stage: Stage, { delegates: task, report }: Among<"delegates">): void {
  const agent = `a${shortHash(`${stage.path}${stage.now()}`, 6)}`;
  const asked = stage.userLine(task, {}, agent);
  const answered = stage.assistantLine({ type: "text", text: report }, agent);
  const told = {
    agent_id: agent,
    agent_type: "general-purpose",
    agent_transcript_path: asked.path,
    last_assistant_message: report,
  };
  stage.happens([asked, answered], [stage.hook("SubagentStop", told)]);
  const input = { description: "A look", prompt: task, subagent_type: "general-purpose" };
  const content = [{ type: "text", text: report }];
  stage.works("Task", input, report, {
    status: "completed",
    prompt: task,
    agentId: agent,
    content,
  });
}

function compact(stage: Stage, summary: string): void {
  const boundary = {
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
  };
  const text = `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n${summary}`;
  const fields = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
  stage.happens(
    [stage.line(boundary), stage.userLine(text, fields)],
    [stage.hook("SessionStart", { source: "compact" })],
  );
}

function editResult(filePath: string, from: string, to: string): Json {
  const removed = from.split("\n").map((text) => `-${text}`);
  const added = to.split("\n").map((text) => `+${text}`);
  const hunk = {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed, ...added],
  };
  return {
    filePath,
    oldString: from,
    newString: to,
    originalFile: from,
    structuredPatch: [hunk],
    userModified: false,
    replaceAll: false,
  };
}
