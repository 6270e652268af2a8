// Errors of the gateway's own, in the shape of the Messages API, so that the client takes them as it takes the API's.

/** `overloaded` and the like come from upstream; the gateway has only these. */
type OwnErrorType = "api_error" | "permission_error" | "request_too_large";

/** One error as the API writes it. A 502 with `api_error` is one that the client tries again. */
export function apiError(status: number, type: OwnErrorType, message: string): Response {
  return Response.json({ type: "error", error: { type, message } }, { status });
}
