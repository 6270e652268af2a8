// A record's texts to be written otherwise. Somebody else's change meanwhile is shown before it is written over.
import { useState } from "preact/hooks";
import { textsOf } from "../../sdk/record-texts.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { get, post } from "../api.ts";
import { changed } from "../undo.ts";
import { fieldWords } from "../words.ts";
import { FormDialog } from "./dialog.tsx";
import { Said } from "./said.tsx";

/** By field, a list as lines. */
type Texts = Record<string, string>;

interface EditProps {
  stored: StoredRecord;
  close(): void;
}

/** The form. */
export function EditForm({ stored, close }: EditProps) {
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
