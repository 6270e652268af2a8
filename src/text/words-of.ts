// The words of texts, and whether a text has a word that only some of them have.

/** A turn, as far as it says something. */
interface Saying {
  pieces: ReadonlyArray<{ text: string; about?: string | undefined }>;
  files: ReadonlyArray<{ path: string }>;
}

/** What turns say, whatever it is. */
export function textOf(turns: readonly Saying[]): string {
  return turns
    .flatMap(({ pieces, files }) => [
      ...pieces.flatMap(({ text, about = "" }) => [text, about]),
      ...files.map(({ path }) => path),
    ])
    .join("\n");
}

/** Of three characters and more, in lower case. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu));
}

/** Tells of a text whether it has a word of `some` that the `rest` has not. */
export function onlyIn(some: string, rest: string): (text: string) => boolean {
  const [own, others] = [wordsOf(some), wordsOf(rest)];
  return (text) => [...wordsOf(text)].some((word) => own.has(word) && !others.has(word));
}
