// What may be done with a record: edit, pin, hide, and delete for good; with an undo where the server has one.
import { useState } from "preact/hooks";
import { editable } from "../../sdk/record-texts.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { go } from "../address.ts";
import { post } from "../api.ts";
import { changed, mark } from "../undo.ts";
import { useWork } from "../use-work.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { EditForm } from "./edit-form.tsx";
import { marksOf } from "./marks.tsx";
import { Trouble } from "./trouble.tsx";

/** The row of buttons, and what they open. */
export function RecordActions({ stored }: { stored: StoredRecord }) {
  const { kind, record } = stored;
  const { id, pinned, hidden, edited } = record;
  const [open, setOpen] = useState<"edit" | "delete" | undefined>();
  const { error, run } = useWork();
  const marked = [{ id, marks: marksOf(record) }];
  const close = () => setOpen(undefined);

  const asBefore = async () => {
    await post("/api/amend", { body: { ids: [id], undo: true } });
    changed(`${id} reads as it did before your edits.`, []);
  };
  return (
    <div class="actions">
      {editable[kind].length > 0 && (
        <button type="button" data-key="e" onClick={() => setOpen("edit")}>
          Edit
        </button>
      )}
      {kind !== "session" && (
        <button
          type="button"
          data-key="p"
          aria-pressed={pinned === true}
          title="First in every context of its project"
          onClick={() => run(() => mark(marked, "pinned", !pinned))}
        >
          {pinned ? "Unpin" : "Pin"}
        </button>
      )}
      <button
        type="button"
        data-key="h"
        aria-pressed={hidden === true}
        title="Kept, but never shown to agents"
        onClick={() => run(() => mark(marked, "hidden", !hidden))}
      >
        {hidden ? "Unhide" : "Hide"}
      </button>
      {edited && (
        <button type="button" onClick={() => run(asBefore)}>
          Undo your edits
        </button>
      )}
      <button type="button" class="danger" onClick={() => setOpen("delete")}>
        Delete…
      </button>
      {error !== undefined && <Trouble error={error} />}
      {open === "edit" && <EditForm stored={stored} close={close} />}
      {open === "delete" && (
        <DeleteDialog ids={[id]} close={close} done={() => go("/memory")} after="To memory" />
      )}
    </div>
  );
}
