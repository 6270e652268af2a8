// What models took, and whether a provider works.
import * as v from "valibot";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { get, post } from "../http/operation.ts";
import { optional, text, time } from "../schemas/parts.ts";
import { FaultSchema } from "../schemas/status.ts";

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

/** Usage and a trial. */
export const modelOperations = [
  get("/api/usage", {
    summary: "What model calls took.",
    query: v.strictObject({
      since: optional(time),
      until: optional(time),
      project: optional(text),
      session: optional(text),
    }),
    answer: v.object({
      total: v.object(sums),
      byDay: rows,
      byProject: rows,
      byModel: rows,
      byPurpose: rows,
    }),
    run: ({ query }, { runtime }) => withoutPasswordsDeep(runtime.usage(query)),
  }),
  post("/api/provider/test", {
    summary: "Ask providers for a word.",
    /** One provider, or every one that config names. */
    body: v.optional(v.strictObject({ provider: optional(text) }), {}),
    answer: v.object({
      tests: v.array(
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
    }),
    run: async ({ body }, { runtime }) => ({
      tests: withoutPasswordsDeep(await runtime.testProviders(body.provider)),
    }),
  }),
];
