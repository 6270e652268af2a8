// Deletes for good, by the same `forget` as the command line: says what goes, and asks.
import { useState } from "preact/hooks";
import type { AnswerOf, RoutesOf } from "../../server/route-types.ts";
import { post } from "../api.ts";
import { useAsked } from "../use-asked.ts";
import { useWork } from "../use-work.ts";
import { counted } from "../words.ts";
import { Dialog } from "./dialog.tsx";
import { Said } from "./said.tsx";
import { Trouble } from "./trouble.tsx";

type Going = AnswerOf<RoutesOf<"post">["/api/forget"]>;

interface DeleteProps {
  /** At least one. */
  ids: string[];
  /** Nothing went. */
  close(): void;
  /** It went, and that was read. */
  done(): void;
  /** What the button says that leads on. */
  after: string;
}

/** Asks the server what would go, shows it, and does it when it is confirmed. */
export function DeleteDialog({ ids, close, done, after }: DeleteProps) {
  const { answer: going, error: unasked } = useAsked(ids.join(), () =>
    post("/api/forget", { body: { ids, dryRun: true } }),
  );
  const [gone, setGone] = useState<Going | undefined>();
  const { busy, error: refused, run } = useWork();
  const error = refused ?? unasked;
  const [derived, setDerived] = useState(false);
  const [backups, setBackups] = useState(false);

  const confirm = () =>
    run(async () => setGone(await post("/api/forget", { body: { ids, derived, backups } })));
  const leave = () => (gone ? done() : close());
  if (gone) return <Gone gone={gone} leave={leave} after={after} />;
  return (
    <Dialog title="Delete permanently?" close={leave}>
      {error !== undefined && <Trouble error={error} />}
      {!going && error === undefined && <p class="hint">Looking up what would be deleted …</p>}
      {going && (
        <>
          <ul class="going">
            {going.going.map((line) => (
              <li key={line}>
                <Said inline text={line} />
              </li>
            ))}
          </ul>
          <p>It is deleted from memory, the search index and the journal. This can’t be undone.</p>
          {going.derived.length > 0 && (
            <label class="check">
              <input type="checkbox" checked={derived} onChange={() => setDerived(!derived)} />
              Also the {counted(going.derived.length, "record")} made from it:
            </label>
          )}
          <Named ids={going.derived} named={going.named} />
          {going.repeats.length > 0 && (
            <>
              <p>May repeat it, and stays:</p>
              <Named ids={going.repeats} named={going.named} />
            </>
          )}
          {going.copies.length > 0 && (
            <label class="check">
              <input type="checkbox" checked={backups} onChange={() => setBackups(!backups)} />
              Also delete whole backups that may hold it ({going.copies.length})
            </label>
          )}
        </>
      )}
      <p class="buttons">
        <button type="button" onClick={leave}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          disabled={!going || going.ids.length === 0 || busy}
          onClick={() => void confirm()}
        >
          {busy ? "Deleting …" : "Delete permanently"}
        </button>
      </p>
    </Dialog>
  );
}

const mostNamed = 20;

function Named({ ids, named }: { ids: string[]; named: Going["named"] }) {
  if (ids.length === 0) return null;
  return (
    <ul class="going">
      {ids.slice(0, mostNamed).map((id) => (
        <li key={id}>
          <Said inline text={named[id] ?? id} />
        </li>
      ))}
      {ids.length > mostNamed && <li>and {counted(ids.length - mostNamed, "record")} more</li>}
    </ul>
  );
}

function Gone({ gone, leave, after }: { gone: Going; leave(): void; after: string }) {
  return (
    <Dialog title="Deleted" close={leave}>
      <p role="status">{counted(gone.deleted.length, "record")} deleted.</p>
      {gone.derived.length > 0 && <p>Made from it, and kept:</p>}
      <Named ids={gone.derived} named={gone.named} />
      {gone.copies.length > 0 && (
        <p>
          {counted(gone.copies.length, "backup")} may still hold it; memoir memory forget says
          which.
        </p>
      )}
      <p class="buttons">
        <button type="button" class="main" onClick={leave}>
          {after}
        </button>
      </p>
    </Dialog>
  );
}
