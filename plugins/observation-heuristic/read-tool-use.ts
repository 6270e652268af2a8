// A tool use, whatever tool and shape, read into a step. Unknown tools and odd values become routine steps; nothing throws.

import type { ToolUse } from "../../src/sdk/index.ts";
import { cleanText, type Paths, withoutClientMarkup } from "../../src/text/index.ts";
import { commitMessage, readCommand } from "./command.ts";
import { isDocument } from "./file-kind.ts";
import { patchFromHunks, patchFromTexts } from "./patch.ts";
import { ends, readOutput } from "./run-output.ts";
import type { ChangeStep, LookStep, RoutineStep, RunStep, Step, StepBase } from "./step.ts";
import { definitionOn, definitionsOn } from "./symbols.ts";
import { listField, recordOf, textField, textOf } from "./values.ts";

/** Reads one tool use. */
export function readToolUse(use: ToolUse, paths: Paths): Step {
  const base = {
    id: use.id,
    time: use.time,
    ...(use.agent === undefined ? {} : { agent: use.agent }),
  };
  const routine = (reason: string): RoutineStep => ({ ...base, kind: "routine", reason });
  if (use.withheld === true) return routine("withheld");
  if (use.interrupted === true) return routine("interrupted");
  const failed = use.error !== undefined;
  switch (use.name) {
    case "Bash":
    case "PowerShell":
      return readRun(use, base, paths);
    case "Edit":
    case "MultiEdit":
    case "Write":
    case "NotebookEdit":
      return failed ? routine("edit refused") : readChange(use, base, paths);
    case "Read":
    case "NotebookRead":
      return failed ? routine("read failed") : readFile(use, base, paths);
    case "Grep":
    case "Glob":
    case "LSP":
    case "LS":
      return failed ? routine("search failed") : readSearch(use, base, paths);
    case "WebFetch":
    case "WebSearch":
      return failed ? routine("page not read") : readWeb(use, base, paths);
    case "Task":
    case "Agent":
      return failed ? routine("subagent failed") : readAgent(use, base, paths);
    case "AskUserQuestion":
      return readQuestion(use, base) ?? routine("no answer");
    case "ExitPlanMode": {
      const plan = textField(use.input, "plan") || textField(use.response, "plan");
      return failed || plan === ""
        ? routine("no plan")
        : { ...base, kind: "choice", question: "plan", answer: plan };
    }
    default:
      return use.name.startsWith("mcp__") && !failed
        ? readOther(use, base, paths)
        : routine("no evidence");
  }
}

function readRun(use: ToolUse, base: StepBase, paths: Paths): Step {
  const line = paths.inText(textField(use.input, "command").slice(0, 20_000));
  if (line === "") return { ...base, kind: "routine", reason: "no command" };
  const response = recordOf(use.response);
  const command = readCommand(line);
  const streams = [textField(response, "stdout"), textField(response, "stderr")];
  const printed =
    use.error ?? (streams.filter((part) => part !== "").join("\n") || textOf(use.response));
  const output = paths.inText(cleanText(withoutClientMarkup(ends(printed, 60_000))));
  const removedFile =
    /^(?:git )?(rm|mv) (?:-\w+ )*(\S+)(?: (\S+))?$/.exec(command.display) ??
    /(?:^|&& |; )(?:git )?(rm|mv) (?:-\w+ )*(\S+)(?: (\S+))?(?:$| &&)/.exec(line);
  if (removedFile && use.error === undefined && /^[\w./@-]+\.\w+$/.test(removedFile[2] ?? "")) {
    const path = paths.relative(removedFile[2] ?? "");
    const target = removedFile[3];
    const none = { added: [], removed: [], defined: [], dropped: [], touched: [] };
    if (removedFile[1] === "mv" && target !== undefined && !/^[&;|]/.test(target)) {
      return {
        ...base,
        kind: "change",
        path: paths.relative(target),
        from: path,
        action: "moved",
        ...none,
      };
    }
    if (!/^(?:\/tmp|\/var|~)/.test(path))
      return { ...base, kind: "change", path, action: "deleted", ...none };
  }
  if (response.backgroundTaskId !== undefined)
    return { ...base, kind: "routine", reason: "background" };
  const outcome = readOutput(output, {
    failed: use.error !== undefined,
    piped: command.piped,
    purpose: command.purpose,
  });
  const commit =
    outcome.passed === false ? undefined : commitMessage(textField(use.input, "command"));
  const step: RunStep = {
    ...base,
    kind: "run",
    command,
    description: textField(use.input, "description"),
    ...outcome,
  };
  return commit === undefined ? step : { ...step, commit };
}

function readChange(use: ToolUse, base: StepBase, paths: Paths): Step {
  const file =
    textField(use.input, "file_path", "notebook_path") || textField(use.response, "filePath");
  if (file === "") return { ...base, kind: "routine", reason: "no path" };
  if (/\/\.claude\/(?:plans|projects)\//.test(file))
    return { ...base, kind: "routine", reason: "the client's own file" };
  const path = paths.relative(file);
  const document = isDocument(path);
  const original = textField(use.response, "originalFile");
  const created =
    use.name === "Write" &&
    (textField(use.response, "type") === "create" ||
      (original === "" && !/updated/.test(textOf(use.response, 200))));
  let patch = patchFromHunks(listField(use.response, "structuredPatch"), original, document);
  if (patch === undefined && use.name === "Write") {
    patch = patchFromTexts(
      original,
      textField(use.input, "content") || textField(use.response, "content"),
      document,
    );
  }
  if (patch === undefined) {
    const edits = use.name === "MultiEdit" ? listField(use.input, "edits") : [use.input];
    const before = edits.map((edit) => textField(edit, "old_string")).join("\n");
    const after = edits.map((edit) => textField(edit, "new_string", "new_source")).join("\n");
    patch = patchFromTexts(before, after, document);
  }
  const step: ChangeStep = {
    ...base,
    kind: "change",
    path,
    action: created ? "created" : "edited",
    ...patch,
  };
  return step;
}

function readFile(use: ToolUse, base: StepBase, paths: Paths): Step {
  const file = recordOf(recordOf(use.response).file);
  const path = textField(use.input, "file_path", "notebook_path") || textField(file, "filePath");
  if (path === "") return { ...base, kind: "routine", reason: "no path" };
  const relative = paths.relative(path);
  const content = (textField(file, "content") || textOf(use.response)).replace(
    /^ *\d+(?:→|\t)/gm,
    "",
  );
  const definitions = definitionsOn(content.split("\n", 3_000), isDocument(relative), 80);
  return {
    ...base,
    kind: "look",
    paths: [relative],
    pattern: "",
    definitions: definitions.map((definition) => ({ ...definition, path: relative })),
  };
}

function readSearch(use: ToolUse, base: StepBase, paths: Paths): LookStep {
  const found = new Set<string>();
  const definitions: LookStep["definitions"] = [];
  for (const name of listField(use.response, "filenames").slice(0, 200))
    if (typeof name === "string") found.add(paths.relative(name));
  const content =
    textField(use.response, "content") || (typeof use.response === "string" ? use.response : "");
  const single = textField(use.input, "path");
  for (const line of content.split("\n", 400)) {
    const hit = /^(?:([^\s:]+\.\w+):)?(\d+):(.*)$/.exec(line);
    if (hit === null) {
      if (/^\S+\.\w{1,6}$/.test(line.trim())) found.add(paths.relative(line.trim()));
      continue;
    }
    const path = paths.relative(hit[1] ?? single);
    if (path !== "" && /\.\w+$/.test(path)) found.add(path);
    const definition = definitionOn(hit[3] ?? "", isDocument(path));
    if (definition !== undefined && path !== "" && definitions.length < 40)
      definitions.push({ ...definition, path, line: Number(hit[2]) });
  }
  return {
    ...base,
    kind: "look",
    paths: [...found].slice(0, 100),
    pattern: textField(use.input, "pattern", "query"),
    definitions,
  };
}

function readWeb(use: ToolUse, base: StepBase, paths: Paths): Step {
  const text = paths.inText(cleanText(textOf(use.response)));
  const origin = textField(use.input, "url", "query");
  const topic = textField(use.input, "query") || textField(use.input, "prompt");
  return text.length < 80
    ? { ...base, kind: "routine", reason: "empty page" }
    : { ...base, kind: "report", source: "web", topic, text, origin };
}

function readAgent(use: ToolUse, base: StepBase, paths: Paths): Step {
  const text = paths.inText(cleanText(withoutClientMarkup(textOf(use.response))));
  const reporter = textField(use.response, "agentId");
  const topic = textField(use.input, "description");
  if (text.length < 40) return { ...base, kind: "routine", reason: "no report" };
  return {
    ...base,
    kind: "report",
    source: "agent",
    topic,
    text,
    origin: textField(use.input, "subagent_type"),
    ...(reporter === "" ? {} : { reporter }),
  };
}

function readQuestion(use: ToolUse, base: StepBase): Step | undefined {
  const answers = recordOf(recordOf(use.response).answers);
  const [question, answer] =
    Object.entries(answers).find(([, value]) => typeof value === "string" && value !== "") ?? [];
  if (question === undefined || typeof answer !== "string") return undefined;
  return { ...base, kind: "choice", question, answer };
}

function readOther(use: ToolUse, base: StepBase, paths: Paths): Step {
  const text = paths.inText(cleanText(withoutClientMarkup(textOf(use.response))));
  if (text.length < 120) return { ...base, kind: "routine", reason: "no evidence" };
  const name = use.name
    .replace(/^mcp__/, "")
    .replaceAll("__", " ")
    .replaceAll("_", " ");
  return { ...base, kind: "report", source: "tool", topic: name, text, origin: use.name };
}
