// Who waits for what, and what becomes due when: waiters, drains, the agenda and pruning, on a clock that only the test moves.
import { describe, expect, test } from "bun:test";
import { silentLog } from "../../../src/home/log.ts";
import { createAgenda } from "../../../src/runtime/worker/schedule.ts";
import { placesIn } from "../../../src/runtime/worker/turn.ts";
import { createDrains, createPruning, createWaiters } from "../../../src/runtime/worker/worker.ts";
import type { NewTurn } from "../../../src/sdk/turn.ts";
import type { Settled } from "../../../src/sdk/work.ts";
import { createFakeClock, quiet } from "../../support/fake-clock.ts";

describe("who waits for a tool use", () => {
  const settled = (toolUseId: string) => ({ toolUseId, outcome: "stored" }) as Settled;

  test("hears how it ended, all of them, and nobody else does", async () => {
    const clock = createFakeClock();
    const waiters = createWaiters(clock.timers);
    const [one, two, other] = [waiters.add("t1", 50), waiters.add("t1", 90), waiters.add("t2", 50)];
    expect([...waiters.ids()]).toEqual(["t1", "t2"]);
    waiters.settle(settled("t1"));
    expect([await one, await two]).toEqual([settled("t1"), settled("t1")]);
    expect([...waiters.ids()]).toEqual(["t2"]);
    clock.advance(50);
    expect(await other).toBeUndefined();
    expect([waiters.ids().size, clock.pending()]).toEqual([0, 0]);
  });

  test("is let go after its own time, and the others go on waiting", async () => {
    const clock = createFakeClock();
    const waiters = createWaiters(clock.timers);
    const [short, long] = [waiters.add("t1", 10), waiters.add("t1", 90)];
    clock.advance(10);
    expect(await short).toBeUndefined();
    expect([...waiters.ids()]).toEqual(["t1"]);
    waiters.release();
    expect([await long, clock.pending()]).toEqual([undefined, 0]);
  });
});

describe("who waits until work is done", () => {
  test("is told at a look that finds it done, at once where it is, and false after its time", async () => {
    const clock = createFakeClock();
    const drains = createDrains(clock.timers);
    let isDone = false;
    const first = drains.add(() => isDone, 50);
    const late = drains.add(() => false, 50);
    drains.look();
    isDone = true;
    expect(clock.pending()).toBe(2);
    drains.look();
    expect([await first, await drains.add(() => isDone, 50)]).toEqual([true, true]);
    clock.advance(50);
    expect([await late, clock.pending()]).toEqual([false, 0]);
    const left = drains.add(() => false, 50);
    drains.release();
    expect([await left, clock.pending()]).toEqual([false, 0]);
  });
});

describe("the agenda", () => {
  function open() {
    const clock = createFakeClock(0);
    let rung = 0;
    const agenda = createAgenda(clock.now, clock.timers, () => {
      rung++;
    });
    const all = () => {
      const taken: number[] = [];
      for (let row = agenda.take(() => false); row !== undefined; row = agenda.take(() => false))
        taken.push(row);
      return taken;
    };
    return { clock, agenda, all, rung: () => rung };
  }

  test("gives who has been ready for longest, passes over the busy, and lets some wait for all others", () => {
    const { agenda, all } = open();
    for (const row of [3, 1, 2, 3]) agenda.add(row);
    agenda.rank(3, true);
    expect(agenda.take((row) => row === 1)).toBe(2);
    expect(agenda.has(1)).toBe(true);
    expect(all()).toEqual([1, 3]);
    agenda.add(3);
    agenda.add(1);
    agenda.rank(3, false);
    expect(all()).toEqual([3, 1]);
  });

  test("rings once for what is due at one time, with a single alarm for the earliest", () => {
    const { clock, agenda, all, rung } = open();
    agenda.addAt(1, 30);
    agenda.addAt(2, 10);
    agenda.addAt(3, 10);
    expect(clock.pending()).toBe(1);
    clock.advance(9);
    expect([rung(), all()]).toEqual([0, []]);
    clock.advance(1);
    expect([rung(), all()]).toEqual([1, [2, 3]]);
    clock.advance(20);
    expect([rung(), all(), clock.pending()]).toEqual([2, [1], 0]);
  });

  test("a new time replaces the old one, a latest time only a later one", () => {
    const { clock, agenda, all } = open();
    agenda.addAt(1, 10);
    agenda.addAt(1, 50);
    agenda.addBy(1, 90);
    clock.advance(49);
    expect(all()).toEqual([]);
    agenda.addBy(2, 90);
    agenda.addBy(2, 60);
    clock.advance(11);
    expect(all()).toEqual([1, 2]);
    agenda.addBy(5, 90);
    agenda.addBy(6, 65);
    clock.advance(5);
    expect(all()).toEqual([6]);
    agenda.addAt(3, 70);
    agenda.addAt(3, null);
    agenda.addAt(4, 70);
    agenda.clear();
    clock.advance(100);
    expect([all(), clock.pending()]).toEqual([[], 0]);
  });

  test("an earlier time, also a latest one, sets the alarm earlier; nothing due sets none", () => {
    const { clock, agenda, all, rung } = open();
    agenda.addAt(1, 50);
    agenda.addAt(2, 20);
    agenda.addBy(3, 10);
    expect(clock.pending()).toBe(1);
    clock.advance(10);
    expect([rung(), all()]).toEqual([1, [3]]);
    agenda.addAt(2, null);
    clock.advance(30);
    expect([rung(), all(), clock.pending()]).toEqual([1, [], 1]);
    agenda.addAt(1, null);
    expect(clock.pending()).toBe(0);
    agenda.addBy(4, 45);
    clock.advance(5);
    expect([rung(), all(), clock.pending()]).toEqual([2, [4], 0]);
  });
});

test("old events are deleted once an hour, one deletion at a time, also after one that failed", async () => {
  let time = 10 * 3_600_000;
  const pruned: number[] = [];
  let fails = true;
  const go: Array<() => void> = [];
  const prune = async (keepMs: number) => {
    pruned.push(keepMs);
    await new Promise<void>((resolve) => go.push(resolve));
    if (fails) throw new Error("locked");
    return 3;
  };
  const pruning = createPruning({ prune }, 500, { log: silentLog, now: () => time });
  pruning.begin();
  time += 3_600_000;
  pruning.begin();
  expect(pruned).toEqual([500]);
  go.pop()?.();
  await pruning.idle();
  fails = false;
  pruning.begin();
  expect(pruned).toEqual([500, 500]);
  go.pop()?.();
  await pruning.idle();
  time += 3_599_999;
  pruning.begin();
  await quiet();
  expect(pruned).toHaveLength(2);
});

test("a record without places of its own stands on the prompt, the closing and its tool uses", () => {
  const turn = (promptNumber: number, pieces: NewTurn["pieces"]) =>
    ({ promptNumber, pieces }) as NewTurn;
  const turns = [
    turn(1, [
      { kind: "prompt", text: "a" },
      { kind: "said", text: "b" },
    ]),
    turn(2, [
      { kind: "ran", text: "c", toolUseId: "t1" },
      { kind: "ran", text: "d", toolUseId: "t2" },
      { kind: "closing", text: "e" },
    ] as NewTurn["pieces"]),
  ];
  const places = [
    { turn: 1, piece: 0 },
    { turn: 2, piece: 2 },
  ];
  expect(placesIn(turns)).toEqual(places);
  expect(placesIn(turns, ["t2"])).toEqual([
    { turn: 1, piece: 0 },
    { turn: 2, piece: 1 },
    { turn: 2, piece: 2 },
  ]);
  expect(placesIn([turn(1, [{ kind: "said", text: "b" }])])).toBeUndefined();
});
