// Tool events gathered into batches: what closes one, what stays open, and whose is whose.
import { expect, test } from "bun:test";
import type { PendingEvent } from "../../../src/runtime/journal/events.ts";
import { gatherTools, type ToolGroup } from "../../../src/runtime/worker/plan.ts";

const limits = { quietMs: 100, idleMs: 500, maxToolUses: 3, maxBytes: 50 };
let seq = 0;
const event = (promptNumber: number, part: Partial<PendingEvent> = {}): PendingEvent => {
  seq++;
  return {
    ...{ seq, key: `k${seq}`, name: "PostToolUse", promptNumber, receivedAt: 0, bytes: 10 },
    ...{ spoken: false, recovered: false, toolUseId: `t${seq}` },
    ...part,
  };
};
const said = (
  promptNumber: number,
  name: "Stop" | "SubagentStop",
  agent?: string,
): PendingEvent => {
  const { toolUseId: _, ...rest } = event(promptNumber, { name });
  return { ...rest, ...(agent !== undefined && { agent }) };
};
const shape = (groups: ToolGroup[]) =>
  groups.map(({ promptNumber, toolUses, bytes, events }) => [
    promptNumber,
    toolUses,
    bytes,
    events.length,
  ]);
const gather = (past: Array<[number, { stopped: boolean; toolUses: boolean }]> = [], open = 1) =>
  gatherTools(limits, new Map(past), open);

test("a batch closes with as many tool uses as it may hold", () => {
  const groups = gather();
  expect(groups.addTool(event(1))).toEqual([]);
  expect(groups.addTool(event(1))).toEqual([]);
  expect(shape(groups.addTool(event(1)))).toEqual([[1, 3, 30, 3]]);
  expect(groups.close()).toEqual([]);
});

test("a tool use that would make a batch too large closes what was gathered before it", () => {
  const groups = gather();
  groups.addTool(event(1, { bytes: 30 }));
  expect(shape(groups.addTool(event(1, { bytes: 30 })))).toEqual([[1, 1, 30, 1]]);
  expect(shape(groups.close())).toEqual([[1, 1, 30, 1]]);
  // One that is too large by itself waits for its end like any other.
  expect(groups.addTool(event(1, { bytes: 900 }))).toEqual([]);
});

test("a Stop closes its own prompt and those before it, joins its own, and leaves later ones open", () => {
  const groups = gather();
  groups.addTool(event(2));
  groups.addTool(event(1));
  groups.addTool(event(3));
  expect(shape(groups.close(said(2, "Stop")))).toEqual([
    [1, 1, 10, 1],
    [2, 1, 10, 2],
  ]);
  expect(shape(groups.close())).toEqual([[3, 1, 10, 1]]);
});

test("a Stop leaves open what an agent did that still runs, until that agent's last word", () => {
  const groups = gather();
  groups.addTool(event(1, { agent: "a1" }));
  groups.addTool(event(1));
  expect(shape(groups.close(said(1, "Stop")))).toEqual([[1, 1, 10, 2]]);
  expect(groups.quietAt()).toBe(100);
  expect(shape(groups.addSubagentStop(said(1, "SubagentStop", "a1")))).toEqual([[1, 1, 10, 2]]);
  expect(groups.quietAt()).toBeNull();
});

test("of two agents in the background each one's own closes with its last word", () => {
  const groups = gather([[1, { stopped: true, toolUses: true }]], 2);
  groups.addTool(event(1, { agent: "a1" }));
  groups.addTool(event(1, { agent: "a2" }));
  const [closed] = groups.addSubagentStop(said(1, "SubagentStop", "a1"));
  expect(closed?.events.map(({ agent }) => agent)).toEqual(["a1", "a1"]);
  expect(groups.close().flatMap(({ events }) => events.map(({ agent }) => agent))).toEqual(["a2"]);
});

test("an agent's last word while its prompt runs closes nothing", () => {
  const groups = gather();
  groups.addTool(event(1, { agent: "a1" }));
  expect(groups.addSubagentStop(said(1, "SubagentStop", "a1"))).toEqual([]);
  expect(shape(groups.close(said(1, "Stop")))).toEqual([[1, 1, 10, 3]]);
});

test("the next prompt closes those before it; quiet ones close by time, the first first", () => {
  const groups = gather();
  groups.addTool(event(1));
  groups.addTool(event(2, { receivedAt: 30 }));
  groups.addTool(event(3, { receivedAt: 60 }));
  expect(shape(groups.nextPrompt(2))).toEqual([[1, 1, 10, 1]]);
  expect(groups.quietAt()).toBe(130);
  expect(groups.closeQuiet(129)).toEqual([]);
  expect(shape(groups.closeQuiet(130))).toEqual([[2, 1, 10, 1]]);
  expect(groups.quietAt()).toBe(160);
});

test("a prompt had tool uses when they were gathered now, or planned before", () => {
  const groups = gather(
    [
      [1, { stopped: true, toolUses: true }],
      [2, { stopped: true, toolUses: false }],
    ],
    3,
  );
  groups.addTool(event(3));
  const seen = [1, 2, 3, 4].map((number) => groups.seen(said(number, "Stop")));
  expect(seen).toEqual([true, false, true, false]);
});
