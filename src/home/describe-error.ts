// Turns anything thrown into plain data for the log, the cause chain included.
import { MemoirError } from "../sdk/errors.ts";
import { withSourcePlaces } from "./source-places.ts";

/** An error as data; `stack` only when asked for. */
interface ErrorDescription {
  code?: string;
  plugin?: string;
  hook?: string;
  message: string;
  causes?: string[];
  stack?: string;
}

const maxMessage = 2_000;

/** The message of anything thrown, in one bounded piece. */
export function errorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text;
}

/** What went wrong and what to do, as sentences in one piece. */
export function errorWithFix(error: unknown): string {
  const message = errorMessage(error);
  const said = /[.?!…]$/.test(message) ? message : `${message}.`;
  return error instanceof MemoirError ? `${said} ${error.fix}` : said;
}

/** Code, blame, message and the messages of its causes. */
export function describeError(error: unknown, withStack = false): ErrorDescription {
  const description: ErrorDescription = { message: errorMessage(error) };
  if (error instanceof MemoirError) {
    description.code = error.code;
    if (error.plugin) description.plugin = error.plugin;
    if (error.hook) description.hook = error.hook;
  }
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause !== undefined && causes.length < 5) {
    causes.push(errorMessage(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  if (causes.length > 0) description.causes = causes;
  if (withStack && error instanceof Error && error.stack)
    description.stack = withSourcePlaces(error.stack);
  return description;
}
