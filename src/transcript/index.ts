// memoir/transcript: a client's transcript files, rewritten with a way back, and the marks that say what was taken out.

export { sessionUse } from "./in-use.ts";
export type { WantedFetch } from "./plan-rewrite.ts";
export { fetchBlocks } from "./plan-rewrite.ts";
export { recoverReplacements } from "./replace-file.ts";
export {
  type OpenRewrite,
  openRewrite,
  type RewriteOptions,
  type Rewritten,
} from "./rewrite-file.ts";
export type { TouchableUse } from "./rewrite-index.ts";
export { type ClearedInput, isClearedInput } from "./rewrite-index.ts";
export { pruneUndo, undoFolder } from "./undo-log.ts";
export { contextLimits, lastContext, limitOf, saidBefore } from "./usage.ts";
