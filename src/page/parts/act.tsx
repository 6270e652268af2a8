// A small button for one record of a list, with the key that presses it.
interface ActProps {
  words: string;
  /** For whoever hears it: what it does to which record. */
  label: string;
  /** `keys.tsx` presses it. */
  at?: "e" | "h" | "p";
  title?: string;
  onClick(): void;
}

/** The button. */
export const Act = ({ words, label, at, title, onClick }: ActProps) => (
  <button
    type="button"
    class="small"
    data-key={at}
    aria-label={label}
    title={title}
    onClick={onClick}
  >
    {words}
  </button>
);
