// Whether the server answers, and knows this browser. Asked again while it does not.
import { useEffect, useState } from "preact/hooks";

/** `gone`: nobody answers. `over`: the session of this browser has ended. */
type Connection = "there" | "gone" | "over";

let now: Connection = "there";
/** How often it came back: what is shown is asked for again then. */
let returns = 0;
const heard = new Set<() => void>();

/** What the last request found out. */
export function setConnection(found: Connection): void {
  if (found === now) return;
  if (found === "there") returns++;
  now = found;
  for (const hear of heard) hear();
}

/** How it stands. */
export function useConnection(): { connection: Connection; returns: number } {
  const [, draw] = useState(0);
  useEffect(() => {
    const hear = () => draw((n) => n + 1);
    heard.add(hear);
    return () => void heard.delete(hear);
  }, []);
  return { connection: now, returns };
}
