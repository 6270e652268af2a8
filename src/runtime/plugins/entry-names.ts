// The entries of the package `memoir` that plugins import: `src/<name>/index.ts` is the source of `memoir/<name>`.

/** Entry → what it is for, in the order in which an author meets them. */
export const entryTexts = {
  sdk: "The contract: slots, hooks, records, errors, `definePlugin`.",
  strategy: "What strategies share: a prompt strategy is an answer format and a name.",
  records: "The engine behind a storage, and SQLite for data of your own.",
  provider: "What providers share: keys, and an API's failures in memoir's words.",
  privacy: "Secrets and private passages, and the marks around what memoir says.",
  text: "Reading and shortening what people, agents and programs wrote.",
  transcript: "Rewriting a client's transcript files, with a way back.",
  testing: "What a plugin is tested with: a host, samples, each slot's promises.",
} as const;

/** The last part of an entry's import. */
export type EntryName = keyof typeof entryTexts;

/** All entries, in the same order. */
export const entryNames = Object.keys(entryTexts) as EntryName[];
