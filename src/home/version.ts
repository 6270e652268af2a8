// memoir's version: what the package says, and of which build it is; and the licenses of what that build contains.

import process from "node:process";
import manifest from "../../package.json" with { type: "json" };

/** The build puts its commit here; it is not there where memoir runs from source. */
declare const MEMOIR_BUILD: string;

const build = typeof MEMOIR_BUILD === "undefined" ? "source" : MEMOIR_BUILD;

/** Semantic version of this build: `0.1.0+19fef7e4`, `0.1.0+source` from source. */
export const version: string = build === "" ? manifest.version : `${manifest.version}+${build}`;

// The licenses of what a compiled memoir contains, as the build put them beside the program.

/** The name under which the binary holds them. */
export const licensesFile = "licenses.br";

/** The text; undefined where memoir runs from source, and each package has its own beside it. */
export function ownLicenses(): string | undefined {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { brotliDecompressSync } = process.getBuiltinModule("node:zlib");
  try {
    const packed = readFileSync(`${import.meta.dirname}/${licensesFile}`);
    return JSON.parse(brotliDecompressSync(packed).toString("utf8"));
  } catch {
    return undefined;
  }
}
