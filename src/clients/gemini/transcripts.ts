// Gemini CLI's transcripts: `~/.gemini/tmp/<project>/chats/session-<time>-<beginning of the id>.jsonl`, messages that are written again as they grow.
import { open, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { listField, recordOf, textField } from "../../text/values.ts";
import { parseTranslated } from "../../transcript/parse-entry.ts";
import { normalResult, normalTool } from "../normal/google-tools.ts";
import { withoutMarkedEnd } from "../normal/marks.ts";
import { resultText } from "../normal/tools.ts";
import type { AboutFile, ClientTranscripts } from "../transcripts.ts";
import { hookContext, typedText } from "./normal.ts";

/** Where Gemini CLI keeps its own files. */
export function geminiFolder(env: Environment): string {
  const home = env.GEMINI_CLI_HOME ? resolve(env.GEMINI_CLI_HOME) : userHome(env);
  return join(home, ".gemini");
}

export const geminiTranscripts: ClientTranscripts = {
  folder: (env) => join(geminiFolder(env), "tmp"),
  about,
  parse: (line) => parseTranslated(line, normalLine),
  outcome({ name, input, result }) {
    if (!result) return undefined;
    const [shown, more] = Array.isArray(result.content) ? (result.content as unknown[]) : [];
    const { display, status } = recordOf(more);
    const text = textField(shown, "text");
    if (status === "cancelled") return { error: text || "cancelled", isInterrupt: true };
    return normalResult({ name, input: recordOf(input) }, text, display, result.isError);
  },
  fillsIn: true,
  countsUses: true,
};

const headBytes = 4_096;

/**
 * The first line has the session's whole id, and says whether it is a subagent's, whose tools the hooks tell as the
 * session's. Where it worked stands in a file beside the folder of chats alone.
 */
async function about(path: string): Promise<AboutFile | undefined> {
  try {
    const { sessionId: session, kind } = recordOf(JSON.parse(await firstLine(path)));
    if (typeof session !== "string" || session === "" || kind === "subagent") return undefined;
    const root = join(dirname(dirname(path)), ".project_root");
    const cwd = (await readFile(root, "utf8").catch(() => "")).trim();
    return { session, ...(isAbsolute(cwd) && { cwd }) };
  } catch {
    return undefined;
  }
}

async function firstLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0] ?? "";
  } finally {
    await file.close();
  }
}

type Json = Record<string, unknown>;

function normalLine(value: Json): Json | undefined {
  const { id: uuid, timestamp, type } = value;
  if (type === "user") {
    const text = typedText(wordsOf(value.content));
    if (text === "") return undefined;
    return { uuid, timestamp, type, message: { role: "user", content: [{ type: "text", text }] } };
  }
  if (type !== "gemini") return undefined;
  // With its tools, when they ended, a message is written again: its words stood in a line before.
  const calls = listField(value, "toolCalls");
  const uses = calls.flatMap(used);
  const text = wordsOf(value.content);
  const said = uses.length > 0 || text.trim() === "" ? [] : [{ type: "text", text }];
  const content = [...said, ...uses];
  if (content.length === 0) return undefined;
  const message = { role: "assistant", model: value.model, content };
  const time = textField(calls.at(-1), "timestamp") || timestamp;
  return { uuid, timestamp: time, type: "assistant", message };
}

/** The text of a message: a string, or parts of which those with a thought or an answer of a tool's are no text. */
function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return textField(content, "text");
  return content
    .map((part) => (recordOf(part).thought === true ? "" : textField(part, "text")))
    .join("");
}

/** A tool use with its result: it is written when it ended. */
function used(call: unknown): Json[] {
  const { id, args, status, result, resultDisplay: display } = recordOf(call);
  if (typeof id !== "string") return [];
  const use = { type: "tool_use", id, ...normalTool(textField(call, "name"), args) };
  if (status !== "success" && status !== "error" && status !== "cancelled") return [use];
  const text = withoutMarkedEnd(answerOf(result), ...hookContext);
  // What the person was shown tells of a change what the model is not told.
  const content = [
    { type: "text", text },
    { type: "shown", display, status },
  ];
  const ended = { type: "tool_result", tool_use_id: id, content, is_error: status !== "success" };
  return [use, ended];
}

/** What the model was told. */
function answerOf(result: unknown): string {
  const parts = Array.isArray(result) ? (result as unknown[]) : [];
  return parts
    .map((part) => {
      const { functionResponse } = recordOf(part);
      const { response } = recordOf(functionResponse);
      return textField(response, "error") || resultText(recordOf(response).output);
    })
    .filter(Boolean)
    .join("\n");
}
