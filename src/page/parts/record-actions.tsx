// What may be done with a record: edit, pin, hide, and delete for good; with an undo where the server has one.
import { useState } from "preact/hooks";
import { editable } from "../../sdk/record-texts.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { AskedOf, RoutesOf } from "../../server/route-types.ts";
import { go } from "../address.ts";
import { post } from "../api.ts";
import { alongWords } from "../undo.ts";
import { useWork } from "../use-work.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { EditForm } from "./edit-form.tsx";
import { Trouble } from "./trouble.tsx";

type What = Omit<AskedOf<RoutesOf<"post">["/api/amend"]>["body"], "ids">;

interface ActionsProps {
  stored: StoredRecord;
  /** Something is otherwise now. */
  changed(): void;
}

/** The row of buttons, and what they open. */
export function RecordActions({ stored, changed }: ActionsProps) {
  const { kind, record } = stored;
  const [open, setOpen] = useState<"edit" | "delete" | undefined>();
  const [said, setSaid] = useState("");
  const { error, run } = useWork();

  const amend = (what: What, done: string) =>
    run(async () => {
      const body = { ids: [record.id], ...what };
      const { along, derived, withheld } = await post("/api/amend", { body });
      const still =
        derived.length > 0 ? ` Agents still see ${derived.join(", ")}, made from it.` : "";
      const words =
        withheld.length > 0
          ? "Still hidden from agents, because what it was made from is hidden."
          : done;
      setSaid(words.replace(/\.$/, `${alongWords(along)}.`) + still);
      changed();
    });
  const { pinned, hidden, edited } = record;
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
          onClick={() =>
            amend({ pinned: !pinned }, pinned ? "Unpinned." : "Pinned: first in every context.")
          }
        >
          {pinned ? "Unpin" : "Pin"}
        </button>
      )}
      <button
        type="button"
        data-key="h"
        aria-pressed={hidden === true}
        title="Kept, but never shown to agents"
        onClick={() =>
          amend({ hidden: !hidden }, hidden ? "Shown to agents again." : "Hidden from agents.")
        }
      >
        {hidden ? "Unhide" : "Hide"}
      </button>
      {edited && (
        <button type="button" onClick={() => amend({ undo: true }, "As it was.")}>
          Undo your edits
        </button>
      )}
      <button type="button" class="danger" onClick={() => setOpen("delete")}>
        Delete…
      </button>
      <p class="hint" role="status">
        {said}
      </p>
      {error !== undefined && <Trouble error={error} />}
      {open === "edit" && (
        <EditForm
          stored={stored}
          close={(saved) => {
            setOpen(undefined);
            if (!saved) return;
            setSaid("Saved. No later run overwrites your words.");
            changed();
          }}
        />
      )}
      {open === "delete" && (
        <DeleteDialog
          ids={[record.id]}
          close={() => setOpen(undefined)}
          done={() => go("/memory")}
          after="To memory"
        />
      )}
    </div>
  );
}
