// Several records that say the same: which of them is told for all, and in which words.
import { useState } from "preact/hooks";
import type { Choosable } from "../selection.ts";
import { merge } from "../undo.ts";
import { useWork } from "../use-work.ts";
import { counted } from "../words.ts";
import { Dialog } from "./dialog.tsx";
import { Said } from "./said.tsx";
import { Trouble } from "./trouble.tsx";

interface MergeProps {
  /** Two or more, of one kind. */
  records: readonly Choosable[];
  close(): void;
  done(): void;
}

/** Asks, and does it. */
export function MergeDialog({ records, close, done }: MergeProps) {
  const [into, setInto] = useState(records[0]);
  const [words, setWords] = useState(into?.words ?? "");
  const { error, run } = useWork();
  if (!into) return null;
  const field = into.kind === "memory" ? "content" : "title";

  function save(stays: Choosable): Promise<void> {
    const others = records.filter(({ id }) => id !== stays.id);
    const set = words.trim() === stays.words.trim() ? {} : { [field]: words.trim() };
    return run(() => merge(stays, others, set).then(done));
  }
  return (
    <Dialog title={`Merge ${counted(records.length, "record")}`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save(into);
        }}
      >
        <fieldset>
          <legend>Which is told for all?</legend>
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
          The others are kept, told to no agent, and name this one. Undo parts them again.
        </p>
        {error !== undefined && <Trouble error={error} />}
        <p class="buttons">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="main">
            Merge
          </button>
        </p>
      </form>
    </Dialog>
  );
}
