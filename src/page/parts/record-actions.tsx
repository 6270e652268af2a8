// What may be done with a record, wherever it is shown: edit, pin, hide, and delete for good; with an undo where the server has one.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { editable } from "../../sdk/record-texts.ts";
import type { RecordKind, StoredRecord } from "../../sdk/storage.ts";
import { type Marked, mark } from "../undo.ts";
import { useGet } from "../use-asked.ts";
import { useWork } from "../use-work.ts";
import { Act } from "./act.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { EditForm } from "./edit-form.tsx";
import { Trouble } from "./trouble.tsx";

interface ActionsProps extends Marked {
  kind: RecordKind;
  /** More of them, behind the others. */
  children?: ComponentChildren;
  /** After it was deleted; without it, nothing is deleted here. */
  deleted?(): void;
}

/** The buttons, and what they open. */
export function RecordActions({ id, kind, marks, children, deleted }: ActionsProps) {
  const [open, setOpen] = useState<"edit" | "delete" | undefined>();
  const { error, run } = useWork();
  const close = () => setOpen(undefined);
  // In its own view there is no other record that they could be about.
  const named = (words: string) => (deleted ? words : `${words}: ${id}`);
  const toggle = (what: "pinned" | "hidden", at: "p" | "h", on: string, off: string) => {
    const is = marks.includes(what);
    const words = is ? off : on;
    return (
      <Act
        {...{ at, words }}
        label={named(words)}
        title={at === "p" ? "First in every context of its project" : "Kept, but not for agents"}
        onClick={() => run(() => mark([{ id, marks }], what, !is))}
      />
    );
  };
  return (
    <>
      {editable[kind].length > 0 && (
        <Act at="e" words="Edit" label={named("Edit")} onClick={() => setOpen("edit")} />
      )}
      {kind !== "session" && toggle("pinned", "p", "Pin", "Unpin")}
      {toggle("hidden", "h", "Hide", "Unhide")}
      {children}
      {deleted && (
        <button type="button" class="danger small" onClick={() => setOpen("delete")}>
          Delete…
        </button>
      )}
      {error !== undefined && <Trouble error={error} />}
      {open === "edit" && <Edit id={id} close={close} />}
      {open === "delete" && deleted && (
        <DeleteDialog ids={[id]} close={close} done={deleted} after="To memory" />
      )}
    </>
  );
}

/** Its texts as they are stored now, to be edited. */
function Edit({ id, close }: { id: string; close(): void }) {
  const { answer, error } = useGet("/api/records/:id", { params: { id } });
  if (answer) return <EditForm stored={answer as StoredRecord} close={close} />;
  return error === undefined ? null : <Trouble error={error} />;
}
