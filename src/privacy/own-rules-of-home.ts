// The rules of redaction of the user's and of plugins, where no server put them in force: on the way to the spool, and in commands.
import { join } from "node:path";
import * as v from "valibot";
import { readFileText } from "../home/read-file.ts";
import type { PluginRule } from "./redact/own-rules.ts";
import { useOwnRedaction } from "./redact.ts";

const Schema = v.looseObject({
  privacy: v.optional(
    v.looseObject({
      redact: v.optional(
        v.looseObject({
          rules: v.optional(v.record(v.string(), v.string()), {}),
          allow: v.optional(v.array(v.string()), []),
        }),
      ),
    }),
  ),
});

/** A plugin's rule as the server keeps it: without its examples, and with the file that it came from. */
const RuleSchema = v.object({
  pattern: v.string(),
  keyword: v.exactOptional(v.string()),
  source: v.exactOptional(v.string()),
});
type KeptRule = PluginRule & { source?: string };

/** Below the home. */
export const pluginRulesFile = "plugin-rules.json";

/** Rules that plugins brought when a server ran last, by `<plugin>:<name>`. Rejects where that cannot be known. */
export async function readPluginRules(home: string): Promise<Record<string, KeptRule>> {
  const text = await textOf(join(home, pluginRulesFile));
  return text === undefined ? {} : v.parse(v.record(v.string(), RuleSchema), JSON.parse(text));
}

/** Puts in force what `config.json` of this home says, and plugins. Rejects where that cannot be known: then no text may be kept. */
export async function useRedactionOfHome(home: string): Promise<void> {
  const text = (await textOf(join(home, "config.json"))) ?? "{}";
  const ofPlugins = await readPluginRules(home);
  // Most have no rules of their own, and need no parser.
  const isPlain = !text.includes('"redact"');
  if (isPlain && Object.keys(ofPlugins).length === 0) return;
  const { privacy } = v.parse(Schema, isPlain ? {} : JSON.parse(text.replace(/^\uFEFF/, "")));
  const { rules, allow } = privacy?.redact ?? { rules: {}, allow: [] };
  const refused = await useOwnRedaction({ rules, allow, ofPlugins });
  if (refused.length > 0) throw new Error("a rule of redaction cannot be used");
}

async function textOf(path: string): Promise<string | undefined> {
  return readFileText(path).catch((error) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
}
