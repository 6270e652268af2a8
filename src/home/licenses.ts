// The licenses of what a compiled memoir contains, as the build put them beside the program.
import process from "node:process";

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
