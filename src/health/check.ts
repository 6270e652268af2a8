// Checks: a table of names and what is looked at, over one engine; and what one of them found.

/** What was found about one thing. */
export interface Finding {
  /** `ok`; `warn`: works, but look at it; `fail`: something does not work. */
  state: "ok" | "warn" | "fail";
  message: string;
  /** What to do; absent where all is well. */
  fix?: string;
  /** One or two words, where it is not about what the check is named after. */
  name?: string;
}

/** A finding as it is shown. */
export interface Check extends Finding {
  name: string;
}

/** All is well. */
export function ok(message: string): Finding {
  return { state: "ok", message };
}

/** It works, but somebody should look. */
export function warn(message: string, fix: string): Finding {
  return { state: "warn", message, fix };
}

/** It does not work. */
export function fail(message: string, fix: string): Finding {
  return { state: "fail", message, fix };
}

type Found = Finding | Finding[] | undefined;

/** Name → what looks: one finding, several, or nothing to tell. */
export type Checks<Subject> = Readonly<
  Record<string, (subject: Subject) => Found | Promise<Found>>
>;

/** What each check of a table finds, in its order. One that throws is a failed check that says why. */
export async function checked<Subject>(
  checks: Checks<Subject>,
  subject: Subject,
): Promise<Check[]> {
  const all: Check[] = [];
  for (const [name, look] of Object.entries(checks))
    try {
      all.push(...named(name, await look(subject)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const hasFix = error instanceof Error && "fix" in error;
      all.push({ name, ...fail(message, hasFix ? String(error.fix) : "Read the message above.") });
    }
  return all;
}

/** Findings under the name of their check. */
export function named(name: string, found: Found): Check[] {
  return [found ?? []].flat().map((finding) => ({ name, ...finding }));
}
