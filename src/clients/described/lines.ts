// A line of a described client's transcript as Claude Code would have written it.
import type { LineForm, TranscriptDescription } from "../../sdk/client.ts";
import type { NormalTool } from "../normal/tools.ts";
import { isAtPath, textAtPath, valueAtPath } from "./places.ts";

type Json = Record<string, unknown>;

/** Undefined for a line that says nothing. */
export function normalLineOf(
  { lines = [], id, time, cwd }: TranscriptDescription,
  toolOf: (name: string, input: unknown) => NormalTool,
): (line: Readonly<Json>) => Json | undefined {
  return (line) => {
    const shared = {
      uuid: valueAtPath(line, id ?? "id"),
      timestamp: timeOf(valueAtPath(line, time ?? "timestamp")),
      cwd: valueAtPath(line, cwd ?? "cwd"),
    };
    const fitting = lines.filter((form) => fits(line, form));
    if (fitting.some(({ is }) => is === "start"))
      return { ...shared, type: "system", subtype: "start" };
    const blocks = new Map<LineForm["is"], Json[]>();
    for (const form of fitting) {
      const found = entriesOf(line, form).flatMap((entry) => blockOf(entry, form, toolOf));
      // Of two forms for one thing the first that finds something counts.
      if (found.length > 0 && !blocks.has(form.is)) blocks.set(form.is, found);
    }
    const content = [...blocks.values()].flat();
    if (content.length === 0) return undefined;
    const role = blocks.has("said") || blocks.has("used") ? "assistant" : "user";
    return { ...shared, type: role, message: { role, content } };
  };
}

function fits(line: unknown, { when = {} }: LineForm): boolean {
  return Object.entries(when).every(([path, wanted]) => {
    const value = valueAtPath(line, path);
    return Array.isArray(wanted) ? wanted.includes(value) : value === wanted;
  });
}

function entriesOf(line: unknown, { each }: LineForm): unknown[] {
  if (each === undefined) return [line];
  const found = valueAtPath(line, each);
  return Array.isArray(found) ? found : [];
}

function blockOf(
  entry: unknown,
  { is, text, id, name, input, failed }: LineForm,
  toolOf: (name: string, input: unknown) => NormalTool,
): Json[] {
  const use = valueAtPath(entry, id ?? "id");
  switch (is) {
    case "prompt":
    case "said": {
      const said = textAtPath(entry, text ?? "text");
      return said.trim() === "" ? [] : [{ type: "text", text: said }];
    }
    case "used": {
      const tool = textAtPath(entry, name ?? "name");
      if (tool === "" || typeof use !== "string") return [];
      return [{ type: "tool_use", id: use, ...toolOf(tool, valueAtPath(entry, input ?? "input")) }];
    }
    case "ended": {
      if (typeof use !== "string") return [];
      const content = textAtPath(entry, text ?? "content");
      const is_error = isAtPath(entry, failed);
      return [{ type: "tool_result", tool_use_id: use, content, is_error }];
    }
    case "start":
      return [];
  }
}

function timeOf(value: unknown): unknown {
  return typeof value === "number" && Number.isFinite(value) ? isoOf(value) : value;
}

/** Of seconds too: no session is of the year 1970. */
function isoOf(time: number): string | undefined {
  const date = new Date(time < 100_000_000_000 ? time * 1_000 : time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
