// Questions over recorded sessions: is the right session, and the right turn, among the first?
import { type Question, readQuestions } from "../cases.ts";
import type { Hit } from "./memory.ts";
import { rankOf, recall } from "./rank.ts";
import { type Figure, figure } from "./report.ts";
import type { Turns } from "./turns.ts";

/** Where a hit leads. */
export type Place = Pick<Hit, "session" | "promptNumber">;
/** Who answers: places, best first; several texts are one question in several phrasings. */
export type Answerer = (
  texts: readonly string[],
  asker?: { here?: string },
) => Promise<readonly Place[]>;

/** How one question went. */
export interface AskedQuestion {
  question: Question;
  /** Ranks with the question as it is, and with its three phrasings at once. */
  one: Ranks;
  three: Ranks;
  /** The question as it is, asked from the project that has the answer. */
  here: Ranks;
}

/** 1 is best; undefined where it was not found. */
export interface Ranks {
  session: number | undefined;
  turn: number | undefined;
}

/** Asks everything, over all projects. */
export async function askQuestions(
  answer: Answerer,
  turns: Turns,
  projects: ReadonlyMap<string, { project: string }> = new Map(),
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  for (const question of readQuestions()) {
    const here = projects.get(question.answers[0]?.session ?? "")?.project;
    const asker = here === undefined ? {} : { here };
    asked.push({
      question,
      one: ranksOf(await answer([question.question]), question, turns),
      three: ranksOf(await answer(question.phrasings), question, turns),
      here: ranksOf(await answer([question.question], asker), question, turns),
    });
  }
  return asked;
}

/** Where the session and the turn that answer stand. */
export function ranksOf(
  hits: readonly Place[],
  { answers }: Pick<Question, "answers">,
  turns: Turns,
): Ranks {
  const sessions = new Set(answers.map(({ session }) => session));
  return {
    session: rankOf(
      hits,
      ({ session }) => session,
      ({ session }) => sessions.has(session),
    ),
    turn: rankOf(
      hits,
      ({ session, promptNumber }) => `${session} ${promptNumber}`,
      (hit) => turns.answers(hit, answers),
    ),
  };
}

/** R@5, R@10 and MRR, for questions in other words and in the session's words; of `levels` where the answerer knows both. */
export function questionFigures(
  asked: readonly AskedQuestion[],
  by = "",
  levels: ReadonlyArray<keyof Ranks> = ["session", "turn"],
): Figure[] {
  return [true, false].flatMap((paraphrased) => {
    const part = `questions in ${paraphrased ? "other words" : "the session's words"}${by}`;
    const these = asked.filter(({ question }) => question.paraphrased === paraphrased);
    return levels.flatMap((what) =>
      (by === "" ? (["one", "here", "three"] as const) : (["one", "three"] as const)).flatMap(
        (how) =>
          (["at5", "at10", "mrr"] as const).map((measure) =>
            figure(
              part,
              `${what}, ${ways[how]}: ${labels[measure]}`,
              these,
              ({ question }) => question.aside,
              (of) => recall(of.map((one) => one[how][what]))[measure],
            ),
          ),
      ),
    );
  });
}

const ways = { one: "the question", here: "from its project", three: "three phrasings" } as const;
const labels = { at5: "R@5", at10: "R@10", mrr: "MRR" } as const;

/** Questions whose session or turn is not among the first five: what to look at. Never those set aside. */
export function questionMisses(asked: readonly AskedQuestion[]): string[] {
  const missed = (rank: number | undefined) => rank === undefined || rank > 5;
  return asked
    .filter(({ question, one }) => !question.aside && (missed(one.session) || missed(one.turn)))
    .map(
      ({ question, one, three }) =>
        `${question.id}: session ${one.session ?? "-"}, turn ${one.turn ?? "-"}; with three ${three.session ?? "-"}, ${three.turn ?? "-"}: ${question.question}`,
    );
}
