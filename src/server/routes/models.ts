// /api/usage and /api/provider/test: what models took, and whether a provider works.
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, body, query } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import {
  ProviderTestAnswer,
  ProviderTestBody,
  UsageAnswer,
  UsageParams,
} from "../schemas/models.ts";

/** The routes. */
export function modelRoutes(runtime: ServerRuntime) {
  return routesBelow("/api")
    .get("/usage", ({ query }) => withoutPasswordsDeep(runtime.usage(query)), {
      query: query(UsageParams),
      response: answer(UsageAnswer),
      detail: { summary: "What model calls took." },
    })
    .post(
      "/provider/test",
      async ({ body }) => ({
        tests: withoutPasswordsDeep(await runtime.testProviders(body.provider)),
      }),
      {
        body: body(ProviderTestBody),
        response: answer(ProviderTestAnswer),
        detail: { summary: "Ask providers for a word." },
      },
    );
}
