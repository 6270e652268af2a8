// The knobs of reads, with their defaults.
import * as v from "valibot";

const count = (text: string, fallback: number) =>
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
  sourceOver: count(
    "Longer sources, read whole, keep signatures and what the prompts name.",
    5_000,
  ),
  bodyLines: count("Shorter bodies of functions stay.", 5),
  aroundNamed: count("Lines kept before and after a name of the prompt in a body.", 5),
  names: count("Names that a left out body is described with.", 10),
  proseOver: count("Longer texts, read whole, keep headings and beginnings.", 16_000),
  sectionLines: count("First lines kept of each section of a text.", 8),
  dataOver: count("Longer data, logs and generated files, read whole, keep their ends.", 6_000),
  dataLines: count("First lines kept of them; half as many last ones.", 40),
});

/** The knobs of reads. */
export type ReadPolicy = v.InferOutput<typeof ReadPolicySchema>;
