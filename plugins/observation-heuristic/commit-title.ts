// A commit's subject as a title.
import { capitalize, plainLine } from "../../src/text/index.ts";

/** Without its conventional prefix, its tag and the pull request's number; "" without a commit. */
export function commitTitle(message: string | undefined): string {
  const subject = message?.split("\n")[0] ?? "";
  return capitalize(
    plainLine(
      subject
        .replace(/^[a-z]+(?:\([^)]*\))?!?:\s+/, "")
        .replace(/^\[[^\]]+\]\s*/, "")
        .replace(/\s*\(?#\d+\)?$/, ""),
    ),
  );
}
