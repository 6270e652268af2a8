// Lines whose structured result was stepped over are the same entries as those that were parsed whole.
import { describe, expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { parseEntry } from "../../src/transcript/parse-entry.ts";
import { skipResult } from "../../src/transcript/skip-result.ts";

const filler = "x".repeat(600);
const envelope = {
  parentUuid: "p",
  sessionId: "s",
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: filler }] },
  uuid: "u",
  timestamp: "2026-03-01T10:00:00.000Z",
};

function parse(text: string, complete = true, strict = false) {
  const content = Buffer.from(text);
  return parseEntry({ content, number: 1, offset: 0, complete, tooLong: 0 }, { strict });
}

const values: Array<[string, unknown]> = [
  ["an object", { stdout: filler, nested: { a: [1, { b: "}" }] } }],
  ["a list", [{ type: "text", text: filler }, "]"]],
  ["a string", `Error: "${filler}" \\ \\" ,"x":"y"`],
  ["text outside ASCII", { text: `é日😀 ${filler}` }],
  ["text that looks like the end of a line", { text: '"},"sourceToolAssistantUUID":"x"}' }],
  ["text that looks like the key", { text: ',"toolUseResult":{"a":1}' }],
  ["an object that ends in texts", { a: filler, b: "c", d: "e" }],
  ["an empty object", {}],
  ["a number", 5],
  ["null", null],
];
const tails: Array<[string, Record<string, unknown>]> = [
  ["last", {}],
  ["before another", { sourceToolAssistantUUID: "v" }],
  ["before two", { slug: "a-b", sourceToolAssistantUUID: "v" }],
  ["before a number", { count: 5 }],
  ["before an object", { more: { a: "b" } }],
  ["before an odd text", { note: 'a "quoted" \\ text\\' }],
];

describe.each(values)("%s", (_, toolUseResult) => {
  test.each(tails)("as a result stands %s", (_, tail) => {
    const value = { ...envelope, toolUseResult, ...tail };
    const entry = parse(JSON.stringify(value));
    if (entry?.kind !== "user") throw new Error("no user entry");
    expect(entry.toolUseResult()).toEqual(toolUseResult);
    expect(entry.raw()).toEqual(value);
    expect(entry.uuid).toBe("u");
    expect(entry.blocks).toMatchObject([{ type: "tool_result", content: filler }]);
  });
});

test("the usual line is stepped over, and what follows the result is kept", () => {
  const value = { ...envelope, toolUseResult: { stdout: filler }, sourceToolAssistantUUID: "v" };
  const content = Buffer.from(JSON.stringify(value));
  const skipped = skipResult(content);
  expect(JSON.parse(skipped?.rest ?? "")).toEqual({ ...envelope, sourceToolAssistantUUID: "v" });
  expect(JSON.parse(content.toString("utf8", skipped?.start, skipped?.end))).toEqual({
    stdout: filler,
  });
});

test("members behind the result are not lost with it", () => {
  const { message, uuid, ...rest } = envelope;
  for (const value of [
    { ...rest, uuid, toolUseResult: { a: filler }, message },
    { ...rest, message, toolUseResult: { a: filler }, more: { b: "c" }, uuid },
  ])
    expect(parse(JSON.stringify(value))).toMatchObject({
      uuid: "u",
      blocks: [{ type: "tool_result" }],
    });
});

test("a nested key of that name is none of the line's own", () => {
  const value = {
    ...envelope,
    message: { content: [{ type: "text", text: filler, toolUseResult: { a: "b" } }] },
  };
  const nested = { type: "user", message: { content: filler, toolUseResult: { a: "b" } } };
  for (const one of [value, nested]) {
    const entry = parse(JSON.stringify(one));
    expect(entry?.kind === "user" && entry.toolUseResult()).toBeUndefined();
    expect(entry?.kind === "user" && entry.raw()).toEqual(one);
  }
});

describe("malformed lines", () => {
  const line = JSON.stringify({ ...envelope, toolUseResult: { a: { b: filler } } });
  const glued = `${line.slice(0, -20)}${JSON.stringify({ ...envelope, toolUseResult: { c: "d" } })}`;

  test("a line that was glued to a torn one is told", () => {
    expect(parse(glued)).toMatchObject({ kind: "broken", reason: "malformed" });
  });

  test("a last line that ends in a brace by chance is torn", () => {
    const torn = line.slice(0, -1);
    expect(torn.endsWith("}")).toBe(true);
    expect(parse(torn, false)).toMatchObject({ kind: "broken", reason: "torn" });
  });

  test("what is broken inside the result shows when it is asked for, or at once when asked to be strict", () => {
    const odd = line.replace('{"a":{', '{"a":{{');
    const entry = parse(odd);
    expect(entry?.kind === "user" && [entry.toolUseResult(), entry.raw()]).toEqual([
      undefined,
      undefined,
    ]);
    expect(parse(odd, true, true)).toMatchObject({ kind: "broken", reason: "malformed" });
    const progress = `{"type":"progress","data":{"a":[},"timestamp":"${envelope.timestamp}"}`;
    expect(parse(progress)).toMatchObject({ kind: "other", type: "progress" });
    expect(parse(progress, true, true)).toMatchObject({ kind: "broken", reason: "malformed" });
    expect(parse('{"type":"progress","data":{"a":[]}}', true, true)).toMatchObject({
      kind: "other",
      type: "progress",
    });
  });
});
