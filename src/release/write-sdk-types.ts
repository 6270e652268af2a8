// `bun run types`: writes src/runtime/sdk.d.ts.txt, the declarations that memoir publishes with the SDK.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { sdkTypes } from "./sdk-types.ts";

const path = resolve(import.meta.dir, "../runtime/sdk.d.ts.txt");
await writeFile(path, await sdkTypes());
console.log(`${path} written`);
