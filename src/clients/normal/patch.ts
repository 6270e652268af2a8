// A patch as OpenAI's models write it, taken apart: one tool use for each file.
import { isAbsolute, join } from "node:path";
import { editedFile, type NormalTool, type ToolResult, writtenFile } from "./tools.ts";

/** What a patch does to one file. */
export interface FilePatch {
  kind: "add" | "update" | "delete";
  /** As the patch names it. */
  path: string;
  /** Where the file is afterwards. */
  movedTo?: string;
  /** Its lines, each with `+`, `-` or a blank before it; of a new file all with `+`. */
  lines: string[];
}

const header = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const move = /^\*\*\* Move to: (.+?)\s*$/;

/** The files of a patch in the order of their paths, each once. */
export function patchedFiles(patch: string): FilePatch[] {
  const found = new Map<string, FilePatch>();
  let file: FilePatch | undefined;
  for (const line of patch.split(/\r?\n/)) {
    if (line.startsWith("*** End Patch")) break;
    const [, verb = "", path = ""] = header.exec(line) ?? [];
    const movedTo = move.exec(line)?.[1];
    if (path !== "") {
      const kind = verb === "Add" ? "add" : verb === "Delete" ? "delete" : "update";
      file = found.get(path) ?? { kind, path, lines: [] };
      found.set(path, file);
    } else if (movedTo !== undefined && file) file.movedTo = movedTo;
    else if (/^[ +-]/.test(line)) file?.lines.push(line);
    else if (line === "" && file?.kind === "update") file.lines.push(" ");
  }
  return [...found.values()].sort((one, other) => byPath(one.path, other.path));
}

/** The order in which hook and transcript agree. */
export function byPath(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The id of a patch's file: the first has the call's own, so that the hook's event is the transcript's. */
export function fileId(call: string, at: number): string {
  return at === 0 ? call : `${call}#${at + 1}`;
}

/** The tool use that did this. */
export function toolOfPatch(file: FilePatch, cwd: string): NormalTool {
  const file_path = placed(file.movedTo ?? file.path, cwd);
  const { before, after } = sides(file);
  if (file.kind === "add") return { name: "Write", input: { file_path, content: after } };
  return { name: "Edit", input: { file_path, old_string: before, new_string: after } };
}

/** How it ended, where only the patch is known. */
export function resultOfPatch(file: FilePatch, cwd: string): ToolResult {
  const path = placed(file.movedTo ?? file.path, cwd);
  const { before, after } = sides(file);
  if (file.kind === "add") return writtenFile(path, after, true);
  const [old, now] = [before, after].map((text) => (text === "" ? 0 : text.split("\n").length));
  // Where in the file it was, the patch does not say.
  const diff = [`@@ -1,${old} +1,${now} @@`, ...file.lines].join("\n");
  return editedFile(path, { oldString: before, newString: after, diff });
}

/** A relative path is one of the folder that the session is in; where nobody knows that, it stays. */
function placed(path: string, cwd: string): string {
  return cwd === "" || isAbsolute(path) ? path : join(cwd, path);
}

function sides({ kind, lines }: FilePatch): { before: string; after: string } {
  const of = (marks: string) =>
    lines.filter((line) => marks.includes(line.charAt(0))).map((line) => line.slice(1));
  const end = kind === "add" && lines.length > 0 ? "\n" : "";
  return { before: of(" -").join("\n"), after: of(" +").join("\n") + end };
}
