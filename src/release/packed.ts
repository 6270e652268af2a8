// What the binary writes into a home for authors, in one compressed piece: as plain text it would lie in the binary three times.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Packed } from "../runtime/plugins/sdk-module.ts";
import { ownModules } from "./own-modules.ts";

const root = resolve(import.meta.dir, "../..");

/** Base64 of compressed JSON: what `src/runtime/plugins/sdk-module.ts` unpacks. */
export async function packed(): Promise<string> {
  const valibotTypes = await readFile(
    resolve(root, "node_modules/valibot/dist/index.d.mts"),
    "utf8",
  );
  const pack: Packed = { modules: await ownModules(), valibotTypes };
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return brotliCompressSync(JSON.stringify(pack), { params }).toString("base64");
}
