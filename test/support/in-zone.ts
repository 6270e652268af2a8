// A time zone of its own for a piece of a test: what is written for a reader is written by the reader's clock.
import process from "node:process";

/** Runs `work` where the machine's clock is that of `zone`, `Asia/Tokyo` for instance. */
export function inZone<Value>(zone: string, work: () => Value): Value {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    return work();
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
}
