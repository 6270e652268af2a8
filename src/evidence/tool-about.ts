// A tool use in a line: its command, or its name and what it was pointed at.

import { shellTools } from "../sdk/tool-kinds.ts";
import { listField, recordOf, textField } from "../text/values.ts";
import type { UsedTool } from "./moment.ts";

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
