// What a subagent found out or did, in the words of its report.
import type { ObservationDraft } from "../../src/sdk/index.ts";
import { touchedFiles } from "../../src/strategy/index.ts";
import {
  baseName,
  bestOf,
  cleanText,
  cut,
  leadingOf,
  overlap,
  plainLine,
  requestOf,
  tellings,
  titleOf,
} from "../../src/text/index.ts";
import { conceptsOf } from "./concepts.ts";
import { kindOf } from "./kind.ts";
import { fileFacts } from "./known-facts.ts";
import { type Known, placesOf, type Reported } from "./work.ts";

const mostFacts = 7;
const mostNarrative = 4_000;
const least = 2.5;
/** A report of fewer characters tells nothing. */
const substance = 60;

/** Undefined where it said nothing and changed nothing. */
export function describeReport(
  { agent, uses, said }: Reported,
  { turn, paths, prompt }: Known,
): ObservationDraft | undefined {
  const reportAt = turn.pieces.findLastIndex(
    (piece) =>
      piece.kind === "report" &&
      (piece.agent === agent.id || (said !== undefined && piece.text.trim() === said.trim())),
  );
  const report = paths.inText(said ?? turn.pieces[reportAt]?.text ?? "");
  const { read, modified: changed, made } = touchedFiles(uses, paths);
  if (report.length < substance && changed.length === 0) return undefined;
  const taskAt = turn.pieces.findIndex(
    ({ kind, about }) =>
      kind === "task" && about !== undefined && about === turn.pieces[reportAt]?.about,
  );
  const task = turn.pieces[taskAt];
  const asked = requestOf(task?.text ?? "");
  const all = tellings(report, { names: [...changed, ...read].map(baseName), asked });
  const facts = bestOf(all, mostFacts - 1, least).map(({ text }) => text);
  const first = leadingOf(all)?.text ?? "";
  const title = titleOf(task?.about || asked || first || requestOf(prompt));
  if (title === "") return undefined;
  if (facts.length < 3)
    facts.push(
      ...fileFacts(turn.files, changed)
        .map(({ text }) => text)
        .slice(0, 3),
    );
  const type = kindOf(
    {
      changed: changed.length,
      made: made.length,
      committed: false,
      repaired: false,
      words: [asked],
    },
    { ...turn, pieces: [] },
  );
  return {
    type,
    title,
    subtitle: overlap(first, title) < 0.8 ? titleOf(first, 220) : "",
    facts,
    narrative:
      cut(
        report
          .split(/\n\s*\n/)
          .map((paragraph) => plainLine(cleanText(paragraph)))
          .filter(Boolean)
          .join("\n\n"),
        mostNarrative,
      ) || facts.join(" "),
    concepts: conceptsOf(type, changed.length > 0 ? changed : read),
    filesRead: read.slice(0, 50),
    filesModified: changed,
    toolUseIds: uses.map(({ id }) => id),
    agent,
    observerTokens: 0,
    time: uses.at(-1)?.time ?? turn.time,
    evidence: placesOf(turn, reportAt < 0 && taskAt < 0 ? [0] : [reportAt, taskAt]),
  };
}
