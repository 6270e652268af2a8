// What was changed last, and the way back; stays until it is closed, also after a reload.
import { type Change, dismiss, mark, takeBack, useUndo } from "../undo.ts";
import { useWork } from "../use-work.ts";
import { Trouble } from "./trouble.tsx";

/** At the foot of every view. */
export function UndoBar() {
  const { last } = useUndo();
  return (
    <div class="undo" role="status" hidden={!last}>
      {last && <LastChange key={last.id} last={last} />}
    </div>
  );
}

function LastChange({ last }: { last: Change }) {
  const { error, run } = useWork();
  const { words, back, still } = last;
  const also = still.map((id) => ({ id, marks: [] }));
  return (
    <>
      <span>
        {words}
        {still.length > 0 && ` Still told, made of it: ${still.join(", ")}.`}
      </span>
      {still.length > 0 && (
        <button type="button" onClick={() => run(() => mark(also, "hidden", true))}>
          Hide that too
        </button>
      )}
      {back.length > 0 && (
        <button type="button" class="main" onClick={() => run(() => takeBack(last))}>
          Undo
        </button>
      )}
      <button type="button" onClick={() => dismiss(last)}>
        Close
      </button>
      {error !== undefined && <Trouble error={error} />}
    </>
  );
}
