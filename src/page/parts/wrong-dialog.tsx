// Something that is told is wrong: what may be done about it, from the mildest on.
import { useState } from "preact/hooks";
import { editable } from "../../sdk/editable.ts";
import { get } from "../api.ts";
import { changed, mark } from "../undo.ts";
import { useAsked } from "../use-asked.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { EditForm } from "./edit-form.tsx";
import { Said } from "./said.tsx";
import type { Source } from "./told-lines.tsx";
import { Trouble } from "./trouble.tsx";

/** Edit it, tell it to nobody, or delete it. */
export function WrongDialog({ source, close }: { source: Source; close(): void }) {
  const { id, kind, words } = source;
  const [chosen, choose] = useState<"edit" | "delete" | undefined>();
  const [refused, setRefused] = useState<unknown>();
  const { answer: stored, error: unknown } = useAsked(id, (signal) =>
    get("/api/records/:id", { params: { id } }, signal),
  );
  const error = refused ?? unknown;
  if (chosen === "edit" && stored)
    return (
      <EditForm
        stored={stored}
        close={(saved) => {
          if (saved)
            changed(
              `${id} is told in your words from now on.`,
              stored.record.edited ? [] : [{ ids: [id], undo: true }],
            );
          close();
        }}
      />
    );
  if (chosen === "delete" && stored)
    return <DeleteDialog ids={[id]} close={close} done={close} after="Close" />;
  const isEvidence = editable[kind].length === 0;
  return (
    <Dialog title="This is wrong" close={close}>
      <blockquote>
        <Said inline text={words} />
      </blockquote>
      {isEvidence && (
        <p>
          It is what was said and done then, word for word, and stays so. What was concluded from it
          can be edited; it itself can be kept from agents, or deleted.
        </p>
      )}
      {error !== undefined && <Trouble error={error} />}
      <div class="choices">
        {!isEvidence && (
          <button type="button" disabled={!stored} onClick={() => choose("edit")}>
            <strong>Write it right</strong>
            In your words: no later run writes over them.
          </button>
        )}
        <button
          type="button"
          onClick={() => mark([source], "hidden", true).then(close, setRefused)}
        >
          <strong>It holds no more</strong>
          Told to no agent; you still find it, and can take that back.
        </button>
        <button type="button" class="danger" disabled={!stored} onClick={() => choose("delete")}>
          <strong>Delete it…</strong>
          Shows what would go, and asks. Nothing brings it back.
        </button>
      </div>
      <p class="buttons">
        <button type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
