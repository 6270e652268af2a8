// A rewritten transcript held against the one it was made from: the first thing that is wrong, in words.
import { expect, test } from "bun:test";
import { checkRewrite } from "../../src/transcript/rewrite-file.ts";
import { indexTranscript, type RewriteIndex } from "../../src/transcript/rewrite-index.ts";

type Line = Record<string, unknown>;
const input = { file_path: "a.ts", content: "x".repeat(50) };
const before: Line[] = [
  { type: "user", uuid: "u1", message: { role: "user", content: "Go" } },
  {
    ...{ type: "assistant", uuid: "a1", parentUuid: "u1" },
    message: {
      ...{ role: "assistant", id: "m1" },
      content: [
        { type: "tool_use", id: "t1", name: "Write", input },
        { type: "tool_use", id: "t2", name: "Read", input },
      ],
    },
  },
  {
    ...{ type: "user", uuid: "u2", parentUuid: "a1" },
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
  },
  {
    ...{ type: "assistant", uuid: "a2", parentUuid: "u2" },
    message: { role: "assistant", id: "m2", content: [{ type: "text", text: "Done" }] },
  },
];
/** As it is after a rewrite: `t1` cleared, a pair in front of `a2`. */
const rewritten: Line[] = [
  ...before.slice(0, 1),
  at(1, (line) => {
    contentOf(line)[0] = {
      ...contentOf(line)[0],
      input: { file_path: "a.ts", memoir: "cleared" },
    };
  }),
  ...before.slice(2, 3),
  {
    ...{ type: "assistant", uuid: "n1", parentUuid: "u2" },
    message: {
      ...{ role: "assistant", id: "mn" },
      content: [{ type: "tool_use", id: "tn", name: "mcp__memoir__get", input: { ids: ["o1"] } }],
    },
  },
  {
    ...{ type: "user", uuid: "n2", parentUuid: "n1" },
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "tn", content: "o1" }] },
  },
  at(3, (line) => {
    line.parentUuid = "n2";
  }),
];

function contentOf(line: Line): Line[] {
  return (line.message as { content: Line[] }).content;
}

function at(index: number, change: (line: Line) => void, lines = before): Line {
  const line = structuredClone(lines[index] ?? {});
  change(line);
  return line;
}

async function* bytes(lines: readonly (Line | string)[]) {
  const texts = lines.map((line) =>
    typeof line === "string" ? line : JSON.stringify({ sessionId: "s", ...line }),
  );
  yield new TextEncoder().encode(`${texts.join("\n")}\n`);
}
const index = (lines: readonly (Line | string)[]): Promise<RewriteIndex> =>
  indexTranscript(bytes(lines));

const pairs = new Map([
  ["a2", { lines: ["", ""], uuids: ["n1", "n2"], toolUseId: "tn" } as const],
]) as unknown as Parameters<typeof checkRewrite>[2]["pairs"];
const plan = { pairs, cleared: new Set(["t1"]) };

/** The rewritten lines, the one at `index` changed. */
const spoilt = (index: number, change: (line: Line) => void) =>
  rewritten.map((line, i) => (i === index ? at(index, change, rewritten) : line));

test("what was planned and nothing else is right", async () => {
  // Which inputs count as cleared is read off the inputs themselves.
  const after = await index(rewritten);
  for (const entry of after.entries)
    for (const use of entry.uses) if (use.id === "t1") use.cleared = true;
  expect(checkRewrite(await index(before), after, plan)).toBeUndefined();
  const none = { pairs: new Map(), cleared: new Set<string>() };
  expect(checkRewrite(await index(before), await index(before), none)).toBeUndefined();
});

test.each<[string, readonly (Line | string)[], string]>([
  ["a torn line", [...rewritten, "{torn"], "a line is no valid JSON any more"],
  ["a pair twice", [...rewritten, ...rewritten.slice(3, 4)], "an inserted entry is there twice"],
  ["half a pair", rewritten.filter(({ uuid }) => uuid !== "n2"), "an inserted entry is missing"],
  ["a line less", rewritten.filter(({ uuid }) => uuid !== "u2"), "the number of entries changed"],
  ["a line more", [...rewritten, { type: "user", uuid: "x" }], "the number of entries changed"],
  [
    "another id",
    spoilt(0, (line) => {
      line.uuid = "x";
    }),
    "an entry is not the same",
  ],
  [
    "another kind",
    spoilt(0, (line) => {
      line.type = "system";
    }),
    "an entry is not the same",
  ],
  [
    "another parent",
    spoilt(2, (line) => {
      line.parentUuid = "u1";
    }),
    "an entry lost its parent",
  ],
  [
    "a parent that was to change",
    spoilt(5, (line) => {
      line.parentUuid = "u2";
    }),
    "an entry lost its parent",
  ],
  [
    "another message",
    spoilt(5, (line) => {
      (line.message as Line).id = "x";
    }),
    "an entry changed its message",
  ],
  [
    "off to the side",
    spoilt(2, (line) => {
      line.isSidechain = true;
    }),
    "an entry changed its message",
  ],
  [
    "another's result",
    spoilt(2, (line) => {
      (contentOf(line)[0] as Line).tool_use_id = "t2";
    }),
    "a tool result changed its tool use",
  ],
  [
    "a use less",
    spoilt(1, (line) => {
      contentOf(line).pop();
    }),
    "a tool use is missing",
  ],
  [
    "another use",
    spoilt(1, (line) => {
      (contentOf(line)[1] as Line).id = "x";
    }),
    "a tool use changed",
  ],
  [
    "another tool",
    spoilt(1, (line) => {
      (contentOf(line)[1] as Line).name = "Edit";
    }),
    "a tool use changed",
  ],
  ["an input that stayed", spoilt(1, () => {}), "an input was not cleared"],
  [
    "an input that was not to go",
    spoilt(1, (line) => {
      (contentOf(line)[1] as Line).input = {};
    }),
    "an input changed",
  ],
  [
    "a broken chain",
    spoilt(4, (line) => {
      line.parentUuid = "u2";
    }),
    "the chain is broken at an inserted pair",
  ],
  [
    "a chain that leads nowhere",
    spoilt(3, (line) => {
      line.parentUuid = "x";
    }),
    "the chain is broken at an inserted pair",
  ],
  [
    "a pair whose result is another's",
    spoilt(4, (line) => {
      (contentOf(line)[0] as Line).tool_use_id = "x";
    }),
    "an inserted tool use has no result",
  ],
  [
    "a pair whose use is another's",
    spoilt(3, (line) => {
      (contentOf(line)[0] as Line).id = "x";
    }),
    "an inserted tool use has no result",
  ],
])("%s is found", async (name, lines, wrong) => {
  const after = await index(lines);
  for (const entry of after.entries)
    for (const use of entry.uses)
      if (use.id === "t1" && name !== "an input that stayed") use.cleared = true;
      else use.cleared = false;
  expect(checkRewrite(await index(before), after, plan)).toBe(wrong);
});
