// GET /api/openapi.json: what every route takes and answers.
import { routesBelow } from "../http/edge.ts";
import type { ListedRoute } from "../http/openapi.ts";
import { answer } from "../http/schema.ts";
import { type OpenApi, OpenApiAnswer } from "../schemas/openapi.ts";

/** The route; `routes` gives all there are, this one included. */
export function openApiRoute(version: string, routes: () => readonly ListedRoute[]) {
  let document: OpenApi | undefined;
  return routesBelow("/api").get(
    "/openapi.json",
    async () => {
      const { openApi } = await import("../http/openapi.ts");
      document ??= openApi(routes(), version);
      return document;
    },
    { response: answer(OpenApiAnswer), detail: { summary: "This document." } },
  );
}
