// What was asked of the server, as it comes in.
import { useEffect, useState } from "preact/hooks";
import { useConnection } from "./connection.ts";

/** One of: nothing yet, an answer, or what went wrong. The last answer stays while the next is on its way. */
export interface Asked<Answer> {
  answer?: Answer;
  error?: unknown;
  /** The question that `answer` answers. */
  to?: string;
  waiting: boolean;
}

/** Asks whenever `question` changes, after `delayMs`, and again when the server was away; what came too late is dropped. */
export function useAsked<Answer>(
  question: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
  delayMs = 0,
): Asked<Answer> & { again(): void } {
  const [asked, setAsked] = useState<Asked<Answer>>({ waiting: true });
  const [round, setRound] = useState(0);
  const { returns } = useConnection();
  useEffect(() => {
    const control = new AbortController();
    setAsked((before) => ({ ...before, waiting: true }));
    const put = (found: Asked<Answer>) => {
      if (!control.signal.aborted) setAsked(found);
    };
    const timer = setTimeout(() => {
      ask(control.signal).then(
        (answer) => put({ answer, to: question, waiting: false }),
        (error) => put({ error, to: question, waiting: false }),
      );
    }, delayMs);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [question, round, returns]);
  return { ...asked, again: () => setRound((n) => n + 1) };
}
