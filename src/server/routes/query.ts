// What the read routes may be asked: query strings parsed into the SDK's questions.
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import { searchLevels } from "../../sdk/storage.ts";

const text = v.exactOptional(v.pipe(v.string(), v.maxLength(4_096)));
const whole = v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number), v.safeInteger());
const time = v.exactOptional(whole);
const list = v.pipe(
  v.string(),
  v.transform((value) => value.split(",").filter((item) => item !== "")),
);
const kind = v.picklist(["observation", "summary", "prompt", "session", "memory", "turn"]);

function limit(most: number) {
  return v.exactOptional(v.pipe(whole, v.minValue(1), v.maxValue(most)));
}

const filter = {
  project: text,
  session: text,
  type: text,
  concept: text,
  file: text,
  since: time,
  until: time,
};

/** `GET /api/search`: every field of SearchQuery; `kinds` is a comma-separated list. */
export const SearchParams = v.strictObject({
  ...filter,
  text: v.optional(v.pipe(v.string(), v.maxLength(10_000)), ""),
  kinds: v.exactOptional(v.pipe(list, v.array(kind))),
  level: v.exactOptional(v.picklist(searchLevels)),
  limit: limit(200),
  offset: time,
});

/** `GET /api/sessions`. */
export const SessionsParams = v.strictObject({
  project: text,
  since: time,
  until: time,
  limit: limit(500),
  offset: time,
  order: v.exactOptional(v.picklist(["newest", "oldest"])),
});

/** `GET /api/timeline`: `around` is a record's id, in whose neighbourhood the answer lies. */
export const TimelineParams = v.strictObject({
  project: text,
  session: text,
  around: text,
  since: time,
  until: time,
  limit: limit(500),
});

/** `GET /api/context`: what a session that starts in `cwd` would be told; with `prompt`, what that prompt would get. */
export const ContextParams = v.strictObject({
  client: v.optional(v.string(), "claude-code"),
  cwd: v.pipe(v.string(), v.nonEmpty()),
  source: v.optional(v.string(), "startup"),
  prompt: text,
});

/** `POST /api/drain`. */
export const DrainBody = v.strictObject({
  session: text,
  project: text,
  timeoutMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(600_000)), 30_000),
});

/** `POST /api/retry`: all parked work, or the pieces with these ids. */
export const RetryBody = v.strictObject({
  ids: v.exactOptional(v.array(v.pipe(v.number(), v.safeInteger()))),
});

/** A request's query string through a schema. Throws MemoirError `usage` naming the parameter. */
export function parseQuery<Output>(
  schema: v.GenericSchema<unknown, Output>,
  request: Request,
): Output {
  return parseWith(schema, Object.fromEntries(new URL(request.url).searchParams), "parameter");
}

/** Any value through a schema. Throws MemoirError `usage` naming the field and what is expected, without what was given. */
export function parseWith<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  what: string,
): Output {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const field = v.getDotPath(issue);
  if (field && issue.expected === "never") {
    throw new MemoirError("usage", `There is no such ${what}: \`${field.slice(0, 64)}\`.`);
  }
  const wrong =
    issue.received === "undefined"
      ? "is missing"
      : `is not as expected (${issue.expected ?? "another form"})`;
  throw new MemoirError("usage", `The ${what} \`${field ?? "body"}\` ${wrong}.`);
}
