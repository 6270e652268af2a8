// What is reduced and how far. Sizes are characters of the text that the model would read.
import * as v from "valibot";
import { toolNamesOption } from "../../src/sdk/index.ts";
import { limitOf } from "../../src/transcript/index.ts";

/** The plugin's entry in config. */
export const ConfigSchema = v.strictObject({
  over: v.optional(
    v.pipe(
      v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))),
      v.description(
        "By tool name (`mcp__*` for all of MCP): characters above which its results are reduced.",
      ),
    ),
    {},
  ),
  early: v.optional(
    v.pipe(
      v.picklist(["long", "all"]),
      v.description(
        "What is reduced while the context is less than half full: only long results, or as much as later.",
      ),
    ),
    "long",
  ),
  leave: toolNamesOption("Tools whose results are never touched.", []),
  read: v.optional(
    v.strictObject({
      sources: v.optional(
        v.pipe(
          v.picklist(["subagents", "everyone", "nobody"]),
          v.description(
            "Whose long sources are cut down: those of subagents that changed no file, everyone's, or nobody's. Who changes files needs the lines.",
          ),
        ),
        "subagents",
      ),
    }),
    {},
  ),
});
export type Config = v.InferOutput<typeof ConfigSchema>;

/** How reads are cut down. */
const readMeasures = {
  /** Lines that an earlier read shows unchanged are left out. */
  repeats: true,
  /** Longer sources, read whole, keep signatures and what the prompts name. */
  sourceOver: 5_000,
  /** Shorter bodies of functions stay. */
  bodyLines: 5,
  /** Lines kept before and after a name of the prompt in a body. */
  aroundNamed: 5,
  /** Longer texts, read whole, keep headings and beginnings. */
  proseOver: 10_000,
  /** Longer data, logs and generated files, read whole, keep their ends. */
  dataOver: 6_000,
  /** First lines kept of them; half as many last ones. */
  dataLines: 24,
};

/** How everything else is. */
const measures = {
  /** What a replacement must save, in characters and as a share of the text. */
  leastSaved: 300,
  leastShare: 0.1,
  /** Output of unknown commands is reduced above this. */
  genericOver: 3_000,
  /** Search results and listings are shortened to about this size. */
  searchCharacters: 3_500,
  listingCharacters: 3_000,
  /** First and last lines kept of a long output, and those around a line that tells of trouble. */
  headLines: 7,
  tailLines: 12,
  aroundLines: 1,
  /** Longest line kept whole in an output. */
  lineCharacters: 500,
  /** Most kept of failures of tests, and of other lines that tell of trouble. */
  failureCharacters: 5_500,
  troubleCharacters: 1_500,
  /** Most of a diff kept; files beyond are one line each. */
  diffCharacters: 3_200,
  /** Matches of a search kept whole for each file, entries of a listing for each folder. */
  matchesPerFile: 3,
  entriesPerFolder: 12,
  /** First items kept of a long JSON array, and the longest string kept whole in JSON. */
  items: 5,
  stringCharacters: 500,
  /** How much of a fetched page or of a subagent's answer is kept. */
  answerCharacters: 8_000,
};

export type ReadPolicy = typeof readMeasures & Config["read"];

/**
 * A result is looked at when it is longer than its tool's `over`, and replaced when that saves at least `leastSaved` characters
 * and `leastShare` of it.
 */
export type Policy = typeof measures & Omit<Config, "read"> & { read: ReadPolicy };

/** What config says, with everything that it has no say in. */
export function policyOf(config: Config): Policy {
  return { ...measures, ...config, read: { ...readMeasures, ...config.read } };
}

/** Whether a replacement saves enough to be worth its line. */
export function isWorthIt(before: number, after: number, policy: Policy): boolean {
  const saved = before - after;
  return saved >= policy.leastSaved && saved >= before * policy.leastShare && saved > 0;
}

/** While a context is at most so full, as a share of its limit, shorter results stay whole: most sessions end before it matters. */
const early = [
  { fullness: 0.25, characters: 10_000 },
  { fullness: 0.5, characters: 3_000 },
];

/** Longer results are reduced however empty the context is. */
export const longResult = Math.max(...early.map(({ characters }) => characters));

/** Characters below which a result stays whole in a context of so many tokens; 0 where nobody knows how many. */
export function leastIn(context: number | undefined, policy: Pick<Policy, "early">): number {
  if (context === undefined || policy.early === "all") return 0;
  const fullness = context / limitOf(context);
  return early.find((step) => fullness <= step.fullness)?.characters ?? 0;
}
