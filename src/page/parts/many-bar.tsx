// What may be done with all that is chosen in a list.
import { useState } from "preact/hooks";
import type { Choosable, Selection } from "../selection.ts";
import { confirm, mark, merge } from "../undo.ts";
import { useWork } from "../use-work.ts";
import { counted } from "../words.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { FormDialog } from "./dialog.tsx";
import { Said } from "./said.tsx";
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
    <section class="many" aria-label="Selected records">
      <span role="status">{counted(chosen.length, "record")} selected</span>
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
        Clear selection
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

// Several records that say the same: which of them is told for all, and in which words.

interface MergeProps {
  /** Two or more, of one kind. */
  records: readonly Choosable[];
  close(): void;
  done(): void;
}

/** Asks, and does it. */
function MergeDialog({ records, close, done }: MergeProps) {
  const [into, setInto] = useState(records[0]);
  const [words, setWords] = useState(into?.words ?? "");
  if (!into) return null;
  const field = into.kind === "memory" ? "content" : "title";

  function save(stays: Choosable): Promise<void> {
    const others = records.filter(({ id }) => id !== stays.id);
    const set = words.trim() === stays.words.trim() ? {} : { [field]: words.trim() };
    return merge(stays, others, set).then(done);
  }
  return (
    <FormDialog
      {...{ title: `Merge ${counted(records.length, "record")}`, close, submit: "Merge" }}
      save={() => save(into)}
    >
      <fieldset>
        <legend>Which one should agents see?</legend>
        {records.map((one) => (
          <label class="check" key={one.id}>
            <input
              type="radio"
              name="into"
              checked={one.id === into.id}
              onChange={() => {
                if (words === into.words) setWords(one.words);
                setInto(one);
              }}
            />
            <span>
              <span class="id">{one.id}</span> <Said inline text={one.words} />
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        In these words
        <textarea
          dir="auto"
          required
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <p class="hint">
        The others stay, hidden from agents, and name this one. Undo separates them again.
      </p>
    </FormDialog>
  );
}
