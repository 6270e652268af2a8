// The end of a worker comes once: everything that waits hears why, everything is let go of, and the log has one line.
import { expect, test } from "bun:test";
import { createCalls, createEnding } from "../../../src/runtime/isolation/calls.ts";
import { keptLog } from "../../support/kept-log.ts";

function worker() {
  const calls = createCalls();
  const log = keptLog();
  const ending = createEnding("mine", log, calls);
  const open = (what: string) => {
    const { id, answer } = calls.open(what, {} as never);
    const failed = answer.then(
      () => "answered",
      (error: unknown) => error,
    );
    return { id, failed };
  };
  return { calls, log, ending, open };
}

test("a fault fails every call that waits, each under its own name, and is told once with what it was during", async () => {
  const { ending, open, log, calls } = worker();
  const [stop, observe, again] = [open("Stop"), open("observe"), open("Stop")];
  expect(ending.isOver).toBe(false);
  ending.fail("plugin_memory", "it took too much", ["capture"]);
  expect(ending.isOver).toBe(true);
  for (const [{ failed }, hook] of [
    [stop, "Stop"],
    [observe, "observe"],
    [again, "Stop"],
  ] as const)
    expect(await failed).toMatchObject({
      ...{ code: "plugin_memory", plugin: "mine", hook },
      message: `plugin mine failed in ${hook}: it took too much`,
      cause: new Error("it took too much"),
    });
  ending.fail("plugin_failed", "once more");
  ending.gone();
  ending.stop();
  expect(log.lines).toEqual([
    {
      level: "error",
      message: "a plugin's worker ended",
      fields: { plugin: "mine", why: "it took too much", during: "capture, Stop, observe" },
    },
  ]);
  expect(calls.waiting()).toEqual([]);
});

test("an exit says its code and, where it is known, its place; without one it ended by itself", async () => {
  const left = worker();
  const call = left.open("Stop");
  left.ending.exit({ type: "exit", code: 3, place: "mine.ts:7" });
  expect(await call.failed).toMatchObject({
    code: "plugin_ended",
    message: "plugin mine failed in Stop: it ended its worker with exit(3) (mine.ts:7)",
  });
  expect(left.log.lines[0]?.fields).toMatchObject({ place: "mine.ts:7", during: "Stop" });
  const bare = worker();
  bare.ending.exit({ type: "exit", code: 0 });
  expect(bare.log.lines[0]?.fields).toEqual({
    ...{ plugin: "mine", why: "it ended its worker with exit(0)", during: "" },
  });
  const crashed = worker();
  crashed.ending.gone();
  expect(crashed.log.lines[0]?.fields).toMatchObject({ why: "its worker ended by itself" });
});

test("an orderly stop fails what waits and is no line in the log", async () => {
  const { ending, open, log } = worker();
  const { failed } = open("Stop");
  ending.stop();
  expect(await failed).toMatchObject({
    ...{ code: "plugin_failed", message: "plugin mine failed in Stop: it has been stopped" },
  });
  expect([ending.isOver, log.lines]).toEqual([true, []]);
});

test("what is to be let go of is, once, at the end; at once where that has come", () => {
  const { ending } = worker();
  const released: string[] = [];
  ending.release(() => released.push("port"));
  ending.release(() => released.push("timer"));
  expect(released).toEqual([]);
  ending.gone();
  ending.gone();
  expect(released).toEqual(["port", "timer"]);
  ending.release(() => released.push("late"));
  expect(released).toEqual(["port", "timer", "late"]);
});

test("calls have numbers of their own; one that is settled is out, and settled by nobody again", () => {
  const { calls } = worker();
  const [one, two] = [calls.open("a", "of a" as never), calls.open("b", "of b" as never)];
  one.answer.catch(() => undefined);
  expect([one.id === two.id, calls.contextOf(one.id)]).toEqual([false, "of a" as never]);
  expect(calls.settle(one.id)?.what).toBe("a");
  expect([calls.settle(one.id), calls.contextOf(one.id)]).toEqual([undefined, undefined]);
  expect(calls.waiting().map(({ what }) => what)).toEqual(["b"]);
  expect(calls.settleAll().map(({ what }) => what)).toEqual(["b"]);
  expect([calls.settleAll(), calls.settle(99)]).toEqual([[], undefined]);
});
