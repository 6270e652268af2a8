// The edge that all routes with schemas share: how query strings and bodies become values before their schemas see them.
import { Elysia } from "elysia";
import { readJson } from "./body.ts";

/** A group of routes below `prefix`. */
export function routesBelow<const Prefix extends string>(prefix: Prefix) {
  return (
    new Elysia({ prefix })
      // Elysia's own parsers have no limit, and look at a content type that callers need not send.
      .onParse(async ({ request }) => {
        const body = await readJson(request);
        // What is undefined it would give to its own parsers, which then find the body read already.
        return body === undefined ? {} : body;
      })
      // For Standard Schemas Elysia reads `text=[1]` as JSON and collects repeated names; a query here is names and texts.
      .onTransform((context) => {
        context.query = Object.fromEntries(new URL(context.request.url).searchParams);
      })
  );
}
