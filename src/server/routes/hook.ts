// POST /hook/:client among the routes.
import { Elysia } from "elysia";
import type { TakeHook } from "./take-hook.ts";

/**
 * The route, as it is described and as any other spelling of its URL is answered. It has no schema: the client's
 * adapter parses the payload, strictly and once, and every tool use of a session waits for it.
 */
export function hookRoute(take: TakeHook) {
  return new Elysia().post("/hook/:client", ({ request, params }) => take(params.client, request), {
    parse: "none",
    detail: { summary: "Take a client's event in and answer it." },
  });
}
