// Whether the server answers, and knows this browser. Asked again while it does not.
import { createNews } from "./heard.ts";

/** `gone`: nobody answers. `over`: the session of this browser has ended. */
type Connection = "there" | "gone" | "over";

let now: Connection = "there";
/** How often it came back: what is shown is asked for again then. */
let returns = 0;
const { tell, useNews } = createNews();

/** What the last request found out. */
export function setConnection(found: Connection): void {
  if (found === now) return;
  if (found === "there") returns++;
  now = found;
  tell();
}

/** How it stands. */
export function useConnection(): { connection: Connection; returns: number } {
  useNews();
  return { connection: now, returns };
}
