// What the user has to hear once: kept until the next event whose answer they see.
import type { ClientEvent } from "../../sdk/events.ts";

const shown: ReadonlySet<ClientEvent["name"]> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "Stop",
]);

/** Whether a client shows the answer to this event to the person at once. */
export function isShown({ name, agent }: ClientEvent): boolean {
  return shown.has(name) && !agent;
}

export interface Notices {
  /** Keeps a sentence; with `session`, for that session's user only. */
  add(text: string, session?: string): void;
  /** What this event's answer is to say, or undefined; said once. */
  take(event: ClientEvent): string | undefined;
}

/** An empty list. */
export function createNotices(): Notices {
  let waiting: Array<{ text: string; session: string | undefined }> = [];
  return {
    add(text, session) {
      waiting.push({ text, session });
    },
    take(event) {
      if (waiting.length === 0 || !isShown(event)) return undefined;
      const mine = (session: string | undefined) =>
        session === undefined || session === event.session;
      const said = waiting.filter(({ session }) => mine(session));
      waiting = waiting.filter(({ session }) => !mine(session));
      return said.length > 0 ? said.map(({ text }) => text).join("\n") : undefined;
    },
  };
}
