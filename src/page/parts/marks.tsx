// What the user made of a record, in a word each.
import type { Marks } from "../../sdk/turn.ts";

const words = {
  pinned: "Pinned",
  hidden: "Hidden",
  merged: "Merged",
  edited: "Edited by you",
} as const;

/** What the user made of a record. */
export function marksOf(record: { [Mark in keyof Marks]?: unknown }) {
  return (Object.keys(words) as Array<keyof typeof words>).filter(
    (mark) => record[mark] !== undefined,
  );
}

/** Nothing where nothing was made of it. */
export function MarkWords({ marks }: { marks: ReadonlyArray<keyof typeof words> }) {
  return marks.map((mark) => (
    <span key={mark} class={`word ${mark}`}>
      {words[mark]}
    </span>
  ));
}
