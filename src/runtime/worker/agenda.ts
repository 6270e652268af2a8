// Which sessions are ready to be worked on, which are being worked on, and which become due by time alone.
import type { Timers } from "./worker-types.ts";

export interface Agenda {
  /** Work on this session as soon as there is room. */
  add(row: number): void;
  /** At this time at the latest; null for never. Replaces an earlier time. */
  addAt(row: number, at: number | null): void;
  has(row: number): boolean;
  /** Takes the session that has been ready for longest, skipping those `isBusy`. */
  take(isBusy: (row: number) => boolean): number | undefined;
  /** No alarm from here on. */
  clear(): void;
}

/** One alarm is set, for the earliest due time; `ring` is called when sessions became ready by it. */
export function createAgenda(now: () => number, timers: Timers, ring: () => void): Agenda {
  const ready = new Set<number>();
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
    for (const [row, at] of due) {
      if (at > time) continue;
      due.delete(row);
      ready.add(row);
    }
    setAlarm();
    ring();
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
    has: (row) => ready.has(row),
    take(isBusy) {
      for (const row of ready) {
        if (isBusy(row)) continue;
        ready.delete(row);
        return row;
      }
      return undefined;
    },
    clear() {
      ready.clear();
      due.clear();
      setAlarm();
    },
  };
}
