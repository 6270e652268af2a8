// The bundled session, bound to a throw-away project folder: the payloads that Claude Code would have sent.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import recording from "./session.json" with { type: "json" };

/** One payload for the hook's stdin. */
export type Payload = Record<string, unknown> & { hook_event_name: string };

export interface Place {
  /** The project's folder, absolute. */
  project: string;
  /** Where the client would keep its transcripts. */
  client: string;
}

/** Makes the project below `folder`, with a git remote of its own. */
export async function samplePlace(folder: string): Promise<Place> {
  const place = { project: join(folder, "shop"), client: join(folder, "client") };
  const git = join(place.project, ".git");
  await mkdir(git, { recursive: true });
  await writeFile(join(git, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(
    join(git, "config"),
    `[remote "origin"]\n\turl = https://example.com/acme/shop.git\n`,
  );
  return place;
}

/** The payloads of the recorded session, in order, under the session id `session`. */
export function recordedSession(place: Place, session: string): Payload[] {
  return payloadsOf(recording.events, place, session);
}

/** One more prompt of it, with what plugins of the templates look for: containers, a long output, a made-up name. */
export function recordedDeployment(place: Place, session: string): Payload[] {
  return payloadsOf(recording.deployment, place, session);
}

function payloadsOf(recorded: readonly object[], place: Place, session: string): Payload[] {
  const text = JSON.stringify(recorded)
    .replaceAll("$PROJECT", inString(place.project))
    .replaceAll("$FOLDER", inString(place.client))
    .replaceAll("$OUTPUT", inString("Container shop-web-1  Started\n".repeat(600)));
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
