// The bundled session, bound to a throw-away project folder: the payloads that Claude Code would have sent.
import recording from "./session.json" with { type: "json" };

/** The project's git remote, as the demo's folder claims it. */
export const remote = "https://example.com/acme/shop.git";

/** One payload for the hook's stdin. */
export type Payload = Record<string, unknown> & { hook_event_name: string };

export interface Place {
  /** The project's folder, absolute. */
  project: string;
  /** Where the client would keep its transcripts. */
  client: string;
}

/** The payloads of the recorded session, in order, under the session id `session`. */
export function recordedSession(place: Place, session: string): Payload[] {
  const text = JSON.stringify(recording.events)
    .replaceAll("$PROJECT", inString(place.project))
    .replaceAll("$FOLDER", inString(place.client));
  const events = JSON.parse(text) as Array<Payload & { promptNumber: number }>;
  return events.map(({ promptNumber, ...event }) => ({
    ...common(place, session),
    ...(promptNumber > 0 ? { prompt_id: `${session}-${promptNumber}` } : {}),
    ...event,
  }));
}

/** What the client sends when another session starts in the same folder. */
export function nextSessionStart(place: Place, session: string): Payload {
  return { ...common(place, session), hook_event_name: "SessionStart", source: "startup" };
}

function common({ project, client }: Place, session: string) {
  return {
    session_id: session,
    transcript_path: `${client}/${session}.jsonl`,
    cwd: project,
    permission_mode: "default",
  };
}

/** The text as it stands inside a JSON string: Windows paths have backslashes. */
function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
