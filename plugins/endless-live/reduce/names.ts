// Shortens the field `filenames` of a result: one line a folder in place of one a file.
import { plural } from "../../../src/text/index.ts";
import type { Policy } from "../policy.ts";
import { type Arrived, isReduced, type Reduced, recallLine } from "../reducer.ts";
import { fitListing } from "../text/group-paths.ts";

/** Fewer names are never worth it. */
const leastNames = 20;

/** The same response with grouped names; the client joins them by line ends. */
export function reduceNames(
  arrived: Arrived,
  response: { filenames: string[] },
  policy: Policy,
): Reduced | undefined {
  const { filenames } = response;
  const before = filenames.join("\n");
  if (filenames.length < leastNames || isReduced(before)) return undefined;
  const { lines, unnamed, how } = fitListing(
    filenames,
    policy.listingCharacters,
    policy.entriesPerFolder,
  );
  const leftOut =
    unnamed > 0
      ? `${unnamed} of ${plural(filenames.length, "name")}`
      : "only repeated folder names";
  const names = [...lines, recallLine(arrived, leftOut)];
  return { response: { ...response, filenames: names }, before, after: names.join("\n"), how };
}
