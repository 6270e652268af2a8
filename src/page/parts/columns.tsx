// A view's two columns: what one reads, and beside it what memory makes of it; a drawer where there is no room for both.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface ColumnsProps {
  /** Of the browser's window, without memoir's name. */
  title: string;
  children: ComponentChildren;
  /** What the second column is called; without it there is none. */
  beside?: string | undefined;
  aside?: ComponentChildren;
}

/** The view; what has the focus in the second column stays there when it becomes a drawer. */
export function Columns({ title, children, beside, aside }: ColumnsProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    document.title = `${title.slice(0, 80)} · memoir`;
  }, [title]);
  return (
    <>
      <main tabIndex={-1}>
        {beside && (
          <button
            type="button"
            class="drawer-button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Close" : beside}
          </button>
        )}
        {children}
      </main>
      {beside && (
        <aside class={isOpen ? "beside open" : "beside"} aria-label={beside}>
          {aside}
        </aside>
      )}
    </>
  );
}
