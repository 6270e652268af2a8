// A provider's key: from the environment variable that config names, else from `keys.json` in memoir's home.
import process from "node:process";
import * as v from "valibot";
import { readFileText } from "../home/read-file.ts";
import { MemoirError } from "../sdk/errors.ts";

const KeysSchema = v.record(v.string(), v.string());

/** Every stored key by name; empty when there is no file. Throws `keys_unreadable`, which quotes nothing of it. */
export async function readKeys(home: string): Promise<Record<string, string>> {
  let text: string;
  try {
    text = (await readFileText(`${home}/keys.json`)).replace(/^\ufeff/, "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw new MemoirError("keys_unreadable", "The file of the providers' keys cannot be read.");
  }
  try {
    const keys: unknown = JSON.parse(text);
    // A list would pass for a record of strings.
    if (Array.isArray(keys)) throw new TypeError("a list");
    return v.parse(KeysSchema, keys);
  } catch {
    throw new MemoirError(
      "keys_unreadable",
      "The file of the providers' keys is not a JSON object.",
    );
  }
}

/**
 * The key of the provider `name`: `keyEnv`, where it is set and the environment has it, comes first. Read at each call,
 * so that a new key takes effect at once. Undefined when there is none.
 */
export async function readKey(
  name: string,
  home: string,
  keyEnv: string | undefined,
): Promise<string | undefined> {
  const own = keyEnv === undefined ? undefined : process.env[keyEnv]?.trim();
  return own || (await readKeys(home))[name]?.trim() || undefined;
}
