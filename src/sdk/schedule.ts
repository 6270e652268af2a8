// When a plugin is called by the clock: at a time of day, every so often, or once nothing has happened for a while.
import type { CallContext } from "./operation.ts";

/** When something is due; exactly one of them. After a sleep, or a time without a server, it is due once, however often it was missed. */
export interface When {
  /** A time of day on this machine, on all days or some: `18:30`, `mon,fri 09:00`. */
  at?: string;
  /** `10 min`, `2 hours`, `1 day`: from the beginning of one run to the next; a minute at least. */
  every?: string;
  /** `5 min`: once, when nobody has asked memoir anything for so long. */
  idle?: string;
}

/** What a schedule's `run` is given. */
export interface Due {
  /** Epoch ms at which it was due; long ago where the machine slept. */
  dueAt: number;
}

/** What a plugin does by the clock. A run never overlaps the one before; one that fails again and again is paused. */
export interface Schedule<Config = unknown, State = unknown> extends When {
  run(due: Due, ctx: CallContext<Config, State>): Promise<void> | void;
  /** Milliseconds that one run may take; a minute by default, an hour at most. */
  deadlineMs?: number;
}
