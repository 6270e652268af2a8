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

export type Notices = ReturnType<typeof createNotices>;

/** An empty list. */
export function createNotices() {
  let waiting: Array<{ text: string; session: string | undefined }> = [];
  return {
    /** Keeps a sentence; with `session`, for that session's user only. */
    add(text: string, session?: string): void {
      waiting.push({ text, session });
    },
    /** What this event's answer is to say, or undefined; said once. */
    take(event: ClientEvent): string | undefined {
      if (waiting.length === 0 || !isShown(event)) return undefined;
      const mine = (session: string | undefined) =>
        session === undefined || session === event.session;
      const said = waiting.filter(({ session }) => mine(session));
      waiting = waiting.filter(({ session }) => !mine(session));
      return said.length > 0 ? said.map(({ text }) => text).join("\n") : undefined;
    },
  };
}
