// Notes how long the transcript was when an event came, so that whoever reads it later knows where that was.

import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { ClientEvent, ClientEventName } from "../../sdk/events.ts";
import { within } from "../../sdk/within.ts";

/** How long the event's transcript is now; undefined where that is not to be noted. Never rejects; answers within about `waitMs`. */
type TranscriptSize = (event: ClientEvent) => Promise<number | undefined>;

const events: ReadonlySet<ClientEventName> = new Set([
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStop",
  "Stop",
]);
/** Somebody waits for the answer to the event; a file on the user's own disk answers in microseconds. */
const waitMs = 25;
/** More would be hanging: a file system that does not answer must not take every thread that reads files. */
const mostAtOnce = 2;
const freshMs = 5_000;

/** Only for files named after the session. An event that is old (from the spool) would get a later size: it gets none. */
export function createTranscriptSize(
  now: () => number,
  size: (path: string) => Promise<number> = async (path) => (await stat(path)).size,
): TranscriptSize {
  let asked = 0;
  return async (event) => {
    const { transcriptPath: path, session, time } = event;
    if (path === undefined || event.transcriptBytes !== undefined || !events.has(event.name))
      return undefined;
    if (basename(path) !== `${session}.jsonl` || now() - time > freshMs || asked >= mostAtOnce)
      return undefined;
    asked++;
    const answer = size(path)
      .catch(() => undefined)
      .finally(() => {
        asked--;
      });
    return within(waitMs, answer, undefined);
  };
}
