// Can what Endless Mode takes out be kept, and is what was kept whole?
import type { EndlessStatus } from "../runtime/endless/endless.ts";
import { size } from "../text/amounts.ts";
import { plural } from "../text/text.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** Says nothing where nothing was ever kept. */
export function checkEndless({ kept, fileBytes, damaged, error }: EndlessStatus): Check[] {
  const checks: Check[] = [];
  if (error !== undefined)
    checks.push(
      fail(
        "endless",
        `what Endless Mode keeps cannot be used: ${error}`,
        "Free disk space or give memoir's home its write permission back; until then nothing is left out.",
      ),
    );
  if (damaged.length > 0)
    checks.push(
      warn("endless", `a damaged file was put aside: ${damaged.join(", ")}`, "Check that disk."),
    );
  if (checks.length > 0 || !kept) return checks;
  return [ok("endless", `${plural(kept.references, "original")} kept in ${size(fileBytes)}`)];
}
