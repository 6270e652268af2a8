// Hands a request to the strategies that are switched on and gives the bytes that go out: the original ones whenever anything is unsure.

import type { Log } from "../../home/log.ts";
import type { Hooks } from "../../runtime/ports.ts";
import type { ModelRequest } from "../../sdk/endless.ts";
import { within } from "../../sdk/within.ts";
import type { Caller } from "./caller.ts";
import { type Body, parseBody, writeBody } from "./request-body.ts";

/** How long strategies may take all together, in ms: the agent waits. */
const rewriteMs = 2_000;

/** What became of a body. `unsure`: it was not looked at. `failed`: a strategy threw, was late, or gave no body. */
export type Outcome = "untouched" | "rewritten" | "unsure" | "failed";

interface Rewritten {
  bytes: Uint8Array<ArrayBuffer>;
  outcome: Outcome;
}

const nothing: Body = Object.freeze({});

/** Never rejects. The body is parsed only when a strategy looks at it. */
export async function rewrite(
  bytes: Uint8Array<ArrayBuffer>,
  text: () => string | undefined,
  caller: Caller,
  { hooks, log, withinMs = rewriteMs }: { hooks: Hooks; log: Log; withinMs?: number },
): Promise<Rewritten> {
  let body: Body | undefined;
  let unsure = false;
  const request: ModelRequest = {
    ...caller,
    get body() {
      if (body) return body;
      const source = text();
      const parsed = source === undefined ? undefined : parseBody(source);
      unsure = parsed === undefined;
      // A body without messages: there is nothing in it that a strategy would touch.
      body = parsed ?? nothing;
      return body;
    },
  };
  try {
    const ended = await within(withinMs, hooks.reduce("request", request), undefined);
    if (ended === undefined) {
      log.warn("a request went on as it came: its rewriting was late", { ms: withinMs });
      return { bytes, outcome: "failed" };
    }
    if (unsure) return { bytes, outcome: "unsure" };
    const { value, failed } = ended;
    if (value === request || value.body === body)
      return { bytes, outcome: failed.length > 0 ? "failed" : "untouched" };
    const written = writeBody(value.body);
    if (written !== undefined)
      return { bytes: new TextEncoder().encode(written), outcome: "rewritten" };
    log.warn("a request went on as it came: a strategy gave no body");
    return { bytes, outcome: "failed" };
  } catch (error) {
    log.warn("a request went on as it came", { error });
    return { bytes, outcome: "failed" };
  }
}
