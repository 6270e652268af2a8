// What is reduced and how far: every knob of the strategy, with its default.
import * as v from "valibot";
import { namesTool, toolNamesOption } from "../../src/sdk/index.ts";

// The knobs of reads, with their defaults.

const readCount = (text: string, fallback: number) =>
  v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000), v.description(text)),
    fallback,
  );

/** Below `live`'s entry in config: `read`. Sizes are characters of the text that the model would read. */
export const ReadPolicySchema = v.strictObject({
  repeats: v.optional(
    v.pipe(v.boolean(), v.description("Leave out lines that an earlier read shows unchanged.")),
    true,
  ),
  sources: v.optional(
    v.pipe(
      v.picklist(["subagents", "everyone", "nobody"]),
      v.description(
        "Whose long sources are cut down: those of subagents that changed no file, everyone's, or nobody's. Who changes files needs the lines.",
      ),
    ),
    "subagents",
  ),
  sourceOver: readCount(
    "Longer sources, read whole, keep signatures and what the prompts name.",
    5_000,
  ),
  bodyLines: readCount("Shorter bodies of functions stay.", 5),
  aroundNamed: readCount("Lines kept before and after a name of the prompt in a body.", 5),
  names: readCount("Names that a left out body is described with.", 10),
  proseOver: readCount("Longer texts, read whole, keep headings and beginnings.", 16_000),
  sectionLines: readCount("First lines kept of each section of a text.", 8),
  dataOver: readCount("Longer data, logs and generated files, read whole, keep their ends.", 6_000),
  dataLines: readCount("First lines kept of them; half as many last ones.", 40),
});

/** The knobs of reads. */
export type ReadPolicy = v.InferOutput<typeof ReadPolicySchema>;

const count = (text: string, fallback: number, max = 1_000_000) =>
  v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max), v.description(text)),
    fallback,
  );

/**
 * The plugin's entry in config. Sizes are characters of the text that the model would read. A result is looked at
 * when it is longer than its tool's `over`, and replaced when that saves at least `leastSaved` characters and
 * `leastShare` of it.
 */
export const PolicySchema = v.strictObject({
  over: v.optional(
    v.pipe(
      v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))),
      v.description(
        "By tool name (`mcp__*` for all of MCP): characters above which its results are reduced.",
      ),
    ),
    {},
  ),
  leave: toolNamesOption("Tools whose results are never touched.", []),
  leastSaved: count("Characters that a replacement must save.", 300),
  leastShare: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description("Share of the text that a replacement must save."),
    ),
    0.1,
  ),
  learn: v.optional(
    v.pipe(
      v.boolean(),
      v.description("Leave a kind of output alone once it is fetched back too often to pay."),
    ),
    true,
  ),
  genericOver: count("Characters above which output of unknown commands is reduced.", 3_000),
  searchCharacters: count("Search results are shortened to about this size.", 3_500),
  listingCharacters: count("Listings are shortened to about this size.", 3_000),
  headLines: count("First lines kept of a long output.", 12),
  tailLines: count("Last lines kept of a long output.", 15),
  aroundLines: count("Lines kept before and after a line that tells of trouble.", 1),
  lineCharacters: count("Longest line kept whole in an output.", 500),
  failureCharacters: count("Most of failures and errors kept, in characters.", 8_000),
  diffCharacters: count(
    "Most of a diff kept, in characters; files beyond are one line each.",
    6_000,
  ),
  matchesPerFile: count("Matches of a search kept whole for each file.", 3),
  entriesPerFolder: count("Entries of a listing kept for each folder.", 12),
  items: count("First items kept of a long JSON array.", 5),
  stringCharacters: count("Longest string kept whole in JSON.", 500),
  answerCharacters: count("How much of a fetched page or of a subagent's answer is kept.", 5_000),
  read: v.optional(ReadPolicySchema, {}),
});

export type Policy = v.InferOutput<typeof PolicySchema>;

/** Where a tool's results begin to be looked at, unless `over` in config says otherwise. */
const defaultOver: Readonly<Record<string, number>> = {
  Bash: 1_500,
  TaskOutput: 3_000,
  Grep: 1_500,
  Glob: 2_500,
  Read: 800,
  WebFetch: 8_000,
  Task: 6_000,
  Agent: 6_000,
  "mcp__*": 4_000,
};

/** Characters above which a tool's results are looked at; undefined when it is to be left alone. */
export function threshold(tool: string, policy: Policy): number | undefined {
  if (namesTool(policy.leave, tool)) return undefined;
  const name = tool.startsWith("mcp__") ? "mcp__*" : tool;
  return policy.over[tool] ?? policy.over[name] ?? defaultOver[name];
}

/** Whether a replacement saves enough to be worth its line. */
export function isWorthIt(before: number, after: number, policy: Policy): boolean {
  const saved = before - after;
  return saved >= policy.leastSaved && saved >= before * policy.leastShare && saved > 0;
}
