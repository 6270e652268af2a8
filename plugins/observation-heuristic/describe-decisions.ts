// What the user settled in a prompt, an answer or an accepted plan, as one observation of type decision.
import type { ObservationDraft } from "../../src/sdk/index.ts";
import { overlap, sentences, sublineOf } from "../../src/text/index.ts";
import { claimFacts } from "./claim-facts.ts";
import { choiceText, decisionsIn, settled } from "./decisions.ts";
import { draftOf } from "./draft.ts";
import type { Episode } from "./episodes.ts";
import { chooseFacts } from "./fact.ts";
import type { ChoiceStep } from "./step.ts";
import { firstSubtitle, firstTitle } from "./title.ts";
import { claimsOf, firstOf, type Told } from "./told.ts";

/** Describes what was decided; undefined when nothing was. */
export function describeDecisions(
  choices: readonly ChoiceStep[],
  told: Told,
): ObservationDraft | undefined {
  const stated = decisionsIn(told.prompt);
  const agreed = told.claims.filter(
    (claim) =>
      claim.kind === "decision" && /^(?:Decided|Chose|Opted|Agreed|Settled)\b/.test(claim.text),
  );
  const plan = choices.find((choice) => choice.question === "plan");
  const planned = plan === undefined ? [] : claimsOf(plan.answer, told.paths);
  const facts = chooseFacts([
    ...stated.map((decision) => {
      const text = `User ${decision.kind}: ${decision.text}`;
      return {
        text,
        score: 9,
        fuller: besides(decision.text, told.prompt).map((rest) => `${text} (said with "${rest}")`),
      };
    }),
    ...agreed.map((claim) => ({ text: claim.text, score: 8.5 })),
    ...choices
      .filter((choice) => choice !== plan)
      .map((choice) => {
        const { question, answer } = choiceText(choice);
        return {
          text: `User chose "${quoted(answer)}" for the question "${quoted(question)}"`,
          score: 8,
        };
      }),
    ...claimFacts(planned, []),
  ]);
  if (facts.length === 0) return undefined;
  const heading = plan === undefined ? undefined : /^#+\s+(.+)$/m.exec(plan.answer)?.[1];
  const title = firstTitle([
    ...stated.map(settled),
    ...agreed.map((claim) => claim.text),
    heading?.replace(/^plan:\s*/i, "Plan to "),
    ...choices.filter((choice) => choice !== plan).map((choice) => choice.answer),
    firstOf(told.goal),
    `${plan === undefined ? "Decision" : "Plan"} of the user`,
  ]);
  if (title === undefined) return undefined;
  const subtitle =
    firstSubtitle(title, [
      ...stated.map((decision) => decision.text),
      ...agreed.map((claim) => claim.text),
      ...planned.slice(0, 4).map((claim) => claim.text),
      ...choices.filter((choice) => choice !== plan).map((choice) => choice.question),
      told.goal.text,
    ]) || "Stated by the user in the prompt";
  const episode: Episode = {
    steps: [...choices],
    changes: [],
    runs: [],
    looks: [],
    reports: [],
    choices: [...choices],
    repairs: [],
    unresolved: [],
    closing: true,
  };
  return draftOf({ kind: "decision", title, subtitle, facts }, episode, {
    ...told,
    claims: planned,
  });
}

/** What else the prompt says, short enough to stand beside a decision that is itself too short for a fact. */
function besides(decision: string, prompt: string): string[] {
  return sentences(prompt)
    .filter((sentence) => overlap(sentence, decision) < 0.6)
    .flatMap((sentence) => sublineOf(quoted(sentence), 12) ?? []);
}

function quoted(text: string): string {
  return text.replaceAll('"', "'");
}
