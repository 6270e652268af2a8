// Reduces a search's result: matches grouped by file, lists of files grouped by folder.
import * as v from "valibot";
import type { Reduced, Reducer } from "../reducer.ts";
import { shortenMatches } from "../text/matches.ts";
import { reduceNames } from "./names.ts";
import { replaceText } from "./replaced.ts";

const Content = v.looseObject({ mode: v.literal("content"), content: v.string() });
const Files = v.looseObject({
  mode: v.literal("files_with_matches"),
  filenames: v.array(v.string()),
});

/** `count` mode and anything unknown is left alone: it is short, or not understood. */
export const reduceGrep: Reducer = (arrived, _, policy): Reduced | undefined => {
  const content = v.safeParse(Content, arrived.response);
  if (content.success) {
    const response = content.output;
    const replaced = replaceText(arrived, response.content, shortenMatches, policy);
    return (
      replaced && {
        response: { ...response, content: replaced.text },
        before: response.content,
        after: replaced.text,
        how: replaced.how,
      }
    );
  }
  const files = v.safeParse(Files, arrived.response);
  return files.success ? reduceNames(arrived, files.output, policy) : undefined;
};
