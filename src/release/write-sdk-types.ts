// `bun run types`: writes the declarations that memoir publishes with the SDK and its testing module.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { publishedTypes } from "./sdk-types.ts";

for (const [name, text] of Object.entries(await publishedTypes())) {
  const path = resolve(import.meta.dir, `../runtime/${name}.d.ts.txt`);
  await writeFile(path, text);
  console.log(`${path} written`);
}
