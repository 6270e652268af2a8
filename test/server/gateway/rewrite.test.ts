// What becomes of a request's body: it goes out as it came whenever anything is unsure, and it is said why.
import { expect, test } from "bun:test";
import { parseBody, rewrite, writeBody } from "../../../src/server/gateway/handle-request.ts";
import { fakeHooks, type Responders } from "../../support/fake-hooks.ts";
import { keptLog } from "../../support/kept-log.ts";

const caller = { client: "claude-code", session: "s1", agent: "a1" };
const original = '{"model":"m","messages":[1,2]}';
const bytesOf = (text: string) => new TextEncoder().encode(text);

async function rewritten(request: Responders["request"], given: string | undefined = original) {
  const log = keptLog();
  const hooks = fakeHooks(request ? { request } : {});
  let reads = 0;
  const text = () => {
    reads++;
    return given;
  };
  const { bytes, outcome } = await rewrite(bytesOf(original), text, caller, { hooks, log });
  const said = log.lines.map(({ level, message }) => `${level}: ${message}`);
  return { text: new TextDecoder().decode(bytes), outcome, said, reads, log };
}

test("who asks is told to the strategies, and a body that nobody looks at is not parsed", async () => {
  const seen: unknown[] = [];
  const { outcome, reads, text } = await rewritten(({ client, session, agent }) => {
    seen.push({ client, session, agent });
    return undefined;
  });
  expect([seen, outcome, reads, text]).toEqual([[caller], "untouched", 0, original]);
});

test("a strategy's body goes out; one that was only looked at is read once and untouched", async () => {
  const changed = await rewritten((request) => ({
    ...caller,
    body: { ...(request.body as object), messages: [2] },
  }));
  expect([changed.outcome, changed.text, changed.said]).toEqual([
    ...["rewritten", '{"model":"m","messages":[2]}', []],
  ]);
  const looked = await rewritten((request) => ({ ...caller, body: request.body && request.body }));
  expect([looked.outcome, looked.text, looked.reads]).toEqual(["untouched", original, 1]);
});

test.each([
  ["no text", undefined],
  ["no JSON", "{"],
  ["a body that would be written otherwise", '{ "messages": [] }'],
])("%s: nobody changes it", async (_, given) => {
  const { outcome, text, said } = await rewritten((request) => {
    expect(request.body).toEqual({});
    return { ...caller, body: { messages: ["changed"] } };
  }, given ?? "");
  expect([outcome, text, said]).toEqual(["unsure", original, []]);
});

test("a strategy that gives no body, throws, or is late costs nothing but a line in the log", async () => {
  const none = await rewritten(() => ({ ...caller, body: { other: 1 } }));
  expect([none.outcome, none.text, none.said]).toEqual([
    ...["failed", original, ["warn: a request went on as it came: a strategy gave no body"]],
  ]);
  const hooks = { ...fakeHooks(), reduce: () => Promise.reject(new Error("boom")) };
  const log = keptLog();
  const thrown = await rewrite(bytesOf(original), () => original, caller, { hooks, log });
  expect([thrown.outcome, log.lines]).toMatchObject([
    "failed",
    [
      {
        level: "warn",
        message: "a request went on as it came",
        fields: { error: expect.any(Error) },
      },
    ],
  ]);
  const late = await rewrite(bytesOf(original), () => original, caller, {
    hooks: { ...fakeHooks(), reduce: () => new Promise(() => {}) },
    log,
    withinMs: 1,
  });
  expect(new TextDecoder().decode(late.bytes)).toBe(original);
  expect([late.outcome, log.lines[1]]).toMatchObject([
    "failed",
    { message: expect.stringContaining("was late"), fields: { ms: 1 } },
  ]);
});

test("what others changed goes out though one failed; where nobody changed it the failure counts", async () => {
  const log = keptLog();
  const failing = (value: (request: object) => object) => ({
    ...fakeHooks(),
    reduce: async (_: string, request: object) => ({ value: value(request), failed: ["x"] }),
  });
  const outcomes = [];
  for (const value of [
    (request: object) => request,
    () => ({ ...caller, body: { messages: [] } }),
  ]) {
    const hooks = failing(value) as never;
    outcomes.push(
      (await rewrite(bytesOf(original), () => original, caller, { hooks, log })).outcome,
    );
  }
  expect(outcomes).toEqual(["failed", "rewritten"]);
});

test.each([
  ['{"messages":[]}', true],
  ['{"messages":[],"a":1.5}', true],
  ['{"messages":{}}', false],
  ['{"a":1}', false],
  ["[]", false],
  ["null", false],
  ['{"messages":[],"a":1.0}', false],
  ['{"messages":[]}\n', false],
])("%s is a body that comes out as it came: %p", (text, isSure) => {
  expect(parseBody(text)).toEqual(isSure ? JSON.parse(text) : undefined);
});

test("only a body with messages is written, and one that cannot be is none", () => {
  expect(writeBody({ messages: [] })).toBe('{"messages":[]}');
  for (const wrong of [{}, null, "text", { messages: "x" }, { messages: [], big: 1n }])
    expect(writeBody(wrong)).toBeUndefined();
});
