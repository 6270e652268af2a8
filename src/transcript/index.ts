// The transcript library: reading, following, matching and rewriting what a client wrote down. Knows of memoir only the marks it leaves in a file.
export * from "./agent-file.ts";
export * from "./chain.ts";
export type { ClearPolicy, Touchable, TouchableUse } from "./clearable.ts";
export * from "./cleared-input.ts";
export { parseContent, textOfContent } from "./content.ts";
export * from "./context.ts";
export * from "./discover.ts";
export * from "./entry.ts";
export { type FetchedRecords, fetchBlocks } from "./fetch-pair.ts";
export * from "./file.ts";
export type { Position, SplitterOptions } from "./lines.ts";
export * from "./open-session.ts";
export { type PersonText, personText } from "./person-text.ts";
export type { WantedChanges, WantedFetch } from "./plan-rewrite.ts";
export * from "./read.ts";
export * from "./recover-replacement.ts";
export * from "./restore-file.ts";
export * from "./reverse.ts";
export * from "./rewrite.ts";
export {
  type OpenRewrite,
  openRewrite,
  type RewriteOptions,
  type Rewritten,
} from "./rewrite-file.ts";
export * from "./seek.ts";
export * from "./tail.ts";
export * from "./tool-uses.ts";
export { pruneUndo, undoFolder, undoPlaces, undoSessions } from "./undo-log.ts";
export * from "./usage.ts";
