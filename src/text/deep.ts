// Walks a JSON value and maps the texts inside it. What does not change keeps its identity.

/** Deeper than any payload worth keeping; below it a value is replaced, so that no nesting can exhaust the stack. */
const maxDepth = 200;

/** What stands in for a value that lies too deep to be looked at. */
export const tooDeep = "[withheld: nested too deep]";

/** Joins the strings of one list while a mapping that spans them is applied. A private-use character marks the seams. */
const seam = "\n\uf8ff";

/** What becomes of the texts, and optionally the numbers, inside a value. */
export interface LeafMapping {
  /** Called for every string, and for every key without a `key` of its own. `key` is the nearest property name above. */
  text(text: string, key: string | undefined): string;
  /** Called for every number; left out, numbers stay. */
  number?(value: number, key: string | undefined): number | string;
  /** True when a match that begins in this string may go on in the next string of the same list (lines of a patch). */
  spans?(text: string): boolean;
}

/** The value with every text mapped, keys included. Plain JSON in, plain JSON out. */
export function mapLeaves(value: unknown, mapping: LeafMapping): unknown {
  return walk(value, mapping, undefined, 0);
}

/** True when `test` holds for a text inside the value, keys included, or when something lies too deep to be looked at. */
export function someText(value: unknown, test: (text: string) => boolean): boolean {
  return holdsText(value, test, 0);
}

function holdsText(value: unknown, test: (text: string) => boolean, depth: number): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value !== "object" || value === null) return false;
  if (depth >= maxDepth) return true;
  if (Array.isArray(value)) return value.some((item) => holdsText(item, test, depth + 1));
  return Object.entries(value).some(
    ([name, item]) => test(name) || holdsText(item, test, depth + 1),
  );
}

function walk(
  value: unknown,
  mapping: LeafMapping,
  key: string | undefined,
  depth: number,
): unknown {
  if (typeof value === "string") return mapping.text(value, key);
  if (typeof value === "number") return mapping.number ? mapping.number(value, key) : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return tooDeep;
  if (Array.isArray(value)) return walkList(value, mapping, key, depth);
  return walkObject(value, mapping, depth);
}

function walkList(
  list: readonly unknown[],
  mapping: LeafMapping,
  key: string | undefined,
  depth: number,
): unknown {
  if (mapping.spans && list.length > 1) {
    const texts = list.filter((item) => typeof item === "string");
    if (texts.length === list.length && texts.some((text) => mapping.spans?.(text))) {
      return mapping.text(texts.join(seam), key).split(seam);
    }
  }
  let changed = false;
  const mapped = list.map((item) => {
    const next = walk(item, mapping, key, depth + 1);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? mapped : list;
}

function walkObject(object: object, mapping: LeafMapping, depth: number): unknown {
  let changed = false;
  const entries = Object.entries(object);
  const label = labelOf(entries);
  for (const entry of entries) {
    const [name, item] = entry;
    entry[0] = mapping.text(name, undefined);
    const said = name === "value" || name === "content" ? (label ?? name) : name;
    entry[1] = walk(item, mapping, said, depth + 1);
    if (entry[0] !== name || entry[1] !== item) changed = true;
  }
  // fromEntries defines own properties, so that a key `__proto__` stays a key.
  return changed ? Object.fromEntries(entries) : object;
}

/** A file of one word: what it is called says what the word is. */
const oneWord = /^\s*\S{8,400}\s*$/;

/** The name that `{"name": "DB_PASSWORD", "value": …}` gives its value, and `{"filePath": "master.key", "content": …}` its content. */
function labelOf(entries: ReadonlyArray<[string, unknown]>): string | undefined {
  if (entries.length > 8) return undefined;
  const content = entries.find(([name]) => name === "content")?.[1];
  const isFile = typeof content === "string" && oneWord.test(content);
  if (!isFile && !entries.some(([name]) => name === "value")) return undefined;
  const label = entries.find(
    ([name, item]) =>
      (isFile ? /^file_?path$/i : /^(?:name|key)$/).test(name) && typeof item === "string",
  );
  return label && String(label[1]).replace(/^.*[\\/]/, "");
}
