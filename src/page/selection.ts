// What is chosen in a list, to do something with all of it at once.
import { useEffect, useState } from "preact/hooks";
import type { RecordKind } from "../sdk/storage.ts";
import type { Marked } from "./undo.ts";

/** A record of a list. */
export interface Choosable extends Marked {
  kind: RecordKind;
  /** What it says first. */
  words: string;
}

/** What is chosen. */
export interface Selection {
  chosen: readonly Choosable[];
  has(id: string): boolean;
  toggle(one: Choosable): void;
  clear(): void;
}

/** Another list begins with nothing chosen. `x` chooses what has the focus, Escape nothing any more. */
export function useSelection(list: string): Selection {
  const [chosen, setChosen] = useState<readonly Choosable[]>([]);
  const clear = () => setChosen([]);
  useEffect(clear, [list]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (!(target instanceof Element) || target.closest("dialog")) return;
      if (event.key === "Escape") clear();
      if (event.key !== "x" || target.matches("input, textarea, select")) return;
      target.closest("li")?.querySelector<HTMLInputElement>("input.pick")?.click();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return {
    chosen,
    has: (id) => chosen.some((one) => one.id === id),
    toggle: (one) =>
      setChosen((before) =>
        before.some(({ id }) => id === one.id)
          ? before.filter(({ id }) => id !== one.id)
          : [...before, one],
      ),
    clear,
  };
}
