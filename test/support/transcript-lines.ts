// Writes transcript lines as the client does, for tests: a conversation is built step by step, each line's parent is the one before.
import { Buffer } from "node:buffer";
import type { BrokenLine, TranscriptEntry } from "../../src/transcript/entry.ts";
import { readEntries } from "../../src/transcript/read.ts";

type Fields = Record<string, unknown>;

/** Tokens as the API reports them. */
export interface ApiUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
}

/** A transcript under construction. Every call adds one line and answers its uuid. */
export interface TranscriptScript {
  /** Any line; it gets uuid, parent, time and the usual envelope. */
  line(fields: Fields): string;
  user(content: unknown, fields?: Fields): string;
  /** One line of an assistant message with these blocks. */
  assistant(message: string, blocks: unknown[], usage?: ApiUsage, fields?: Fields): string;
  result(toolUseId: string, content: unknown, fields?: Fields): string;
  /** Text as it would stand in the file, with a line feed at the end. */
  text(): string;
}

/** Begins a transcript at 2026-03-01T10:00:00Z; each line is a second later. */
export function transcriptScript(envelope: Fields = {}): TranscriptScript {
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (fields: Fields): string => {
    const number = lines.length + 1;
    const uuid = String(fields.uuid ?? `u${number}`);
    const time = new Date(Date.UTC(2026, 2, 1, 10, 0, number)).toISOString();
    const base = {
      parentUuid: parent,
      isSidechain: false,
      cwd: "/home/kim/shop",
      sessionId: "s1",
      version: "2.1.329",
      gitBranch: "main",
    };
    lines.push(JSON.stringify({ ...base, ...envelope, uuid, timestamp: time, ...fields }));
    parent = uuid;
    return uuid;
  };
  return {
    line: add,
    user: (content, fields) => add({ type: "user", message: { role: "user", content }, ...fields }),
    assistant: (id, content, usage, fields) =>
      add({
        type: "assistant",
        message: { id, role: "assistant", model: "claude-test-1", content, usage },
        ...fields,
      }),
    result: (id, content, fields) =>
      add({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
        ...fields,
      }),
    text: () => lines.map((line) => `${line}\n`).join(""),
  };
}

export const said = (text: string) => ({ type: "text", text });
export const thought = (thinking: string) => ({ type: "thinking", thinking, signature: "x" });
export const used = (id: string, name = "Read", input: unknown = {}) => ({
  type: "tool_use",
  id,
  name,
  input,
});

/** All entries and broken lines of a text. */
export function entriesOf(text: string): Promise<Array<TranscriptEntry | BrokenLine>> {
  return Array.fromAsync(readEntries([Buffer.from(text)]));
}
