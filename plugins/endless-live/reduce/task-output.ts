// Reduces the output of a command that ran in the background.
import * as v from "valibot";
import type { Reducer } from "../reducer.ts";
import { shortenBuild } from "../text/build.ts";
import { shortenGeneric } from "../text/generic.ts";
import { firstOf } from "../text/shortened.ts";
import { shortenTests } from "../text/tests.ts";
import { replaceText } from "./replaced.ts";

const Response = v.looseObject({
  task: v.looseObject({ task_type: v.literal("local_bash"), output: v.string() }),
});
const shorten = firstOf(shortenTests, shortenBuild, shortenGeneric);

/** Agents' output is left alone, and so is that of commands that failed. */
export const reduceTaskOutput: Reducer = (arrived, _, policy) => {
  const parsed = v.safeParse(Response, arrived.response);
  if (!parsed.success) return undefined;
  const { task } = parsed.output;
  if (typeof task.exitCode === "number" && task.exitCode !== 0) return undefined;
  const replaced = replaceText(arrived, task.output, shorten, policy);
  return (
    replaced && {
      response: { ...parsed.output, task: { ...task, output: replaced.text } },
      before: task.output,
      after: replaced.text,
      how: replaced.how,
    }
  );
};
