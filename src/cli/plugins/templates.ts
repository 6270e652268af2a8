// The kinds of plugins that `memoir plugin new` writes. Their texts are packed with all that authors get.
import { unpack } from "../../runtime/plugins/packed.ts";
import { type Slot, slotNames } from "../../sdk/plugin.ts";

/** A slot, or what fills none; `strategy` is a prompt strategy, for two slots. */
export type Kind = Slot | "listener" | "extractor" | "strategy";

/** All of them. */
export const kinds: readonly Kind[] = [...slotNames, "listener", "extractor", "strategy"];

/** The texts of a working plugin of the kind and of its test; `__NAME__` in them stands for the plugin's name. */
export async function templateOf(kind: Kind): Promise<{ plugin: string; test: string }> {
  const { templates } = await unpack();
  const [plugin, test] = [templates[`${kind}.ts.txt`], templates[`${kind}.test.ts.txt`]];
  if (plugin === undefined || test === undefined) throw new Error(`${kind} has no template`);
  return { plugin, test };
}
