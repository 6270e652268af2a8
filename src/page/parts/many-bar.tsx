// What may be done with all that is chosen in a list.
import { useState } from "preact/hooks";
import type { Choosable, Selection } from "../selection.ts";
import { confirm, mark } from "../undo.ts";
import { useWork } from "../use-work.ts";
import { counted } from "../words.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { Trouble } from "./trouble.tsx";

/** There while anything is chosen. */
export function ManyBar({ selection }: { selection: Selection }) {
  const { chosen, clear } = selection;
  const [open, setOpen] = useState<"merge" | "delete" | undefined>();
  const { error, run } = useWork();
  if (chosen.length === 0) return null;
  const [first] = chosen;
  const finish = () => {
    setOpen(undefined);
    clear();
  };
  const act = (work: () => Promise<void>) => run(() => work().then(finish));
  const all = (mark: string) => chosen.every(({ marks }) => marks.includes(mark));
  const isOf = (...kinds: string[]) => chosen.every(({ kind }) => kinds.includes(kind));
  const canMerge = chosen.length > 1 && first && isOf(first.kind) && isOf("observation", "memory");
  return (
    <section class="many" aria-label="What is chosen">
      <span role="status">{counted(chosen.length, "record")} chosen</span>
      {!chosen.some(({ kind }) => kind === "session") && (
        <button type="button" onClick={() => act(() => mark(chosen, "pinned", !all("pinned")))}>
          {all("pinned") ? "Unpin all" : "Pin all"}
        </button>
      )}
      <button type="button" onClick={() => act(() => mark(chosen, "hidden", !all("hidden")))}>
        {all("hidden") ? "Unhide all" : "Hide all"}
      </button>
      {isOf("memory") && (
        <button type="button" onClick={() => act(() => confirm(chosen))}>
          Confirm all
        </button>
      )}
      {canMerge && (
        <button type="button" onClick={() => setOpen("merge")}>
          Merge…
        </button>
      )}
      <button type="button" class="danger" onClick={() => setOpen("delete")}>
        Delete all…
      </button>
      <button type="button" onClick={clear}>
        Choose none
      </button>
      {error !== undefined && <Trouble error={error} />}
      {open === "merge" && (
        <MergeDialog records={chosen} close={() => setOpen(undefined)} done={finish} />
      )}
      {open === "delete" && (
        <DeleteDialog
          ids={chosen.map(({ id }: Choosable) => id)}
          close={() => setOpen(undefined)}
          done={finish}
          after="Close"
        />
      )}
    </section>
  );
}
