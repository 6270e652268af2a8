// Which environment variables config hands to the server beyond the usual ones: those that hold a provider's key.
import type { Paths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";

/** As the SDK's `KeyEnvSchema`, without its imports: a hook that starts the server comes by here. */
const allowed = /^(?=.*(?:KEY|TOKEN|SECRET))[A-Za-z_]\w*$/i;

/** The values of `plugins.*.keyEnv`. Never rejects: a config that cannot be read names none. */
export async function namedVariables({ config }: Pick<Paths, "config">): Promise<string[]> {
  try {
    const text = (await readFileText(config)).replace(/^\ufeff/, "");
    const { plugins } = JSON.parse(text) as { plugins?: unknown };
    return Object.values(plugins ?? {}).flatMap((entry: unknown) => {
      const { keyEnv } = (entry ?? {}) as { keyEnv?: unknown };
      return typeof keyEnv === "string" && allowed.test(keyEnv) ? [keyEnv] : [];
    });
  } catch {
    return [];
  }
}
