// Indexes of failures, missing paths and files of all turns at once.
import { type FailureIndex, followFailures } from "../../plugins/context-moments/failures.ts";
import { followMissing, type MissingIndex } from "../../plugins/context-moments/missing.ts";
import { type FileIndex, followFiles } from "../../plugins/context-moments/project-index.ts";
import type { MemoryItem } from "../../src/sdk/model.ts";
import type { Turn } from "../../src/sdk/turn.ts";

/** `turns` of one project, oldest first. */
export function indexFailures(turns: readonly Turn[]): FailureIndex {
  const failures = followFailures();
  for (const turn of turns) failures.add(turn);
  return failures.index();
}

/** The same of paths that were missed. */
export function indexMissing(turns: readonly Turn[]): MissingIndex {
  const missing = followMissing();
  for (const turn of turns) missing.add(turn);
  return missing.index();
}

/** The same, with what people decided. */
export function indexFiles(turns: readonly Turn[], decisions: readonly MemoryItem[]): FileIndex {
  const files = followFiles();
  for (const turn of turns) files.add(turn);
  return files.index(decisions);
}
