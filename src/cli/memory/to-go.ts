// What the retention policy is about to delete, in a line.
import type { Paths } from "../../home/paths.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { ifRunning, server } from "../server/client.ts";

/** Undefined where there are no rules, nothing would go, or nobody is there to ask. */
export async function toGo({ home }: Paths): Promise<string | undefined> {
  const { memory } = (await readConfig(home)).config.retention;
  const { isForEver, saidOf } = await import("../../health/sizes.ts");
  if (isForEver(memory)) return undefined;
  const asked = server.get("/api/retention", { start: false, timeoutMs: 30_000 });
  const plan = await ifRunning(asked).catch(() => undefined);
  const said = plan && saidOf(plan);
  return said === undefined ? undefined : `${said}; see \`memoir memory prune --dry-run\``;
}
