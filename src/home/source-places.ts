// Says in a stack's lines where they stand in the source: the binary holds its maps apart, where Bun does not look.
import process from "node:process";

/** What `src/release/build.ts` writes: the name of a file in the binary → its map, without the sources' text. */
export type SourceMaps = Readonly<Record<string, SourceMapPayload>>;

interface SourceMapPayload {
  version: 3;
  sources: string[];
  names: string[];
  mappings: string;
}

/** The name under which the binary holds the maps, beside the program's own files. */
export const mapsFile = "source-maps.br";

/** `/$bunfs/root/chunk-1.js:2:3`, and as Windows writes it. */
const inBinary = /[^\s(]*(?:\$bunfs|~BUN)[\\/](?:[^\s():]*[\\/])?([^\s():\\/]+):(\d+):(\d+)/g;

/** The stack with `src/file.ts:line:column` for each place in the binary; as it is where no map knows better. */
export function withSourcePlaces(stack: string, maps: () => SourceMaps = ownMaps): string {
  return stack.replace(inBinary, (place, file: string, line: string, column: string) => {
    const map = maps()[file];
    if (!map) return place;
    const { SourceMap } = process.getBuiltinModule("node:module");
    const entry = new SourceMap({ file, sourcesContent: [], sourceRoot: "", ...map }).findEntry(
      Number(line) - 1,
      Number(column) - 1,
    );
    return "originalSource" in entry
      ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : place;
  });
}

let known: SourceMaps | undefined;

/** Read at the first error that asks, and by no import: few starts ever need them. */
function ownMaps(): SourceMaps {
  known ??= readMaps();
  return known;
}

function readMaps(): SourceMaps {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { brotliDecompressSync } = process.getBuiltinModule("node:zlib");
  try {
    const packed = readFileSync(`${import.meta.dirname}/${mapsFile}`);
    return JSON.parse(brotliDecompressSync(packed).toString("utf8"));
  } catch {
    return {};
  }
}
