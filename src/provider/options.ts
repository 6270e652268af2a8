// What the config of several providers has alike.
import * as v from "valibot";

/** For a plugin's config: the name of an environment variable that holds a key, which the server is then given. */
export const KeyEnvSchema = v.pipe(
  v.string(),
  v.check(
    (name) => /^[A-Za-z_]\w*$/.test(name) && /KEY|TOKEN|SECRET/i.test(name),
    "wants the name of an environment variable that has KEY, TOKEN or SECRET in it",
  ),
  v.description("Environment variable that holds the key; it comes before the stored one."),
);

/** For a plugin's config: how long one call may take, in seconds. */
export function timeoutOption(otherwise: number) {
  return v.optional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(110),
      v.description("Seconds that one call may take (1 to 110)"),
    ),
    otherwise,
  );
}
