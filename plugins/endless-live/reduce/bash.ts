// Reduces what a shell command printed.
import * as v from "valibot";
import type { Reducer } from "../reducer.ts";
import { shortenBuild } from "../text/build.ts";
import { shortenDiagnostics } from "../text/diagnostics.ts";
import { shortenDiff } from "../text/diff.ts";
import { shortenGeneric } from "../text/generic.ts";
import { shortenGitLog } from "../text/git-log.ts";
import { shortenGitStatus } from "../text/git-status.ts";
import { shortenJson } from "../text/json.ts";
import { shortenListing } from "../text/listing.ts";
import { shortenSearch } from "../text/matches.ts";
import { firstOf } from "../text/shortened.ts";
import { shortenTests } from "../text/tests.ts";
import { printsFiles } from "./prints-files.ts";
import { replaceText } from "./replaced.ts";

const Response = v.looseObject({
  stdout: v.string(),
  stderr: v.string(),
  interrupted: v.literal(false),
  isImage: v.optional(v.literal(false)),
  persistedOutputPath: v.optional(v.undefined()),
});

const shorten = firstOf(
  shortenDiff,
  shortenTests,
  shortenGitLog,
  shortenGitStatus,
  shortenJson,
  shortenSearch,
  shortenListing,
  shortenDiagnostics,
  shortenBuild,
  shortenGeneric,
);

/**
 * Shortens `stdout`. Left alone: images, what was interrupted, what the client itself cut to a preview, and commands
 * that print files, since an edit may follow. `stderr` stays as it is.
 */
export const reduceBash: Reducer = (arrived, { isMentioned }, policy) => {
  const parsed = v.safeParse(Response, arrived.response);
  const command = typeof arrived.input.command === "string" ? arrived.input.command : "";
  if (!parsed.success || printsFiles(command)) return undefined;
  const response = parsed.output;
  const replaced = replaceText(arrived, response.stdout, shorten, policy, { command, isMentioned });
  if (!replaced) return undefined;
  const tail = response.stderr === "" ? "" : `\n${response.stderr}`;
  return {
    response: { ...response, stdout: replaced.text },
    before: response.stdout + tail,
    after: replaced.text + tail,
    how: replaced.how,
  };
};
