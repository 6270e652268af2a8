// What a message is about: the names in it, above all those that it quotes. Pure.

/** What stands in quotes that belong together, without white space at its ends. */
const quotedParts =
  /(?<![\p{L}\p{N}])(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|[`‘“«„]([^`'’“”»\n]{1,80})[`'’“”»])(?![\p{L}\p{N}])/gu;
/** Joined of parts, or written in two cases: no word of a language. */
const joined = /[\p{L}\p{N}](?:[._:|$/\\-]+)[\p{L}\p{N}]|\p{Ll}\p{Lu}/u;
const between = /[\s"'`‘’“”«»()[\]{}<>,;=]+/u;
const edges = /^[^\p{L}\p{N}#]+|[^\p{L}\p{N}#]+$/gu;
/** The code of an error names its kind, not what it befell. */
const code = /^[A-Z]{1,5}_?\d{2,5}$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;

/** What a text quotes. */
export function quotedIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(quotedParts)]
      .map(([, one, two, three]) => (one ?? two ?? three ?? "").trim())
      .filter((quoted) => /\p{L}/u.test(quoted) && !code.test(quoted)),
  );
}

/** Names in a text, quoted or not. */
export function namesIn(text: string): Set<string> {
  const words = text.split(between).map((word) => word.replace(edges, ""));
  return new Set([
    ...quotedIn(text),
    ...words.filter((word) => joined.test(word) && !code.test(word)),
  ]);
}

/** The line with a mark for each name; undefined where too little of it stays. */
export function skeletonOf(line: string): string | undefined {
  const bare = line
    .replace(quotedParts, "~")
    .split(" ")
    .map((word) => (joined.test(word.replace(edges, "")) ? "~" : word))
    .join(" ");
  const plain = bare.match(/\p{L}{2,}/gu)?.length ?? 0;
  return bare.includes("~") && plain >= 3 ? bare : undefined;
}
