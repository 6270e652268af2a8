// `bun run types`: writes the declarations of the entries that plugins import, and the reference page.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { referencePage } from "./reference.ts";
import { publishedTypes } from "./sdk-types.ts";

async function write(path: string, text: string): Promise<void> {
  await writeFile(resolve(import.meta.dir, path), text);
  console.log(`${resolve(import.meta.dir, path)} written`);
}

for (const [name, text] of Object.entries(await publishedTypes()))
  await write(`types/${name}.d.ts.txt`, text);
await write("../sdk/REFERENCE.md", await referencePage());
