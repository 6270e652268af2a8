// What a call that brought no answer comes to, for libraries that tell the ways apart by the classes of their errors.
import { MemoirError } from "../sdk/errors.ts";
import { providerTimeout, providerUnreachable } from "./errors.ts";

type ErrorClass = abstract new (...given: never[]) => Error;

/** The library's own classes, by their names there. */
interface LibraryErrors {
  APIConnectionError: ErrorClass;
  APIConnectionTimeoutError: ErrorClass;
  APIUserAbortError: ErrorClass;
}

/** One call: the plugin that made it, its options, and whether its time ran out. */
interface Call {
  plugin: string;
  config: { baseURL: string; timeoutSeconds: number };
  timedOut: boolean;
}

/** The error to throw where time ran out, the caller gave up or there was no connection; undefined for all others. */
export function unanswered(
  error: unknown,
  { plugin, config, timedOut }: Call,
  library: LibraryErrors,
): MemoirError | undefined {
  if (error instanceof MemoirError) return error;
  if (timedOut || error instanceof library.APIConnectionTimeoutError)
    return providerTimeout(plugin, config.timeoutSeconds * 1_000);
  if (error instanceof library.APIUserAbortError)
    return new MemoirError("provider_connection", `The call to ${plugin} was given up.`, {
      retryAfterMs: 0,
    });
  if (error instanceof library.APIConnectionError)
    return providerUnreachable(plugin, new URL(config.baseURL).host, error);
  return undefined;
}
