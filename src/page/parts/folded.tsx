// A line that opens in place: what is in it is drawn only then.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface FoldedProps {
  title: ComponentChildren;
  /** Open from the start. */
  isOpen?: boolean;
  class?: string;
  children: () => ComponentChildren;
}

/** The line, and below it the rest. */
export function Folded({ title, isOpen = false, class: name = "", children }: FoldedProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <div class={`folded ${name}`}>
      <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {title}
      </button>
      {open && <div class="unfolded">{children()}</div>}
    </div>
  );
}
