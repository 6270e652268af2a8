// What `GET /api/health` answers: what `memoir doctor` says of the home and its server, sizes, and work that was given up.
import * as v from "valibot";
import type { Check } from "../../health/check.ts";
import type { BoundedSize } from "../../health/sizes.ts";
import { describes } from "./parts.ts";
import { ParkedSchema } from "./status.ts";

/** The whole answer. */
export const HealthAnswer = v.object({
  checks: v.array(
    describes<Check>()(
      v.object({
        name: v.string(),
        state: v.picklist(["ok", "warn", "fail"]),
        message: v.string(),
        fix: v.exactOptional(v.string()),
      }),
    ),
  ),
  sizes: v.array(
    describes<BoundedSize>()(
      v.object({ name: v.string(), bytes: v.number(), files: v.number(), bound: v.string() }),
    ),
  ),
  parked: v.pipe(v.array(ParkedSchema), v.description("The newest 20.")),
  parkedWork: v.number(),
  version: v.string(),
  home: v.string(),
  log: v.string(),
});
