// /api/usage and /api/provider/test: what models took, and whether a provider works.
import { Elysia } from "elysia";
import * as v from "valibot";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { readJson } from "./body.ts";
import { parseQuery, parseWith } from "./query.ts";

const time = v.exactOptional(
  v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number), v.safeInteger()),
);
const text = v.exactOptional(v.pipe(v.string(), v.maxLength(4_096)));

/** `GET /api/usage`: times in epoch ms. */
const UsageParams = v.strictObject({ since: time, until: time, project: text, session: text });
/** `POST /api/provider/test`: one provider, or every one that config names. */
const TestBody = v.strictObject({ provider: text });

/** The routes. */
export function modelRoutes(runtime: ServerRuntime) {
  return new Elysia({ prefix: "/api" })
    .get("/usage", ({ request }) => runtime.usage(parseQuery(UsageParams, request)))
    .post(
      "/provider/test",
      async ({ request }) => {
        const { provider } = parseWith(TestBody, (await readJson(request)) ?? {}, "field");
        return { tests: await runtime.testProviders(provider) };
      },
      { parse: "none" },
    );
}
