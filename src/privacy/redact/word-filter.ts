// Tells quickly which of many words cannot stand in a text, so that most rules are never tried.

const slots = 1 << 15;
/** When every three characters in a row were last seen, as the number of the text. */
const seen = new Uint32Array(slots);
let texts = 0;
const slotOf = (first: number, second: number, third: number): number =>
  (first * 961 + second * 31 + third) & (slots - 1);

/** Tells by its number whether one of a group's words stands in a text. Good until the next text is given. */
export type WordFilter = (text: string) => (group: number) => boolean;

/** A filter for groups of words of three characters or more; shorter ones are looked for as they are. */
export function createWordFilter(groups: ReadonlyArray<readonly string[]>): WordFilter {
  const needles = groups.map((words) =>
    words.map((word) => ({
      word,
      triples: Array.from({ length: Math.max(0, word.length - 2) }, (_, at) =>
        slotOf(word.charCodeAt(at), word.charCodeAt(at + 1), word.charCodeAt(at + 2)),
      ),
    })),
  );
  return (text) => {
    markTriples(text);
    return (group) => {
      for (const { word, triples } of needles[group] ?? [])
        if (triples.every((slot) => seen[slot] === texts) && text.includes(word)) return true;
      return false;
    };
  };
}

/** One look at each character of a text answers for all the words. */
function markTriples(text: string): void {
  texts++;
  let first = 0;
  let second = 0;
  for (let at = 0; at < text.length; at++) {
    const third = text.charCodeAt(at);
    seen[slotOf(first, second, third)] = texts;
    first = second;
    second = third;
  }
}
