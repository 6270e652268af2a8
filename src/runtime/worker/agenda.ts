// Which sessions are ready to be worked on, which are being worked on, and which become due by time alone.
import type { Timers } from "./worker-types.ts";

interface Agenda {
  /** Work on this session as soon as there is room. */
  add(row: number): void;
  /** At this time at the latest; null for never. Replaces an earlier time. */
  addAt(row: number, at: number | null): void;
  /** At this time at the latest; an earlier time stands. */
  addBy(row: number, at: number): void;
  has(row: number): boolean;
  /** Whether this session lets all others go first. */
  rank(row: number, later: boolean): void;
  /** Takes the session that has been ready for longest, skipping those `isBusy`; one ranked later only when there is no other. */
  take(isBusy: (row: number) => boolean): number | undefined;
  /** No alarm from here on. */
  clear(): void;
}

/** One alarm is set, for the earliest due time; `ring` is called with the sessions that became ready by it. */
export function createAgenda(
  now: () => number,
  timers: Timers,
  ring: (rows: readonly number[]) => void,
): Agenda {
  const ready = new Set<number>();
  const later = new Set<number>();
  const due = new Map<number, number>();
  let alarm: { at: number; cancel: () => void } | undefined;

  function setAlarm(): void {
    const at = Math.min(...due.values());
    if (alarm?.at === at) return;
    alarm?.cancel();
    alarm = Number.isFinite(at)
      ? { at, cancel: timers.set(whenDue, Math.max(0, at - now())) }
      : undefined;
  }

  function whenDue(): void {
    alarm = undefined;
    const time = now();
    const rows = [...due].flatMap(([row, at]) => (at > time ? [] : [row]));
    for (const row of rows) {
      due.delete(row);
      ready.add(row);
    }
    setAlarm();
    ring(rows);
  }

  return {
    add: (row) => {
      ready.add(row);
    },
    addAt(row, at) {
      if (at === null) due.delete(row);
      else due.set(row, at);
      setAlarm();
    },
    addBy(row, at) {
      if ((due.get(row) ?? Number.POSITIVE_INFINITY) <= at) return;
      due.set(row, at);
      if (alarm === undefined || at < alarm.at) setAlarm();
    },
    has: (row) => ready.has(row),
    rank(row, isLater) {
      if (isLater) later.add(row);
      else later.delete(row);
    },
    take(isBusy) {
      const free = [...ready].filter((row) => !isBusy(row));
      const row = free.find((one) => !later.has(one)) ?? free[0];
      if (row !== undefined) ready.delete(row);
      return row;
    },
    clear() {
      ready.clear();
      due.clear();
      setAlarm();
    },
  };
}
