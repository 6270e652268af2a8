// Waits for work a bounded time, and goes on without it where it fails or is late.
import { within } from "../../src/sdk/index.ts";

/** The work's value, or `otherwise` after `ms` or a failure, which `failed` is told of. Never rejects. */
export async function settledWithin<Value>(
  ms: number,
  work: Promise<Value>,
  otherwise: Value,
  failed: (error: unknown) => void,
): Promise<Value> {
  try {
    return await within(ms, work, new Error(`not done after ${ms} ms`));
  } catch (error) {
    failed(error);
    return otherwise;
  }
}
