// Stops plugins one after the other, as long as they stop: those that hang must not make the end of the server last minutes.

/** Together they may make the others wait this long; who comes later is then stopped without waiting. */
const patienceMs = 2_000;

/** Resolves once all have stopped. In the given order, while that takes no longer than the patience. */
export async function stopAll(
  instances: ReadonlyArray<{ stop(): Promise<void> }>,
  waitMs: number = patienceMs,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enough = new Promise<void>((go) => {
    timer = setTimeout(go, waitMs);
  });
  const stopping: Array<Promise<void>> = [];
  for (const instance of instances) {
    const stopped = instance.stop();
    stopping.push(stopped);
    await Promise.race([stopped, enough]);
  }
  clearTimeout(timer);
  await Promise.all(stopping);
}
