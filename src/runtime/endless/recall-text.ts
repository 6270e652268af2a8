// A kept value as the text an agent wants to read: what a command printed, a file's content, else readable JSON. Pure.

import type { ToolPart } from "../../sdk/endless.ts";
import { field } from "../../text/values.ts";

/** A text, and the number that its first line had where it came from. */
export interface NaturalText {
  text: string;
  firstLine: number;
}

/** Known shapes of results give their text, anything else its JSON; an input gives its fields, long texts as they are. */
export function naturalText(value: unknown, part: ToolPart): NaturalText {
  if (typeof value === "string") return { text: value, firstLine: 1 };
  if (part === "input") return { text: fieldsText(value), firstLine: 1 };
  const file = fileOf(value);
  if (file) return file;
  return { text: resultText(value) ?? json(value), firstLine: 1 };
}

/** What a tool that reads files gave: lines keep the numbers they have in the file. */
function fileOf(value: unknown): NaturalText | undefined {
  const file = field(value, "file");
  const content = field(file, "content");
  if (typeof content !== "string") return undefined;
  const start = field(file, "startLine");
  const isLine = typeof start === "number" && Number.isSafeInteger(start) && start > 0;
  return { text: content, firstLine: isLine ? start : 1 };
}

function resultText(value: unknown): string | undefined {
  if (Array.isArray(value)) return blocksText(value);
  const stdout = field(value, "stdout");
  const stderr = field(value, "stderr");
  if (typeof stdout === "string" && (stderr === undefined || typeof stderr === "string"))
    return outputText(stdout, stderr ?? "");
  const filenames = field(value, "filenames");
  const content = field(value, "content");
  if (typeof content === "string" && content !== "") return content;
  if (Array.isArray(content)) return blocksText(content);
  if (Array.isArray(filenames) && filenames.every((name) => typeof name === "string"))
    return filenames.join("\n");
  // A command that ran in the background.
  const output = field(field(value, "task"), "output");
  if (typeof output === "string") return output;
  const result = field(value, "result");
  return typeof result === "string" ? result : undefined;
}

function outputText(stdout: string, stderr: string): string {
  if (stderr === "") return stdout;
  if (stdout === "") return stderr;
  return `${stdout}${stdout.endsWith("\n") ? "" : "\n"}[stderr]\n${stderr}`;
}

/** A list of content blocks; undefined for any other list. */
function blocksText(blocks: readonly unknown[]): string | undefined {
  if (blocks.length === 0 || !blocks.every((block) => typeof field(block, "type") === "string"))
    return undefined;
  return blocks
    .map((block) => {
      const text = field(block, "text");
      return typeof text === "string" ? text : json(block);
    })
    .join("\n");
}

/** `name: value` lines; a text of several lines stands below its name, as it is. */
function fieldsText(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return json(value);
  return Object.entries(value)
    .map(([name, item]) => {
      if (typeof item !== "string") return `${name}: ${json(item)}`;
      return item.includes("\n") ? `${name}:\n${item}` : `${name}: ${item}`;
    })
    .join("\n");
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
