// What may be asked about models, and the answers: usage, and whether a provider works.
import * as v from "valibot";
import type { ProviderTest } from "../../runtime/budget/test-provider.ts";
import type { UsageReport } from "../../runtime/budget/usage-report.ts";
import { describes, text, time } from "./parts.ts";

/** `GET /api/usage`. */
export const UsageParams = v.strictObject({
  since: v.exactOptional(time),
  until: v.exactOptional(time),
  project: v.exactOptional(text),
  session: v.exactOptional(text),
});

const sums = {
  calls: v.number(),
  failed: v.number(),
  input: v.number(),
  output: v.number(),
  cacheRead: v.number(),
  cacheWrite: v.number(),
  tokens: v.number(),
  cost: v.number(),
  unpriced: v.number(),
};
const rows = v.array(v.object({ key: v.string(), ...sums }));

/** What model calls took. */
export const UsageAnswer = describes<UsageReport>()(
  v.object({
    total: v.object(sums),
    byDay: rows,
    byProject: rows,
    byModel: rows,
    byPurpose: rows,
  }),
);

/** `POST /api/provider/test`: one provider, or every one that config names. */
export const ProviderTestBody = v.optional(v.strictObject({ provider: v.exactOptional(text) }), {});

/** A fault in words, with what to do. */
export const FaultSchema = v.object({ code: v.string(), message: v.string(), fix: v.string() });

/** How each provider answered. */
export const ProviderTestAnswer = v.object({
  tests: v.array(
    describes<ProviderTest>()(
      v.variant("ok", [
        v.object({
          provider: v.string(),
          ok: v.literal(true),
          model: v.string(),
          ms: v.number(),
          tokens: v.number(),
        }),
        v.object({ provider: v.string(), ok: v.literal(false), error: FaultSchema }),
      ]),
    ),
  ),
});
