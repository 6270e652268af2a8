// Turns of sessions that failed, passed or repaired something, numbered as they are made.
import type { Evidence, Turn } from "../../../src/sdk/turn.ts";

let made = 0;

/** A turn of the project `shop`, a second after the one before. */
export function turn(session: string, pieces: Evidence[], files: readonly string[] = []): Turn {
  made++;
  return {
    ...{ id: `t${made}`, session, client: "claude-code", project: "shop", promptNumber: made },
    ...{ startedAt: made * 1_000, time: made * 1_000 + 500, end: "closed", pieces },
    files: files.map((path) => ({ path, changed: true })),
  };
}

/** What a command came to. */
export const piece = (kind: Evidence["kind"], about: string, text: string): Evidence => ({
  ...{ kind, about, text },
});
