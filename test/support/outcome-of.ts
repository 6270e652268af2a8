// What became of a process that a test started.

/** How it ended, and all that it said. */
export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** Waits for its end; both of its outputs are pipes. */
export async function outcomeOf(child: Bun.ReadableSubprocess): Promise<Outcome> {
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}

/** Without what a busy machine adds: that the server takes long to start, which whoever waits for it is told. */
export function withoutWaiting(outcome: Outcome): Outcome {
  return { ...outcome, err: outcome.err.replaceAll(/^memoir is .*; waiting for it …\n/gm, "") };
}
