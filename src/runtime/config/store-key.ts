// Keeps providers' keys in `keys.json` of memoir's home, readable by its owner only.

import { prepareHome } from "../../home/make-home.ts";
import type { Paths } from "../../home/paths.ts";
import { atomicWrite } from "../../home/read-file.ts";
import { readKeys } from "../../provider/keys.ts";

/**
 * Stores a key under a provider's name, or with `undefined` takes it out; whether there was one before. Throws
 * `keys_unreadable` rather than lose others.
 */
export async function storeKey(
  paths: Paths,
  name: string,
  key: string | undefined,
): Promise<boolean> {
  const { [name]: before, ...others } = await readKeys(paths.home);
  if (key === undefined && before === undefined) return false;
  const keys = key === undefined ? others : { ...others, [name]: key };
  await prepareHome(paths);
  await atomicWrite(paths.keys, `${JSON.stringify(keys, null, 2)}\n`);
  return before !== undefined;
}
