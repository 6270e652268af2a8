// Names that every object has already. A schema leaves them out without a word: whoever wrote one would take it to be in force.

const unusable: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

/** A value and the keys that led to it, the last first. */
interface Place {
  value: unknown;
  key?: string | number;
  in?: Place;
}

/** Where such a name stands as a key, at any depth: what is sent may be deeper than calls can go. */
export function unusableNames(value: unknown): Array<Array<string | number>> {
  const found: Place[] = [];
  const open: Place[] = [{ value }];
  for (let place = open.pop(); place; place = open.pop()) {
    if (typeof place.value !== "object" || place.value === null) continue;
    const isList = Array.isArray(place.value);
    for (const [key, inner] of Object.entries(place.value)) {
      const next = { value: inner as unknown, key: isList ? Number(key) : key, in: place };
      (!isList && unusable.has(key) ? found : open).push(next);
    }
  }
  return found.map(keysTo);
}

function keysTo(place: Place): Array<string | number> {
  const keys: Array<string | number> = [];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.in) keys.push(at.key);
  return keys.reverse();
}
