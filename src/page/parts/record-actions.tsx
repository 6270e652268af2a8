// What may be done with a record, wherever it is shown: edit, pin, hide, and delete for good; with an undo where the server has one.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { editable, textsOf } from "../../sdk/record-texts.ts";
import type { RecordKind, StoredRecord } from "../../sdk/storage.ts";
import { get, post } from "../api.ts";
import { changed, type Marked, mark } from "../undo.ts";
import { useGet } from "../use-asked.ts";
import { useWork } from "../use-work.ts";
import { fieldWords } from "../words.ts";
import { Act } from "./act.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { FormDialog } from "./dialog.tsx";
import { Said } from "./said.tsx";
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

// A record's texts to be written otherwise. Somebody else's change meanwhile is shown before it is written over.

/** By field, a list as lines. */
type Texts = Record<string, string>;

interface EditProps {
  stored: StoredRecord;
  close(): void;
}

/** The form. */
function EditForm({ stored, close }: EditProps) {
  const [before, setBefore] = useState(() => linesOf(stored));
  const [texts, setTexts] = useState(before);
  const [others, setOthers] = useState<Texts | undefined>();
  const { id } = stored.record;

  const save = async () => {
    const read = await get("/api/records/:id", { params: { id } });
    const now = linesOf(read);
    const meanwhile = differing(now, before);
    if (Object.keys(meanwhile).length > 0) {
      setOthers(meanwhile);
      setBefore(now);
      return;
    }
    const set = asLists(stored, differing(texts, now));
    if (Object.keys(set).length > 0) {
      const versions = { [id]: read.version };
      await post("/api/amend", { body: { ids: [id], set, versions } });
      const back = read.record.edited ? [] : [{ ids: [id], undo: true }];
      changed(`${id} is now in your words; no later run overwrites them.`, back);
    }
    close();
  };
  return (
    <FormDialog
      {...{ title: "In your words", close, save }}
      submit={others ? "Save mine anyway" : "Save"}
    >
      {Object.entries(texts).map(([name, text]) => (
        <label key={name}>
          {fieldWords(name)}
          {name === "facts" && <span class="hint"> one per line</span>}
          <textarea
            name={name}
            dir="auto"
            rows={Math.min(12, Math.max(2, Math.ceil(text.length / 70)))}
            value={text}
            onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      {others && <Meanwhile others={others} />}
    </FormDialog>
  );
}

/** What another tab, or an agent's user, wrote since the form was opened. */
function Meanwhile({ others }: { others: Texts }) {
  return (
    <div class="trouble" role="alert">
      <p>It was changed elsewhere in the meantime. It now reads:</p>
      {Object.entries(others).map(([name, text]) => (
        <div key={name}>
          <strong>{fieldWords(name)}</strong>
          <Said text={text} />
        </div>
      ))}
    </div>
  );
}

function linesOf(stored: StoredRecord): Texts {
  const texts = Object.entries(textsOf(stored));
  return Object.fromEntries(texts.map(([name, text]) => [name, [text].flat().join("\n")]));
}

/** The texts that differ from those before. */
function differing(texts: Texts, before: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => text !== before[name]));
}

/** As the route takes them: what is a list stays one. */
function asLists({ record }: StoredRecord, texts: Texts): Record<string, string | string[]> {
  const entries = Object.entries(texts).map(([name, text]) => {
    const isList = Array.isArray(Reflect.get(record, name));
    return [name, isList ? text.split("\n").filter((line) => line.trim() !== "") : text];
  });
  return Object.fromEntries(entries);
}
