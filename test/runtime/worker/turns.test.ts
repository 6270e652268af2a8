// Whose turn it is: when a session is looked at again, and what keeps one that fails from being lost.
import { expect, test } from "bun:test";
import { silentLog } from "../../../src/home/log.ts";
import type { Lease } from "../../../src/runtime/journal/work.ts";
import { createSchedule, journalRetryMs } from "../../../src/runtime/worker/schedule.ts";
import { createFakeClock, quiet } from "../../support/fake-clock.ts";

interface Given {
  /** What each planning answers: ms from the start, null for never. */
  dueAt?: number | null;
  /** When the session's open work may run, ms from the start; absent: it has none. */
  workAt?: number;
  /** Errors of the journal, one a planning. */
  errors?: Error[];
  concurrency?: number;
  isWanted?: () => boolean;
}

/** A worker's turns over sessions that only say when they are planned, ms from the start. */
async function turnsOf(
  { dueAt = null, workAt, errors = [], concurrency = 2, isWanted = () => false }: Given,
  work: (room: {
    turns: ReturnType<typeof createSchedule>;
    planned: string[];
    /** Moves the clock, and lets everything that is ready happen. */
    pass(ms: number): Promise<void>;
    /** Ends the piece that a session is at. */
    end: Map<number, (isDone?: boolean) => void>;
  }) => Promise<void>,
  pieces: ReadonlySet<number> = new Set(),
): Promise<void> {
  const clock = createFakeClock(0);
  const planned: string[] = [];
  const end = new Map<number, (isDone?: boolean) => void>();
  const leaseOf = (row: number): Lease => {
    if (pieces.has(row)) return { state: "leased", work: { id: row } as never };
    return workAt === undefined ? { state: "none" } : { state: "later", at: workAt };
  };
  const turns = createSchedule({
    ...{ log: silentLog, now: clock.now, timers: clock.timers, concurrency },
    journal: { hasOpenWork: () => true },
    planner: {
      plan(row) {
        planned.push(`${row} at ${clock.now()}`);
        const error = errors.shift();
        if (error) throw error;
        return dueAt !== null && dueAt > clock.now() ? dueAt : null;
      },
      flush: () => {},
    },
    pieces: {
      lease: leaseOf,
      run: ({ id }) => new Promise((resolve) => end.set(id, (isDone = true) => resolve(isDone))),
      notify: async () => {},
    },
    isWanted,
    ended: () => {},
    idle: () => {},
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await quiet();
  };
  await work({ turns, planned, pass, end });
  for (const done of end.values()) done();
  await turns.stop();
}

test("nothing begins before the start; then every session that was woken has its turn", () =>
  turnsOf({}, async ({ turns, planned, pass }) => {
    turns.wake([1, 2, 3]);
    await pass(0);
    expect(planned).toEqual([]);
    turns.start();
    await pass(0);
    expect(planned).toEqual(["1 at 0", "2 at 0", "3 at 0"]);
  }));

test("while hooks are answered nothing begins for a moment, unless somebody waits for it", async () => {
  let isWanted = false;
  await turnsOf({ isWanted: () => isWanted }, async ({ turns, planned, pass }) => {
    turns.start();
    const [first, second] = [turns.letHookGoFirst(), turns.letHookGoFirst()];
    turns.wake([1]);
    await pass(100);
    first();
    await pass(0);
    expect(planned).toEqual([]);
    second();
    await pass(0);
    expect(planned.splice(0)).toEqual(["1 at 100"]);

    const release = turns.letHookGoFirst();
    turns.wake([2]);
    await pass(0);
    await pass(199);
    expect(planned).toEqual([]);
    await pass(1);
    expect(planned.splice(0)).toEqual(["2 at 300"]);

    turns.wake([3]);
    await pass(0);
    isWanted = true;
    turns.wake([4]);
    await pass(0);
    expect(planned.splice(0)).toEqual(["3 at 300", "4 at 300"]);
    turns.wake([5]);
    await pass(0);
    expect(planned.splice(0)).toEqual(["5 at 300"]);
    isWanted = false;
    turns.wake([6]);
    await pass(0);
    turns.hurry();
    await pass(0);
    expect(planned.splice(0)).toEqual(["6 at 300"]);

    turns.wake([7]);
    await pass(0);
    await turns.stop();
    release();
    await pass(200);
    expect(planned).toEqual([]);
  });
});

test.each([
  ["work that may run later", { workAt: 100 }],
  ["a quiet time that ends before work may run", { workAt: 400, dueAt: 100 }],
  ["a quiet time that ends after work may run", { workAt: 100, dueAt: 400 }],
])("%s brings a session back in time", (_, given) =>
  turnsOf(given, async ({ turns, planned, pass }) => {
    turns.start();
    turns.wake([1]);
    await pass(0);
    await pass(99);
    expect(planned).toEqual(["1 at 0"]);
    await pass(1);
    expect(planned[1]).toBe("1 at 100");
  }),
);

test("a journal that fails is asked again a while later, once", () =>
  turnsOf({ errors: [new Error("disk is full")] }, async ({ turns, planned, pass }) => {
    turns.start();
    turns.wake([1]);
    await pass(0);
    await pass(journalRetryMs - 1);
    expect(planned).toEqual(["1 at 0"]);
    await pass(1);
    expect(planned).toEqual(["1 at 0", `1 at ${journalRetryMs}`]);
  }));

test("no more sessions have their turn at once than are allowed, and one that waits is busy", () =>
  turnsOf(
    { concurrency: 2 },
    async ({ turns, planned, pass, end }) => {
      turns.start();
      turns.wake([1, 2, 3]);
      await pass(0);
      expect(planned).toEqual(["1 at 0", "2 at 0"]);
      expect(turns.isBusy(3)).toBe(true);
      end.get(1)?.();
      await pass(0);
      expect(planned[2]).toBe("3 at 0");
    },
    new Set([1, 2, 3]),
  ));

test("a stop waits for the piece under way, and nothing begins after it", () =>
  turnsOf(
    { concurrency: 1 },
    async ({ turns, planned, pass, end }) => {
      turns.start();
      turns.wake([1, 2]);
      await pass(0);
      let stopped = false;
      const stopping = turns.stop().then(() => {
        stopped = true;
      });
      await pass(0);
      expect(stopped).toBe(false);
      end.get(1)?.();
      await stopping;
      turns.wake([3]);
      await pass(0);
      expect(planned).toEqual(["1 at 0"]);
    },
    new Set([1, 2]),
  ));

test.each([
  { name: "stands while its pieces run", between: () => {}, isDone: true, planned: 1 },
  {
    name: "is made anew after a piece that was not done",
    between: () => {},
    isDone: false,
    planned: 2,
  },
  {
    name: "is made anew where the session was woken meanwhile",
    between: (turns: ReturnType<typeof createSchedule>) => turns.wake([1]),
    isDone: true,
    planned: 2,
  },
  {
    name: "is made anew once something that came meanwhile is due",
    between: (turns: ReturnType<typeof createSchedule>) => turns.wakeBy(1, 50),
    isDone: true,
    planned: 2,
  },
])("a plan $name", ({ between, isDone, planned: wanted }) =>
  turnsOf(
    {},
    async ({ turns, planned, pass, end }) => {
      turns.start();
      turns.wake([1]);
      await pass(0);
      between(turns);
      await pass(50);
      end.get(1)?.(isDone);
      await pass(0);
      expect(planned).toHaveLength(wanted);
    },
    new Set([1]),
  ),
);
