// Many replies become one.

import { expect, test } from "bun:test";
import { mergeReplies } from "../../../src/runtime/events/event-way.ts";
import type { Reply } from "../../../src/sdk/events.ts";
import { contextLimit } from "../../../src/sdk/events.ts";

const merge = (...replies: Reply[]) =>
  mergeReplies(replies.map((result, at) => ({ plugin: `p${at + 1}`, result })));
const long = (length: number) => "x".repeat(length);

test.each<[string, Reply[], Reply, string[]]>([
  ["nobody", [], {}, []],
  ["nothing to say", [{}, { context: "  \n" }, { systemMessage: "" }], {}, []],
  [
    "in order",
    [{ context: "a" }, { context: "b", systemMessage: "1" }, { systemMessage: "2" }],
    { context: "a\n\nb", systemMessage: "1\n2" },
    [],
  ],
  [
    "the last tool output counts",
    [{ updatedToolOutput: 1 }, {}, { updatedToolOutput: { a: 2 } }],
    { updatedToolOutput: { a: 2 } },
    [],
  ],
  [
    "what does not fit whole is left out",
    [{ context: long(9_000) }, { context: long(999) }, { context: "fits" }],
    { context: `${long(9_000)}\n\nfits` },
    ["p2"],
  ],
  ["too long alone", [{ context: long(contextLimit + 1) }], {}, ["p1"]],
  [
    "exactly the limit",
    [{ context: long(4_999) }, { context: long(4_999) }],
    { context: `${long(4_999)}\n\n${long(4_999)}` },
    [],
  ],
  ["not a text", [{ context: 3 } as never, { context: "a" }], { context: "a" }, []],
])("%s", (_, replies, reply, leftOut) => {
  expect(merge(...replies)).toEqual({ reply, leftOut, noted: [] });
});

test("what is to be counted goes beside the reply, and holds no text", () => {
  const replies = [{ noted: ["failure:told", "said: the secret"] }, { noted: ["file:looked-up"] }];
  expect(merge(...replies)).toEqual({
    reply: {},
    leftOut: [],
    noted: ["failure:told", "file:looked-up"],
  });
});

test("traces stand for the lines that begin with a dash, also behind contexts that have none or others than lines", () => {
  const traced = { context: "head\n- a\n  - in a\n- b", traces: [["m1"], ["t1", "t2"]] };
  expect(merge({ context: "- x\n- y" }, traced).reply.traces).toEqual([
    [],
    [],
    ["m1"],
    ["t1", "t2"],
  ]);
  const wrong = { context: "- z", traces: [["m1"], ["m2"]] };
  expect(merge(wrong, traced).reply.traces).toEqual([[], ["m1"], ["t1", "t2"]]);
  const room = { context: "x".repeat(contextLimit), traces: [] };
  expect(merge(room, traced).reply.traces).toEqual([]);
  expect(merge({ context: "- x" }).reply).toEqual({ context: "- x" });
});
