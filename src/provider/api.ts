// What providers share of models' APIs. First: what an API answered instead of an answer, as a MemoirError that says in words what is
// wrong and what to do.
import * as v from "valibot";
import { redactText } from "../privacy/redact.ts";
import { type ErrorCode, type ErrorDetails, errorFixes, MemoirError } from "../sdk/errors.ts";
import type { CompletionRequest, Usage } from "../sdk/provider.ts";
import { cut, estimateTokens, oneLine } from "../text/text.ts";

/** A failed call, as far as it is known. */
interface ProviderFailure {
  /** The plugin's name; it begins the sentence. */
  provider: string;
  model: string;
  /** Of the HTTP answer. */
  status: number;
  /** The API's own word for it, and its explanation. */
  type?: string | null | undefined;
  message?: string | null | undefined;
  /** As the `retry-after` header says it: seconds, or a date. */
  retryAfter?: string | null | undefined;
  /** Epoch ms, for a date in `retryAfter`. */
  now: number;
  /** Taken out of whatever the API quotes. */
  key?: string | undefined;
}

const contextWords =
  /prompt is too long|context[ _-]?(?:length|window|size)|maximum context|too many (?:input )?tokens|exceeds? the (?:model's )?(?:limit|context)/i;
const quotaWords =
  /insufficient[_ ]quota|credit balance|billing|exceeded your current quota|spend(?:ing)? limit/i;
/** Without a word of the API on when to come back, the caller's own pauses count. */
const soon = 0;

/** The error to throw. Texts of the API are cut, and never contain the key or anything that looks like one. */
export function providerError(failure: ProviderFailure): MemoirError {
  const { provider, model, status } = failure;
  const said = explanation(failure);
  const [code, what, mayPass] = meaning(failure);
  const details: ErrorDetails = { fix: fixFor(code, provider) };
  if (mayPass) details.retryAfterMs = parseRetryAfter(failure.retryAfter, failure.now) ?? soon;
  return new MemoirError(
    code,
    `${provider} (${model}) ${what} (status ${status}${said ? `: ${said}` : ""}).`,
    details,
  );
}

/** The catalogue's sentence with the provider's own name in it. */
function fixFor(code: ErrorCode, provider: string): string {
  return errorFixes[code].replaceAll("<name>", provider);
}

/** The code, in words, and whether the same may work in a while. */
function meaning({
  status,
  type,
  message,
}: ProviderFailure): [code: ErrorCode, what: string, mayPass?: true] {
  const words = `${type ?? ""} ${message ?? ""}`;
  if (status === 402 || quotaWords.test(words))
    return ["provider_quota", "has no credit left for this key"];
  if (status === 401) return ["provider_auth", "did not accept the key"];
  if (status === 403) return ["provider_permission", "does not let this key do that"];
  if (status === 404) return ["provider_model", "does not know the model or the address"];
  if (status === 408) return ["provider_timeout", "took too long", true];
  if (status === 429) return ["provider_rate", "asks for fewer calls", true];
  if (status >= 500) return ["provider_overloaded", "has trouble of its own", true];
  if (contextWords.test(words))
    return ["provider_context", "cannot take a prompt as long as this one"];
  if (status === 413) return ["provider_too_large", "does not take a request this large"];
  if (status >= 300 && status < 400)
    return ["provider_request", "leads to another address, which is not followed"];
  return ["provider_request", "did not understand the request"];
}

function explanation({ message, type, key }: ProviderFailure): string {
  const text = oneLine(message || type || "");
  const without = key ? text.replaceAll(key, "[key]") : text;
  return cut(redactText(without).text, 200).replace(/\.$/, "");
}

/** `retry-after` in ms: seconds or an HTTP date; undefined when it says neither. */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  if (value === null || value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : undefined;
}

/** No answer within `timeoutMs`. */
export function providerTimeout(provider: string, timeoutMs: number): MemoirError {
  return new MemoirError(
    "provider_timeout",
    `${provider} did not answer within ${Math.round(timeoutMs / 1_000)} s.`,
    { retryAfterMs: soon, fix: fixFor("provider_timeout", provider) },
  );
}

/** The connection could not be made, or broke. `where` is the address without a path. */
export function providerUnreachable(provider: string, where: string, cause: unknown): MemoirError {
  return new MemoirError(
    "provider_connection",
    `The connection of ${provider} to ${where} could not be made or broke.`,
    { retryAfterMs: soon, cause, fix: fixFor("provider_connection", provider) },
  );
}

/** An answer came that is none: cut off, no JSON, without what it must have. */
export function malformedAnswer(provider: string, what: string, cause?: unknown): MemoirError {
  return new MemoirError(
    "provider_answer",
    `The answer of ${provider} is no complete answer: ${what}.`,
    { retryAfterMs: soon, cause, fix: fixFor("provider_answer", provider) },
  );
}

// What a call that brought no answer comes to, for libraries that tell the ways apart by the classes of their errors.

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

// What APIs have alike in an answer: its text, and what it took where the server does not say.

/** The text of a message's content: a string, or a list of parts of which those of type `text` are said. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isText(part) ? part.text : "")).join("");
}

function isText(part: unknown): part is { text: string } {
  if (typeof part !== "object" || part === null) return false;
  return Reflect.get(part, "type") === "text" && typeof Reflect.get(part, "text") === "string";
}

/** Some servers count nothing; a budget that counts nothing either would be none. */
export function estimatedUsage({ system, messages }: CompletionRequest, text: string): Usage {
  const prompt = [system, ...messages.map(({ content }) => content)].join("\n");
  const sent = { input: estimateTokens(prompt), output: estimateTokens(text) };
  return { ...sent, cacheRead: 0, cacheWrite: 0 };
}

// What the config of several providers has alike.

/** For a plugin's config: the name of an environment variable that holds a key, which the server is then given. */
export const KeyEnvSchema = v.pipe(
  v.string(),
  v.check(
    (name) => /^[A-Za-z_]\w*$/.test(name) && /KEY|TOKEN|SECRET/i.test(name),
    "must be the name of an environment variable that has KEY, TOKEN or SECRET in it",
  ),
  v.description("Environment variable that holds the key; it comes before the stored one."),
);

/** For a plugin's config: how long one call may take, in seconds. */
export function timeoutOption(otherwise: number) {
  return v.optional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(110),
      v.description("Seconds that one call may take (1 to 110)"),
    ),
    otherwise,
  );
}
