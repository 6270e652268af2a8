// One finding of the doctor.

/** `ok`; `warn`: works, but look at it; `fail`: something does not work. */
type CheckState = "ok" | "warn" | "fail";

export interface Check {
  /** One or two words. */
  name: string;
  state: CheckState;
  /** What was found. */
  message: string;
  /** What to do; absent where all is well. */
  fix?: string;
}

/** All is well. */
export function ok(name: string, message: string): Check {
  return { name, state: "ok", message };
}

/** It works, but somebody should look. */
export function warn(name: string, message: string, fix: string): Check {
  return { name, state: "warn", message, fix };
}

/** It does not work. */
export function fail(name: string, message: string, fix: string): Check {
  return { name, state: "fail", message, fix };
}

/** The checks of `look`, or one failed check that says why there are none. */
export async function attempt(
  name: string,
  look: () => Promise<Check[]> | Check[],
): Promise<Check[]> {
  try {
    return await look();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const advice =
      error instanceof Error && "fix" in error ? String(error.fix) : "Read the message above.";
    return [fail(name, message, advice)];
  }
}
