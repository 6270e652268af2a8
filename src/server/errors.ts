// Turns whatever a route threw into an answer: code, message and fix; never a stack, never the request's own text.
import * as v from "valibot";
import type { Log } from "../home/log.ts";
import { withoutPasswords } from "../privacy/passwords.ts";
import { type ErrorCode, errorFixes, MemoirError } from "../sdk/errors.ts";
import { asSeen, cut } from "../text/text.ts";
import { usageFix } from "./endpoint.ts";

const statuses: Partial<Record<ErrorCode, number>> = {
  usage: 400,
  payload_invalid: 400,
  access_token: 401,
  access_refused: 403,
  client_unknown: 404,
  record_invalid: 400,
  record_not_found: 404,
  plugin_not_found: 404,
  plugin_slot: 409,
  record_changed: 409,
  session_ambiguous: 409,
  endless_unwritable: 503,
  recall_not_found: 404,
  recall_ambiguous: 409,
  provider_none: 409,
  server_running: 409,
  backfill_running: 409,
  payload_too_large: 413,
  config_invalid: 422,
  config_unreadable: 422,
  storage_unanswered: 503,
  storage_recovering: 503,
};

/** Characters of a message; what tells of a problem in a config may be long. */
const longestMessage = 2_000;

/** Every answer to a failed request. */
export const ErrorAnswer = v.object({
  error: v.object({ code: v.string(), message: v.string(), fix: v.string() }),
});

/** For `onError`, the one place where errors become answers. What is no fault of the caller's is logged. */
export function answerErrors(log: Log) {
  return ({ code, error, request }: { code: unknown; error: unknown; request: Request }) => {
    if (code === "NOT_FOUND")
      return errorResponse(new MemoirError("usage", "The server has no such route."), 404);
    if (!(error instanceof MemoirError) || error.code === "internal")
      log.error("request failed", { path: new URL(request.url).pathname, error });
    return errorResponse(error);
  };
}

/** The answer to a failed request; `status` replaces the code's own. What is not a MemoirError becomes `internal` with a general message. */
export function errorResponse(error: unknown, status?: number): Response {
  const known =
    error instanceof MemoirError
      ? error
      : new MemoirError("internal", "The server met an unexpected error.", { cause: error });
  const { code } = known;
  // An id that was asked for is named in some: short, and with nothing in it that a terminal obeys.
  const message = cut(asSeen(withoutPasswords(known.message)), longestMessage);
  const fix = known.fix === errorFixes.usage ? usageFix : withoutPasswords(known.fix);
  return Response.json(
    { error: { code, message, fix } },
    { status: status ?? statuses[code] ?? 500 },
  );
}
