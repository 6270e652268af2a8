// The rules of redaction of plugins in force: put in force with the user's own, and kept in a file for hooks that meet no server.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../home/log.ts";
import { atomicWrite } from "../../home/read-file.ts";
import { pluginRulesFile, readPluginRules } from "../../privacy/own-rules-of-home.ts";
import { useOwnRedaction } from "../../privacy/redact.ts";
import type { Config } from "../config/schema.ts";
import type { Registry } from "./registry.ts";

type KeptRules = Awaited<ReturnType<typeof readPluginRules>>;

/** Puts the user's rules in force, with those that plugins brought before; gives the latter. Rejects never. */
export async function useKnownRules(home: string, config: Config, log: Log): Promise<KeptRules> {
  const kept = await readPluginRules(home).catch((error): KeptRules => {
    log.error("plugins' rules of redaction cannot be read", { error });
    return {};
  });
  await useRules(kept, config, log);
  return kept;
}

/** The same with the rules of plugins that run now. One that cannot be loaded any more is still redacted for as it was. */
export async function useRulesOf(
  registry: Registry,
  kept: KeptRules,
  { home, config, log }: { home: string; config: Config; log: Log },
): Promise<void> {
  const rules = rulesOf(registry, kept);
  if (JSON.stringify(rules) === JSON.stringify(kept)) return;
  await useRules(rules, config, log);
  const path = join(home, pluginRulesFile);
  try {
    if (Object.keys(rules).length === 0) await rm(path, { force: true });
    else await atomicWrite(path, `${JSON.stringify(rules, null, 2)}\n`);
  } catch (error) {
    log.error("plugins' rules of redaction are not kept for hooks without a server", { error });
  }
}

function rulesOf({ running, infos }: Registry, kept: KeptRules): KeptRules {
  const rules: KeptRules = {};
  for (const [id, rule] of Object.entries(kept)) {
    const isOf = ({ name, source }: { name: string; source?: string }) =>
      id.startsWith(`${name}:`) || (source !== undefined && source === rule.source);
    if (infos.some((info) => info.state === "failed" && isOf(info))) rules[id] = rule;
  }
  for (const { plugin, loaded } of running)
    for (const [name, { pattern, keyword }] of Object.entries(plugin.redactions ?? {}))
      rules[`${plugin.name}:${name}`] = {
        pattern,
        ...(keyword !== undefined && { keyword }),
        ...(loaded.source !== undefined && { source: loaded.source }),
      };
  return rules;
}

async function useRules(ofPlugins: KeptRules, { privacy }: Config, log: Log): Promise<void> {
  for (const { at, why } of await useOwnRedaction({ ...privacy.redact, ofPlugins }))
    log.error("config", { path: `privacy.redact.${at}`, problem: why });
}
