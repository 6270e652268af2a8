// What of a plugin's lines is sent to the host.
import { expect, test } from "bun:test";
import type { Said } from "../../../src/runtime/isolation/messages.ts";
import { createWorkerLog } from "../../../src/runtime/isolation/worker-main.ts";

function opened() {
  const sent: Array<Extract<Said, { type: "log" }>> = [];
  let now = 0;
  const log = createWorkerLog(
    (said) => void sent.push(said),
    () => now,
  );
  const later = (ms: number): void => {
    now += ms;
  };
  return { log, sent, later };
}

test("a line has its level and words; fields only where there are some, errors by their words", () => {
  const { log, sent } = opened();
  log("warn", "careful", { at: 1, error: new RangeError("too far") });
  log("info", 42);
  log("debug", "none", {});
  log("error", "null", null as never);
  expect(sent).toEqual([
    { type: "log", level: "warn", message: "careful", fields: { at: 1, error: "too far" } },
    { type: "log", level: "info", message: "42" },
    { type: "log", level: "debug", message: "none" },
    { type: "log", level: "error", message: "null" },
  ]);
});

test("words beyond 2000 characters and fields beyond 16 KB do not cross", () => {
  const { log, sent } = opened();
  log("info", "x".repeat(3_000), { small: "y".repeat(7_000) });
  log("info", "x", { large: "y".repeat(17_000) });
  log("info", "x", { f: () => 1 });
  expect(sent[0]?.message).toHaveLength(2_000);
  expect(Object.keys(sent[0]?.fields ?? {})).toEqual(["small"]);
  for (const { fields } of sent.slice(1))
    expect(Object.keys(fields ?? {})).toEqual(["fieldsLeftOut"]);
});

test("a hundred lines go at once, then fifty a second; the next one says how many were dropped", () => {
  const { log, sent, later } = opened();
  for (let n = 0; n < 130; n++) log("info", `line ${n}`, { n });
  expect(sent).toHaveLength(100);
  later(1_000);
  log("info", "after");
  log("info", "and after");
  expect(sent.slice(100)).toEqual([
    { type: "log", level: "info", message: "after", fields: { droppedBefore: 30 } },
    { type: "log", level: "info", message: "and after" },
  ]);
  for (let n = 0; n < 60; n++) log("info", "again");
  expect(sent).toHaveLength(150);
});
