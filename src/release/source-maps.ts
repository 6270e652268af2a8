// The maps that a build left, as one file in the binary: `src/home/source-places.ts` reads them.
import { basename, join } from "node:path";
import type { BuildOutput } from "bun";
import { mapsFile, type SourceMaps } from "../home/source-places.ts";
import { writePacked } from "./packs.ts";

/** Writes the maps into `folder`, and gives the file. Without the sources' text: places need files, lines and columns. */
export async function packSourceMaps(built: BuildOutput, folder: string): Promise<string> {
  const files = built.outputs.filter(({ kind }) => kind === "sourcemap");
  const maps = await Promise.all(
    files.map(async (file): Promise<[string, SourceMaps[string]]> => {
      const { sources, mappings } = await file.json();
      return [basename(file.path, ".map"), { version: 3, sources, names: [], mappings }];
    }),
  );
  const packed = join(folder, mapsFile);
  await writePacked(packed, Object.fromEntries(maps));
  return packed;
}
