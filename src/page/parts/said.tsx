// A text of memory: shown as text whatever it holds, with its own direction, and cut where it is very long.
import { useState } from "preact/hooks";
import { unmarked } from "../../text/text.ts";
import { asShown, counted, marked } from "../words.ts";

/** Characters that are shown at once. */
const mostAtOnce = 6_000;

interface SaidProps {
  text: string;
  /** What was looked for. */
  words?: readonly string[] | undefined;
  /** Inside of a line, and never cut: for titles. */
  inline?: boolean;
}

/** The text. */
export function Said({ text, words = [], inline }: SaidProps) {
  const [whole, setWhole] = useState(false);
  const isLong = text.length > mostAtOnce;
  const shown = asShown(isLong && !whole ? text.slice(0, mostAtOnce) : text);
  const parts = marked(shown, words).map((part, at) =>
    part.isHit ? <mark key={at}>{part.text}</mark> : part.text,
  );
  if (inline)
    return (
      <bdi class="said" dir="auto">
        {parts}
      </bdi>
    );
  return (
    <div class="said" dir="auto">
      {parts}
      {isLong && !whole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          … show all {counted(text.length, "character")}
        </button>
      )}
    </div>
  );
}

/** What something is called, in a line: of a session that has no title yet, that. */
export const Title = ({ text, words }: { text: string | undefined; words?: readonly string[] }) => (
  <Said inline text={unmarked(text || "Session without a title")} words={words} />
);
