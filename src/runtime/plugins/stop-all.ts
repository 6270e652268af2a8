// Stops plugins one after the other, as long as they stop: those that hang must not make the end of the server last minutes.

/** Together they may make the others wait this long; who comes later is then stopped without waiting. */
const patienceMs = 2_000;

/** Resolves once all have stopped. In the given order, while that takes no longer than the patience. */
import { within } from "../../sdk/within.ts";
export async function stopAll(
  instances: ReadonlyArray<{ stop(): Promise<void> }>,
  waitMs: number = patienceMs,
): Promise<void> {
  const end = performance.now() + waitMs;
  const stopping: Array<Promise<void>> = [];
  for (const instance of instances) {
    const stopped = instance.stop();
    stopping.push(stopped);
    await within(end - performance.now(), stopped, undefined);
  }
  await Promise.all(stopping);
}
