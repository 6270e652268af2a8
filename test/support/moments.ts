// Indexes of failures and files of all turns at once.
import { type FailureIndex, followFailures } from "../../plugins/context-moments/failures.ts";
import { type FileIndex, followFiles } from "../../plugins/context-moments/project-index.ts";
import type { Turn } from "../../src/sdk/turn.ts";

/** `turns` of one project, oldest first. */
export function indexFailures(turns: readonly Turn[]): FailureIndex {
  const failures = followFailures();
  for (const turn of turns) failures.add(turn);
  return failures.index();
}

/** The same, with what else says something of files; `usual`: how many kinds of failures have a line. */
export function indexFiles({
  turns,
  usual,
  ...others
}: {
  turns: readonly Turn[];
  usual(line: string): number;
} & Parameters<ReturnType<typeof followFiles>["index"]>[0]): FileIndex {
  const files = followFiles(usual);
  for (const turn of turns) files.add(turn);
  return files.index(others);
}
