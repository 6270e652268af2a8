// A moment, short; the whole of it when pointed at.
import { fullTime, shortTime } from "../words.ts";

/** `at` in epoch ms. */
export function Time({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {shortTime(at, Date.now())}
    </time>
  );
}
