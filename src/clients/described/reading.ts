// How a described client is read: its payloads, tools and lines in Claude Code's form, and answers in its own.
import type {
  ClientDescription,
  LineForm,
  ResultForm,
  ToolTable,
  TranscriptDescription,
} from "../../sdk/client.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent, Reply } from "../../sdk/events.ts";
import { isRecord, recordOf } from "../../text/text.ts";
import { parseJson } from "../../transcript/parse-entry.ts";
import type { ClientAdapter, ClientTranscripts } from "../adapter.ts";
import { wayOf } from "../adapter.ts";
import { byNormalForm, fitContext, renderNested } from "../normal/payload.ts";
import {
  endedFields,
  endedUse,
  type NormalTool,
  serverTool,
  type ToolResult,
  toolByForms,
} from "../normal/tools.ts";
import { diskPath, isAtPath, partOf, textAtPath, valueAtPath } from "./places.ts";

type Json = Record<string, unknown>;

/** `base`: the adapter of `like`; absent: its form is Claude Code's. */
export function describedReading(
  name: string,
  description: ClientDescription,
  base?: ClientAdapter,
): Omit<ClientAdapter, "registration"> {
  const transcripts = transcriptsOf(name, description, base);
  return {
    ...partsOfEvents(name, description, base),
    render: base && !description.answer ? base.render : renderOf(description),
    ...(transcripts && { transcripts }),
  };
}

function partsOfEvents(name: string, description: ClientDescription, base?: ClientAdapter) {
  if (base) return inTheNameOf(name, base);
  if (wayOf(description) === "hooks") return byNormalForm(name, payloadOf(description));
  return {
    name,
    parse() {
      throw new MemoirError("payload_invalid", `${name} has no hooks that report to memoir.`);
    },
    original: () => undefined,
  };
}

/** The base's events, as this client's. */
function inTheNameOf(
  name: string,
  base: ClientAdapter,
): Pick<ClientAdapter, "name" | "parse" | "original"> {
  return {
    name,
    parse(payload, delivery) {
      const event = base.parse(payload, delivery);
      return event && { ...event, client: name, key: name + event.key.slice(base.name.length) };
    },
    original: base.original,
  };
}

// Payloads and tools in Claude Code's form.

function payloadOf(description: ClientDescription): (payload: unknown, id: string) => unknown {
  const { payload: form = {}, results } = description;
  const normal = toolsOf(description.tools);
  return (payload, id) => {
    if (!isRecord(payload)) return payload;
    const fields = { ...payload };
    for (const [field, path] of Object.entries(form.fields ?? {})) {
      const value = valueAtPath(payload, path);
      for (const own of [path].flat()) if (own !== field) delete fields[own];
      if (value !== undefined) fields[field] = value;
    }
    const named = String(fields.hook_event_name ?? "");
    const event = form.events?.[named] ?? named;
    fields.hook_event_name = event;
    // Nobody typed it.
    if (event === "UserPromptSubmit" && String(fields.prompt ?? "").trim() === "") return undefined;
    if (typeof fields.tool_name !== "string") return fields;
    const tool = normal(fields.tool_name, fields.tool_input);
    const used = { tool_use_id: id, ...fields, tool_name: tool.name, tool_input: tool.input };
    if (event !== "PostToolUse" || !results) return used;
    const { tool_response: _response, ...rest }: Json = used;
    return { ...rest, ...endedFields(resultOf(tool, fields, results)) };
  };
}

function toolsOf({ names = {}, fields = {}, server }: ToolTable = {}) {
  const other = (name: string) => (server === undefined ? name : serverTool(name, server));
  return (name: string, input: unknown): NormalTool =>
    toolByForms(
      { names, fields, other },
      name,
      recordOf(typeof input === "string" ? parseJson(input) : input),
    );
}

/** How a tool ended. `fields`: the payload, by its own names and the normal ones. */
function resultOf(tool: NormalTool, fields: Json, form: ResultForm): ToolResult {
  const whole = form.text === undefined ? "tool_response" : form.text;
  const text = textAtPath(fields, whole);
  const said = form.exitIn === undefined ? undefined : exitIn(text, form.exitIn);
  const given = valueAtPath(fields, form.exit);
  const exit = typeof given === "number" ? given : said;
  const reason = valueAtPath(fields, form.failed);
  if (tool.name === "Bash" && exit !== undefined) return endedUse(tool, { text, exit });
  if (isAtPath(fields, form.failed))
    return { error: typeof reason === "string" ? reason : text || "failed" };
  const diff = textAtPath(fields, form.diff);
  const response = valueAtPath(fields, whole) ?? "";
  return endedUse(tool, { text, exit, response, ...(diff !== "" && { diff }) });
}

/** The number behind the last place that looks like the form. */
function exitIn(text: string, form: string): number | undefined {
  const [before = ""] = form.split("{exit}");
  const at = text.lastIndexOf(before);
  const [digits] = (at < 0 ? "" : text.slice(at + before.length)).match(/^-?\d{1,9}/) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

// Answers.

function renderOf({ answer }: ClientDescription): ClientAdapter["render"] {
  if (!answer) return (event, reply) => renderNested(event, reply);
  return (event: ClientEvent, { context }: Reply) => {
    const [path, given] = [answer[event.name], fitContext(context)];
    if (path === undefined || given === undefined) return undefined;
    return path
      .split(".")
      .reduceRight<unknown>((inner, name) => ({ [name]: inner }), given) as Json;
  };
}

function transcriptsOf(
  name: string,
  { transcripts: form, tools, results }: ClientDescription,
  base: ClientAdapter | undefined,
): ClientTranscripts | undefined {
  if (!form) return undefined;
  const { session, fillsIn, lines } = form;
  const own = base?.transcripts;
  const { store } = own ?? {};
  return {
    ...own,
    folder: (env) => diskPath(form.folder, env),
    ...(store && {
      store: {
        ...store,
        async discover(path) {
          const { sessions, unreadable } = await store.discover(path);
          return { sessions: sessions.map((one) => ({ ...one, client: name })), unreadable };
        },
      },
    }),
    ...(session !== undefined && { sessionOf: (file) => partOf(file, session, "session") }),
    ...(lines && { normalLine: normalLineOf(form, toolsOf(tools)) }),
    ...(results && {
      outcome: ({ name: tool, input, result }) => {
        if (!result) return undefined;
        const { content, isError } = result;
        const ended = resultOf(
          { name: tool, input: recordOf(input) },
          { content },
          {
            text: "content",
            ...(results.exitIn !== undefined && { exitIn: results.exitIn }),
          },
        );
        return isError && !("error" in ended)
          ? { error: textAtPath({ content }, "content") || "failed" }
          : ended;
      },
    }),
    ...(fillsIn !== undefined && { fillsIn }),
  };
}

// A line of a described client's transcript as Claude Code would have written it.

/** Undefined for a line that says nothing. */
function normalLineOf(
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
