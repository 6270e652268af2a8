// Writes the declarations of Bun and Node into the home, so that editors and `check` know them without a network.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { version } from "../../home/version.ts";
import { readPack } from "../../host/packs.ts";

/** What stands in the manifest of `@types/bun`, which only leads to the others. */
const manifest = `${JSON.stringify(
  {
    name: "@types/bun",
    version,
    description: "Written by memoir: what editors need to know about Bun and Node.",
    types: "./index.d.ts",
    license: "MIT",
  },
  null,
  2,
)}\n`;

/** Writes them where they are missing; packages that the user installed are left alone. */
export async function writeEditorTypes({ nodeModules }: Paths): Promise<void> {
  const own = join(nodeModules, "@types/bun/package.json");
  const there = await readFileText(own).catch(() => undefined);
  // Any other one is the user's; this one is complete, because it is written last.
  if (there !== undefined) return;
  for (const [path, text] of Object.entries(await declarations())) {
    const file = join(nodeModules, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
  }
  await mkdir(dirname(own), { recursive: true, mode: 0o700 });
  await writeFile(join(dirname(own), "index.d.ts"), '/// <reference types="bun-types" />\n');
  await atomicWrite(own, manifest);
}

/** Path below `node_modules` → text. */
async function declarations(): Promise<Record<string, string>> {
  const packed = (await readPack("editor")) as Record<string, string> | undefined;
  if (packed) return packed;
  // Only from source, where the packages themselves are installed.
  const { editorDeclarations } = await import("../../release/editor-declarations.ts");
  return editorDeclarations();
}
