// Word stems, so that inflections of one word are one term.
import { stemmer } from "stemmer";
import { irregular } from "./irregular.ts";

const cache = new Map<string, string>();
const cacheLimit = 50_000;

/** Porter's stem of a lower-case word, of `write` for `wrote`: `authentication` and `authenticate` are both `authent`. Other scripts stay as they are. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 64) return word;
  let known = cache.get(word);
  if (known === undefined) {
    known = stemmer(irregular.get(word) ?? word);
    if (cache.size >= cacheLimit) cache.clear();
    cache.set(word, known);
  }
  return known;
}
