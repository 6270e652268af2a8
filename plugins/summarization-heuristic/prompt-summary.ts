// The summary of one prompt: what was asked, found out, done, and what remains.

import type {
  Observation,
  SummaryDraft,
  SummaryInput,
  SummaryResult,
} from "../../src/sdk/index.ts";
import {
  baseName,
  type Claim,
  claimsIn,
  codeNames,
  goalOf,
  meaningOf,
  pathsFrom,
  startsDangling,
  vocabularyOf,
  withoutForeign,
} from "../../src/text/index.ts";
import { asDone, asSentence, proseField, someOf } from "./prose-field.ts";
import { editedText, openTodos, toolFiles } from "./tool-files.ts";

/** Sums up a prompt; without a summary when nothing happened that is worth saying. */
export function summarizePrompt(input: SummaryInput): SummaryResult {
  const paths = pathsFrom(
    input.session.project.root,
    input.toolUses.slice(0, 1).map((use) => use.cwd),
  );
  const goal = goalOf(paths.inText(input.prompts.at(-1)?.text ?? ""));
  const said = claimsIn(paths.inText(input.lastAssistantMessage ?? ""));
  const claims = withoutForeign(said, vocabularyOf(editedText(input.toolUses)));
  const files = toolFiles(input.toolUses, paths);
  const changes = input.observations.filter((one) => one.filesModified.length > 0);
  const discoveries = input.observations.filter((one) => one.type === "discovery");
  const decisions = input.observations.filter((one) => one.type === "decision");

  const summary: SummaryDraft = {
    request: proseField([goal.text], 1, 600),
    investigated: investigated(files.read, files.edited.length === 0),
    learned: proseField(learned(claims, discoveries)),
    completed: proseField(completed(claims, changes, files.edited)),
    nextSteps: proseField(nextSteps(claims, input)),
    filesRead: files.read.slice(0, 50),
    filesEdited: files.edited.slice(0, 50),
    notes: proseField(
      [
        ...decisions.flatMap((one) => one.facts.filter((fact) => fact.startsWith("User "))),
        ...texts(claims, "outcome"),
      ],
      3,
      360,
    ),
  };
  const substance =
    summary.completed !== "" ||
    summary.learned !== "" ||
    summary.nextSteps !== "" ||
    decisions.length > 0;
  if (
    !substance ||
    (goal.text === "" && input.observations.length === 0 && files.edited.length === 0)
  ) {
    return { model: null, observerTokens: 0 };
  }
  return { summary, model: null, observerTokens: 0 };
}

function investigated(read: readonly string[], onlyLooked: boolean): string {
  if (read.length === 0 || (!onlyLooked && read.length < 2)) return "";
  return asSentence(`Read ${someOf(read.map(baseName), 5)}`);
}

function learned(claims: readonly Claim[], discoveries: readonly Observation[]): string[] {
  const said = [
    ...texts(claims, "cause"),
    ...texts(claims, "decision"),
    ...texts(claims, "finding"),
  ].filter((text) => !/\b(?:you|your)\b/i.test(text));
  return said.length > 0 ? said : discoveries.flatMap((one) => one.facts.slice(0, 2));
}

/** Work that leaves no edited file: found out, run, pushed. */
const withoutEdits =
  /^(?:found|identified|discovered|confirmed|reviewed|analyzed|investigated|verified|tested|pushed|rebased|merged|published|released|installed|started|stopped|committed (?:the|all|both|and)|created (?:the |a |an )?(?:pr|pull|issue|branch|epic|task|release|tag))\b/i;

function completed(
  claims: readonly Claim[],
  changes: readonly Observation[],
  edited: readonly string[],
): string[] {
  const worked = changes.length > 0 || edited.length > 0;
  const done = texts(claims, "done").filter((text) => worked || withoutEdits.test(text));
  const effects = worked ? texts(claims, "effect").filter((text) => !/^this\b/i.test(text)) : [];
  if (done.length > 0) return [...done.slice(0, 3), ...effects.slice(0, 1)];
  if (changes.length > 0) return [...changes.map((one) => asDone(one.title)), ...effects];
  return edited.length > 0 ? [`Edited ${someOf(edited.map(baseName), 4)}`, ...effects] : [];
}

function nextSteps(claims: readonly Claim[], input: SummaryInput): string[] {
  const failing = input.observations.flatMap((one) =>
    one.facts.filter((fact) => /\bstill failed at the end\b/.test(fact)),
  );
  const todos = openTodos(input.toolUses);
  const open = todos.length === 0 ? [] : [`Open to-do items: ${someOf(todos, 4)}`];
  const said = texts(claims, "next");
  const question = claims.findLast(
    (claim) =>
      claim.kind === "question" &&
      meaningOf(claim.text).size >= 3 &&
      /^(?:want|would|should|shall|do you|which|what)\b/i.test(claim.text),
  );
  const asked =
    said.length === 0 && question !== undefined && claims.indexOf(question) >= claims.length - 6
      ? [`Open question: ${question.text}`]
      : [];
  return [...failing, ...open, ...said, ...asked];
}

function texts(claims: readonly Claim[], kind: Claim["kind"]): string[] {
  return claims
    .filter((claim) => claim.kind === kind && !startsDangling(claim.text))
    .map((claim) => withSubject(claim));
}

/** A list item with the code its list is about in front, when it names none itself. */
function withSubject(claim: Claim): string {
  const { kind, lead, section } = claim.statement;
  const subject = codeNames(lead)[0] ?? codeNames(section)[0];
  const alone = kind === "sentence" || subject === undefined || codeNames(claim.text).length > 0;
  return alone ? claim.text : `${subject}: ${claim.text}`;
}
