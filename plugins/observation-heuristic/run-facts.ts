// What commands proved: failures, what made them pass, and how things stood at the end.
import { baseName, shortPath, trimEnd } from "../../src/text/index.ts";
import { joined } from "./change-facts.ts";
import type { Episode, Repair } from "./episodes.ts";
import type { Candidate } from "./fact.ts";
import type { RunStep } from "./step.ts";

/** The command as a reader would name it: `mix test` or `node --test`, not its arguments. */
export function commandName(run: RunStep): string {
  const all = run.command.display.split(/\s+/);
  const stop = all.findIndex(
    (word, index) => index > 0 && !/^[a-z][\w:.-]*$/i.test(word) && word !== "--test",
  );
  const limit = run.command.purpose === "commit" ? 2 : 3;
  return all
    .slice(0, Math.min(limit, stop === -1 ? limit : stop))
    .join(" ")
    .slice(0, 40)
    .trim();
}

/** The error in at most `limit` characters, cut between words; "" when the output named none. */
export function errorText(run: RunStep, limit = 80): string {
  const test = run.failing[0] ?? "";
  const line = run.errors[0] ?? "";
  const both = test !== "" && line !== "" && !line.includes(test) && !/\.\w+[:(]\d/.test(line);
  const told = both ? `${test}: ${line}` : line || (test === "" ? "" : `failing test ${test}`);
  const named = both && told.length > limit ? line : told;
  const error = named
    .replace(/^\*\* \((\w+)\)/, "$1:")
    .replaceAll('"', "'")
    .replaceAll("`", "'")
    .trim();
  if (error.length <= limit) return error;
  const space = error.lastIndexOf(" ", limit);
  const cut = space > limit / 2 ? error.slice(0, space) : "";
  const open = (cut.match(/'/g)?.length ?? 0) % 2 === 1 ? cut.slice(0, cut.lastIndexOf("'")) : cut;
  return trimEnd(open.replace(/\s*\([^()]*$/, ""));
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
      fuller: [
        `${commandName(last)} passed with ${last.totals.passed} tests and none failing after the last change, in ${file}`,
      ],
    });
  }
  return facts;
}

/** `mix test failed with "…", passed after changing a.ex`, at most 150 characters; "" without an error line. */
export function repairSentence(repair: Repair): string {
  const files = [...new Set(repair.changes.map((change) => baseName(change.path)))];
  const where = files.length > 3 ? `${files.length} files` : joined(files);
  for (const place of [where, `${files.length} files`]) {
    const frame = `${commandName(repair.failed)} failed with "", passed after changing ${place}`;
    const error = errorText(repair.failed, 150 - frame.length);
    if (error !== "") return frame.replace('""', () => `"${error}"`);
  }
  return "";
}

/** How the last check of an episode ended, in a few words; "" when none ran. */
export function outcomeOf(episode: Episode): string {
  const last = episode.runs.findLast(
    (run) => run.command.purpose === "test" && run.passed !== undefined,
  );
  if (last === undefined) return "";
  if (last.passed === true) {
    const tests = last.totals === undefined ? "" : ` with ${last.totals.passed} tests`;
    return `${commandName(last)} passed${tests}`;
  }
  return last.totals === undefined
    ? `${commandName(last)} still fails`
    : `${commandName(last)} has ${last.totals.failed} failing tests`;
}

/** A title for a failure that was there before and is gone: "Fix bun test failure in cart.ts". */
export function repairTitle(episode: Episode): string | undefined {
  const first = episode.steps.findIndex((step) => step.kind === "change");
  const repair = episode.repairs.find((one) => episode.steps.indexOf(one.failed) < first);
  const file = repair?.changes[0];
  return repair === undefined || file === undefined
    ? undefined
    : `Fix ${commandName(repair.failed)} failure in ${baseName(file.path)}`;
}
