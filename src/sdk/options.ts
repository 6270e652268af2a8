// The commonest entries of a plugin's `config` schema, so that all of them say their default and their range alike.
import * as v from "valibot";

/** A switch. */
export function flagOption(description: string, otherwise: boolean) {
  return v.optional(v.pipe(v.boolean(), v.description(description)), otherwise);
}

/** A whole number without a default; the description gets its range. */
export function wholeNumber(description: string, least: number, most: number) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.minValue(least),
    v.maxValue(most),
    v.description(`${description} (${least} to ${most})`),
  );
}

/** A whole number; the description gets its range. */
export function wholeOption(description: string, least: number, most: number, otherwise: number) {
  return v.optional(wholeNumber(description, least, most), otherwise);
}

/** Names of tools, as `namesTool` reads them. */
export function toolNamesOption(description: string, otherwise: readonly string[]) {
  return v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.nonEmpty())),
      v.description(`${description} A trailing * matches any ending.`),
    ),
    () => [...otherwise],
  );
}
