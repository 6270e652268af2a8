// What the user made of a record, in a word each.

const words = {
  pinned: "Pinned",
  hidden: "Hidden",
  merged: "Merged",
  edited: "Edited by you",
} as const;

/** Nothing where nothing was made of it. */
export function MarkWords({ marks }: { marks: ReadonlyArray<keyof typeof words> }) {
  return marks.map((mark) => (
    <span key={mark} class={`word ${mark}`}>
      {words[mark]}
    </span>
  ));
}
