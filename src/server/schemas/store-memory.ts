// What agents and people tell memory themselves: the three bodies, with messages that say which rule was broken, and the answers.
import * as v from "valibot";
import { observationTypes } from "../../sdk/model.ts";
import { factLength, mostFacts } from "../../strategy/draft-facts.ts";
import { observationLimits } from "../../strategy/draft-observation.ts";
import { sessionTitleLimits } from "../../strategy/draft-summary.ts";
import { startsDangling } from "../../text/prose/dangling.ts";
import { countWords } from "../../text/text.ts";

const text = (most: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(most, `has more than ${most} characters`));
const filled = (most: number) => v.pipe(text(most), v.nonEmpty("is empty"));

/** A line with a number of words; the message says how many there are. */
function line(least: number, most: number) {
  const wanted = least > 0 ? `${least} to ${most} words` : `at most ${most} words`;
  return v.pipe(
    text(400),
    v.check((value) => !value.includes("\n"), "has more than one line"),
    v.check(
      (value) => countWords(value) >= least && countWords(value) <= most,
      ({ input }) => `wants ${wanted}, but has ${countWords(input)}`,
    ),
  );
}

const { min, max } = factLength;
const fact = v.pipe(
  text(2_000),
  v.check(
    (value) => value.length >= min && value.length <= max,
    ({ input }) => `wants ${min} to ${max} characters, but has ${input.length}`,
  ),
  v.check(
    (value) => !startsDangling(value),
    "begins with a word that points at something said elsewhere: name what it is about",
  ),
);

/** Where it belongs; `root` is the folder that an unknown project is taken to lie in. */
const place = { project: filled(400), session: filled(200), root: filled(4_096) };

/** `POST /api/store-memory`. */
export const StoreMemoryBody = v.strictObject({
  ...place,
  title: line(observationLimits.title.min, observationLimits.title.max),
  subtitle: line(0, observationLimits.subtitle),
  facts: v.pipe(
    v.array(fact),
    v.minLength(1, "wants at least one fact"),
    v.maxLength(mostFacts, `wants at most ${mostFacts} facts`),
  ),
  concepts: v.pipe(
    v.array(v.pipe(filled(60), v.toLowerCase())),
    v.minLength(1, "wants at least one concept"),
    v.maxLength(
      observationLimits.concepts.max,
      `wants at most ${observationLimits.concepts.max} concepts`,
    ),
  ),
  files: v.pipe(v.array(filled(1_000)), v.maxLength(100, "wants at most 100 files")),
  /** Epoch ms. */
  time: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  id: v.exactOptional(filled(200)),
  type: v.exactOptional(
    v.pipe(
      v.picklist(observationTypes, `wants one of ${observationTypes.join(", ")}`),
      v.description("Default `discovery`."),
    ),
  ),
  narrative: v.exactOptional(text(20_000)),
  prompt: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
});

/** `POST /api/update-session-metadata`. */
export const SessionMetadataBody = v.strictObject({
  ...place,
  title: line(sessionTitleLimits.min, sessionTitleLimits.max),
  subtitle: line(0, sessionTitleLimits.subtitle),
});

/** `POST /api/store-overview`. */
export const OverviewBody = v.strictObject({
  ...place,
  content: filled(4_000),
  request: v.exactOptional(text(4_000)),
  learned: v.exactOptional(text(4_000)),
  nextSteps: v.exactOptional(text(4_000)),
});

/** What was stored; false where it had been before. */
export const StoredAnswer = v.object({ id: v.string(), stored: v.boolean() });
/** Whose title was stored. */
export const TitledAnswer = v.object({ session: v.string(), stored: v.boolean() });
