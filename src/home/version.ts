// memoir's version, as the package says it.
import manifest from "../../package.json" with { type: "json" };

/** Semantic version of this build. */
export const version: string = manifest.version;
