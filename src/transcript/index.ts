// The transcript library: reading, following, matching and rewriting what a client wrote down. Knows nothing of memoir.
export * from "./agent-file.ts";
export * from "./chain.ts";
export { parseContent, textOfContent } from "./content.ts";
export * from "./context.ts";
export * from "./discover.ts";
export * from "./entry.ts";
export * from "./file.ts";
export type { Position, SplitterOptions } from "./lines.ts";
export { type PersonText, personText } from "./person-text.ts";
export * from "./read.ts";
export * from "./reverse.ts";
export * from "./rewrite.ts";
export * from "./seek.ts";
export * from "./tail.ts";
export * from "./tool-uses.ts";
export * from "./usage.ts";
