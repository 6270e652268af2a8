// Waits for work a bounded time, and goes on without it where it fails or is late.

/** The work's value, or `otherwise` after `ms` or a failure, which `failed` is told of. Never rejects. */
export async function settledWithin<Value>(
  ms: number,
  work: Promise<Value>,
  otherwise: Value,
  failed: (error: unknown) => void,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    failed(error);
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
