// The modules behind the entries that plugins import, as this program runs them.
import * as privacy from "../../privacy/index.ts";
import * as provider from "../../provider/index.ts";
import * as records from "../../records/index.ts";
import * as sdk from "../../sdk/index.ts";
import * as strategy from "../../strategy/index.ts";
import * as text from "../../text/index.ts";
import * as transcript from "../../transcript/index.ts";
import type { EntryName } from "./entry-names.ts";

/** Entry → its module; `testing` is for tests, where no memoir runs the plugin. */
export const entryModules: Readonly<
  Record<Exclude<EntryName, "testing">, Readonly<Record<string, unknown>>>
> = { sdk, strategy, records, provider, privacy, text, transcript };

/** The entry that has a value of this name. */
export function entryWith(name: string): EntryName | undefined {
  const found = Object.entries(entryModules).find(([, module]) => Object.hasOwn(module, name));
  return found?.[0] as EntryName | undefined;
}
