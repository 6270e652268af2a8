// memoir's version: what the package says, and of which build it is.
import manifest from "../../package.json" with { type: "json" };

/** The build puts its commit here; it is not there where memoir runs from source. */
declare const MEMOIR_BUILD: string;

const build = typeof MEMOIR_BUILD === "undefined" ? "source" : MEMOIR_BUILD;

/** Semantic version of this build: `0.1.0+19fef7e4`, `0.1.0+source` from source. */
export const version: string = build === "" ? manifest.version : `${manifest.version}+${build}`;
