import { describe, expect, test } from "bun:test";
import type { BrokenLine, TranscriptEntry } from "../../src/transcript/entry.ts";
import { parseEntry, parseTranslated, withoutProgress } from "../../src/transcript/parse-entry.ts";

function parse(value: unknown, complete = true): TranscriptEntry | BrokenLine | undefined {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const content = new TextEncoder().encode(text);
  return parseEntry({ content, number: 7, offset: 70, complete, tooLong: 0 });
}

const envelope = {
  parentUuid: "p",
  isSidechain: true,
  cwd: "/shop",
  sessionId: "s",
  version: "2.1.0",
  gitBranch: "main",
  agentId: "a1",
  uuid: "u",
  timestamp: "2026-01-02T03:04:05.006Z",
};

describe("parsing an entry", () => {
  test("an assistant message with its blocks, model and usage", () => {
    const entry = parse({
      ...envelope,
      type: "assistant",
      requestId: "r",
      message: {
        id: "m",
        model: "claude-x",
        stop_reason: "tool_use",
        content: [
          { type: "thinking", thinking: "hm", signature: "…" },
          { type: "text", text: "Let me look." },
          { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/a" } },
          { type: "server_tool_use", id: "x" },
          "odd",
        ],
        usage: { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 7 },
      },
    });
    expect(entry).toMatchObject({
      kind: "assistant",
      type: "assistant",
      line: 7,
      offset: 70,
      uuid: "u",
      parentUuid: "p",
      isSidechain: true,
      agentId: "a1",
      time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
      messageId: "m",
      requestId: "r",
      model: "claude-x",
      usage: { input: 3, output: 5, cacheRead: 7, cacheWrite: 0 },
      blocks: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/a" } },
        { type: "other", blockType: "server_tool_use" },
        { type: "other", blockType: "" },
      ],
    });
  });

  test("a tool result, with its structured copy", () => {
    const entry = parse({
      ...envelope,
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: "no", is_error: true }],
      },
      toolUseResult: { stdout: "no", nested: { deep: [1] } },
    });
    if (entry?.kind !== "user") throw new Error("no user entry");
    expect(entry.blocks).toEqual([
      { type: "tool_result", toolUseId: "t1", content: "no", isError: true },
    ]);
    expect(entry.raw.toolUseResult).toEqual({ stdout: "no", nested: { deep: [1] } });
  });

  test("types and fields nobody knows are kept", () => {
    const value = { type: "of-the-future", uuid: "u", shiny: { a: [1] } };
    const entry = parse(value);
    expect(entry).toMatchObject({ kind: "other", type: "of-the-future", uuid: "u" });
    expect(entry?.kind !== "broken" && entry?.raw).toEqual(value);
  });

  test.each<[string, object]>([
    ["progress", { ...envelope, type: "progress", data: { type: "hook_progress" } }],
    [
      "a nested member that looks like progress",
      { wrap: { type: "progress", data: {} }, type: "x" },
    ],
    ["a text that looks like the line's end", { type: "x", text: '"},"timestamp":"x"}' }],
  ])("%s keeps all its members", (_, value) => {
    const entry = parse(value);
    expect(entry?.kind === "other" && entry.raw).toEqual(value as Record<string, unknown>);
  });

  test("a line that was glued to a torn one is malformed", () => {
    const torn = JSON.stringify({ ...envelope, type: "progress", data: { a: "b" } }).slice(0, -30);
    const next = { ...envelope, type: "user", message: { content: "x" } };
    expect(parse(torn + JSON.stringify(next))).toMatchObject({ reason: "malformed" });
  });

  const broken: Array<[string, boolean, BrokenLine["reason"]]> = [
    ['{"type":"user","mess', false, "torn"],
    ['{"type":"user","mess', true, "malformed"],
    ['{"type":"user","message":{"content":[}}', true, "malformed"],
    ['{"type":"progress","data":{"a":', false, "torn"],
    ["not json", true, "malformed"],
    ["42", true, "not an object"],
    ["[1]", true, "not an object"],
    ["null", true, "not an object"],
  ];
  for (const [text, complete, reason] of broken) {
    test(`${text} (${complete ? "complete" : "last"}) is ${reason}`, () => {
      expect(parse(text, complete)).toMatchObject({ kind: "broken", reason, line: 7, offset: 70 });
    });
  }

  test("an empty line is nothing, a line over the limit is told", () => {
    expect(parse(" \r")).toBeUndefined();
    const content = new Uint8Array(0);
    const line = { content, number: 1, offset: 0, complete: true, tooLong: 99 };
    expect(parseEntry(line)).toMatchObject({ reason: "too long", bytes: 99 });
  });
});

test("content of any form becomes typed blocks; what is malformed is other, and an error is one when it says so", () => {
  const blocksOf = (content: unknown) => {
    const entry = parse({ type: "user", message: { content } });
    return entry?.kind === "user" ? entry.blocks : undefined;
  };
  expect(blocksOf("hi")).toEqual([{ type: "text", text: "hi" }]);
  expect(blocksOf(null)).toEqual([]);
  const other = (blockType: string) => ({ type: "other", blockType });
  expect(
    blocksOf([
      { type: "thinking", thinking: "hm" },
      { type: "thinking" },
      { type: "tool_use", id: "t1", name: "Bash", input: { a: 1 } },
      { type: "tool_use", id: "t1" },
      { type: "tool_result", tool_use_id: "t1", content: "x", is_error: true },
      { type: "tool_result", tool_use_id: "t1", content: "x", is_error: "yes" },
      { type: "image" },
      7,
    ]),
  ).toEqual([
    { type: "thinking", thinking: "hm" },
    other("thinking"),
    { type: "tool_use", id: "t1", name: "Bash", input: { a: 1 } },
    other("tool_use"),
    { type: "tool_result", toolUseId: "t1", content: "x", isError: true },
    { type: "tool_result", toolUseId: "t1", content: "x", isError: false },
    other("image"),
    other(""),
  ] as never);
});

test.each<[unknown, object | undefined]>([
  [undefined, undefined],
  [null, undefined],
  ["many", undefined],
  [{}, undefined],
  [{ input_tokens: "3", output_tokens: null }, undefined],
  [{ output_tokens: 0 }, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }],
  [{ input_tokens: 3 }, { input: 3, output: 0, cacheRead: 0, cacheWrite: 0 }],
  [{ cache_read_input_tokens: 4 }, { input: 0, output: 0, cacheRead: 4, cacheWrite: 0 }],
  [{ cache_creation_input_tokens: 5 }, { input: 0, output: 0, cacheRead: 0, cacheWrite: 5 }],
  [
    { input_tokens: -1, output_tokens: Number.NaN, cache_read_input_tokens: "7" },
    { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  ],
])("the usage in %j is %j", (value, usage) => {
  const entry = parse({ type: "assistant", message: { content: [], usage: value } });
  expect<unknown>(entry?.kind === "assistant" && entry.usage).toEqual(usage);
});

describe("without progress", () => {
  const begun = { parentUuid: null, cwd: "/shöp" };
  test.each<[unknown, boolean]>([
    [{ ...begun, type: "progress", data: { type: "hook_progress" } }, true],
    // Its type stands behind what is nested, or far from the beginning.
    [{ ...begun, data: { type: "hook_progress" }, type: "progress" }, true],
    [{ cwd: `/${"a".repeat(3_000)}`, type: "progress" }, true],
    [{ type: "user", data: { type: "progress" } }, false],
    [{ data: { type: "progress" }, type: "user" }, false],
    [{ cwd: '"type":"progress"', type: "user" }, false],
    [{ ...begun, type: "system" }, false],
    ['"type":"progress"', false],
    ["{", false],
    // It is not even parsed.
    ['{"type":"progress",', true],
  ])("a line of %j is passed over: %p", (value, isPassed) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const content = new TextEncoder().encode(text);
    const line = { content, number: 7, offset: 70, complete: true, tooLong: 0 };
    expect(withoutProgress()(line)).toEqual(isPassed ? undefined : parseEntry(line));
  });

  test("what a line of another client says is told by its own parser alone", () => {
    const types: Record<string, string> = { progress: "user", user: "progress" };
    const parse = withoutProgress((line) =>
      parseTranslated(line, ({ type }) => ({ type: types[String(type)] })),
    );
    const read = ['{"type":"progress"}', '{"type":"user"}'].map((text) =>
      parse({ content: Buffer.from(text), number: 1, offset: 0, complete: true, tooLong: 0 }),
    );
    expect(read).toMatchObject([{ kind: "user" }, undefined]);
  });
});
