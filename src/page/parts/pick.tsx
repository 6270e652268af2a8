// The box that chooses a record of a list.
import type { Choosable, Selection } from "../selection.ts";

/** Stands before the record. */
export function Pick({ one, selection }: { one: Choosable; selection: Selection }) {
  return (
    <input
      type="checkbox"
      class="pick"
      aria-label={`Select ${one.kind === "session" ? "session" : one.id}: ${one.words.slice(0, 80)}`}
      checked={selection.has(one.id)}
      onChange={() => selection.toggle(one)}
    />
  );
}
