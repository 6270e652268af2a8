// What commands proved: failures, what made them pass, and how things stood at the end.
import { baseName, fitWords, shortPath } from "../../src/sdk/index.ts";
import { joined } from "./change-facts.ts";
import type { Episode, Repair } from "./episodes.ts";
import type { Candidate } from "./fact.ts";
import type { RunStep } from "./step.ts";

/** The command as a reader would name it: `mix test`, not its arguments. */
export function commandName(run: RunStep): string {
  const words = run.command.display.replace(/\s+--?[\w-]+(?:[= ]\S+)?/g, "").split(/\s+/);
  const name = words
    .slice(0, 3)
    .join(" ")
    .replace(/["'`].*$/, "")
    .trim();
  return name.length > 40 ? (words[0] ?? "") : name;
}

/** The error in at most `limit` characters, cut between words; "" when the output named none. */
export function errorText(run: RunStep, limit = 80): string {
  const error = (
    run.errors[0] ?? (run.failing[0] === undefined ? "" : `failing test ${run.failing[0]}`)
  )
    .replaceAll('"', "'")
    .replaceAll("`", "'")
    .trim();
  if (error.length <= limit) return error;
  const cut = error.slice(0, limit + 1);
  return cut
    .slice(0, cut.lastIndexOf(" ") > limit / 2 ? cut.lastIndexOf(" ") : 0)
    .replace(/[\s,;:([{'-]+$/, "");
}

/** Facts on failures that were repaired, on what still fails, and on the last passing test run. */
export function runFacts(episode: Episode): Candidate[] {
  const facts: Candidate[] = [];
  for (const repair of episode.repairs) {
    const text = repairSentence(repair);
    if (text !== "")
      facts.push({
        text,
        score:
          repair.failed.command.purpose === "test" || repair.failed.command.purpose === "run"
            ? 5
            : 2.5,
      });
  }
  for (const run of episode.unresolved) {
    const error = errorText(run);
    if (error !== "")
      facts.push({
        text: `${commandName(run)} still failed at the end: ${error}`,
        score: run.command.purpose === "routine" ? 0 : 6,
      });
    else if (run.totals)
      facts.push({
        text: `${commandName(run)} still failed at the end with ${run.totals.failed} failed and ${run.totals.passed} passed tests`,
        score: 6,
      });
  }
  const last = episode.runs.findLast(
    (run) => run.command.purpose === "test" && run.passed === true,
  );
  if (last?.totals && last.totals.passed > 0 && episode.changes.length > 0) {
    const file = shortPath(episode.changes[episode.changes.length - 1]?.path ?? "", 50);
    facts.push({
      text: `${commandName(last)} passed with ${last.totals.passed} tests after the last change, in ${file}`,
      score: 1,
    });
  }
  return facts;
}

/** `mix test failed with "…"; passed after the change to a.ex`; "" without an error line. */
export function repairSentence(repair: Repair): string {
  const files = [...new Set(repair.changes.map((change) => baseName(change.path)))];
  const error = errorText(repair.failed, 75);
  if (error === "") return "";
  const where = files.length > 3 ? `${files.length} files` : joined(files);
  const sentence = `${commandName(repair.failed)} failed with "${error}", passed after changing ${where}`;
  return sentence.length <= 150
    ? sentence
    : `${commandName(repair.failed)} failed with "${fitWords(error, 8) ?? errorText(repair.failed, 50)}", passed after changing ${files[0] ?? "the code"}`;
}
