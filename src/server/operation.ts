// How an operation of the server is declared, once: its path, what it takes and answers, and what works the answer out. Its route, its place in the API document and the types of its callers come from that.

import * as v from "valibot";
import type { Backfills } from "../backfill/job.ts";
import type { Feature, OwnInput } from "../features/feature.ts";
import type { Log } from "../home/log.ts";
import { withoutPasswords } from "../privacy/passwords.ts";
import type { Contribution } from "../runtime/status-schema.ts";
import { type ErrorCode, errorFixes, MemoirError } from "../sdk/errors.ts";
import type { Input, Inputs, ValueOf } from "../sdk/operation.ts";
import type { Marks } from "../sdk/turn.ts";
import type { Sync } from "../sync/service.ts";
import { asSeen, countWords, cut } from "../text/text.ts";
import { when } from "../text/time-of.ts";
import type { PageSessions } from "./auth/guard.ts";
import { usageFix } from "./endpoint.ts";
import type { HookRouteOptions } from "./hook-route.ts";
import type { ServerRuntime } from "./life/server-runtime.ts";
import type { Retention } from "./memory/retention.ts";
import type { ServerPart } from "./schemas/status.ts";

/** What operations work with. */
export interface Deps extends HookRouteOptions {
  version: string;
  backfills: Backfills;
  sync: Sync;
  retention: Retention;
  page: PageSessions;
  /** What the server says of itself, beside the runtime's status. */
  serverStatus(): Promise<ServerPart>;
  /** Takes every waiting spool file in. */
  drainSpool(): Promise<void>;
  /** After plugins or config changed. */
  reloaded(): Promise<void>;
  /** Begins the stop; the answer still goes out. */
  stop(): void;
}

/** One request, beside what it asks. */
export interface Context extends Deps {
  /** Every operation there is. */
  operations: readonly Operation[];
  /** Memory as the caller may see it: an agent's shell gets nothing that the user hid. */
  seen: ServerRuntime;
  isAgent: boolean;
  request: Request;
  /** Of the answer. */
  headers: Record<string, string | number>;
}

interface Asked<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

type Schema<Output> = v.GenericSchema<unknown, Output>;

/** What is declared of an operation beside its method and path. */
interface Declared<Params, Query, Body, Answer> {
  /** For the API document: what it does, in a sentence. */
  summary: string;
  params?: Schema<Params>;
  query?: Schema<Query>;
  body?: Schema<Body>;
  answer: Schema<Answer>;
}

/** The operation of a feature that a route or a tool belongs to. */
export interface FeaturePart {
  plugin: string;
  name: string;
}

/** One operation. The types of what it takes are `unknown` where it takes none. */
export interface Operation<
  Method extends string = string,
  Path extends string = string,
  Params = unknown,
  Query = unknown,
  Body = unknown,
  Answer = unknown,
> extends Declared<Params, Query, Body, Answer> {
  method: Method;
  path: Path;
  /** Absent of what is always there. */
  brought?: FeaturePart;
  /** Method syntax: lists hold operations of all kinds. */
  run(asked: Asked<Params, Query, Body>, context: Context): unknown;
}

/** Does not compile for a result that holds more or less than the schema of the answer says. */
type As<Answer, Result> =
  Awaited<Result> extends Answer
    ? [Whole<Answer>] extends [Whole<Awaited<Result>>]
      ? Result
      : { "the answer lacks what its schema has, or holds more": Answer }
    : { "the answer is not as its schema says": Answer };

const declare =
  <const Method extends string>(method: Method) =>
  <const Path extends string, Params, Query, Body, Answer, Result>(
    path: Path,
    declared: Declared<Params, Query, Body, Answer> & {
      run(asked: Asked<Params, Query, Body>, context: Context): Result & As<Answer, Result>;
    },
  ): Operation<Method, Path, Params, Query, Body, Answer> => ({ method, path, ...declared });

/** The names of a feature's operations that have a route. */
type WithRoute<Operations> = keyof {
  [Name in keyof Operations as Operations[Name] extends { for: ReadonlyArray<infer One> }
    ? "route" extends One
      ? Name
      : never
    : never]: never;
};

/** The routes of a feature: of each operation that says that it has one, and of no other. */
export function ofFeature<
  Of extends Feature,
  const Routes extends Record<WithRoute<Of["operations"]>, Operation>,
>(
  { name: plugin }: Of,
  routes: Routes & Record<Exclude<keyof Routes, WithRoute<Of["operations"]>>, never>,
): Array<Routes[keyof Routes]> {
  return Object.entries<Operation>(routes).map(([name, route]) => ({
    ...route,
    brought: { plugin, name },
  })) as Array<Routes[keyof Routes]>;
}

/** Without what belongs to a feature that is off. */
export function offeredOf<One extends { brought?: FeaturePart }>(
  all: readonly One[],
  there: readonly Pick<Contribution, "plugin" | "name">[],
): One[] {
  return all.filter(
    ({ brought: of }) =>
      !of || there.some(({ plugin, name }) => plugin === of.plugin && name === of.name),
  );
}

/** An operation that changes nothing. */
export const get = declare("GET");
/** An operation that may change something. */
export const post = declare("POST");

// What schemas of operations are made of.

/** What a field is for, beside its type. */
export function described<const Schema extends v.GenericSchema>(schema: Schema, words: string) {
  return v.pipe(schema, v.description(words));
}

/** A field that may be absent. */
export function optional<const Schema extends v.GenericSchema>(schema: Schema, words?: string) {
  const field = words === undefined ? schema : described(schema, words);
  return v.exactOptional(field as Schema);
}

/** A text of so many characters at most. */
export function atMost(most: number) {
  return v.pipe(v.string(), v.maxLength(most, `has more than ${most} characters`));
}

/** A text of a bounded length. */
export const text = atMost(4_096);
/** A text that says something. */
export const filled = v.pipe(text, v.nonEmpty("is empty"));

/** The same without blanks around it. */
export function trimmedText(most: number) {
  return v.pipe(v.string(), v.trim(), v.maxLength(most, `has more than ${most} characters`));
}

/** One of those that says something. */
export function filledText(most: number) {
  return v.pipe(trimmedText(most), v.nonEmpty("is empty"));
}

/** A line with a number of words; the message says how many there are. */
export function line(least: number, most: number) {
  const wanted = least > 0 ? `${least} to ${most} words` : `at most ${most} words`;
  return v.pipe(
    trimmedText(400),
    v.check((value) => !value.includes("\n"), "has more than one line"),
    v.check(
      (value) => countWords(value) >= least && countWords(value) <= most,
      ({ input }) => `must have ${wanted}, but has ${countWords(input)}`,
    ),
  );
}

const wholeNumber = "must be a whole number";
/** A whole number as a query string holds it. */
export const whole = v.pipe(
  v.string(),
  v.regex(/^\d{1,16}$/, wholeNumber),
  v.transform(Number),
  v.safeInteger(wholeNumber),
);
/** Epoch ms, in a query string. */
export const time = v.pipe(v.string(), v.description("Epoch ms."), whole);

/** How many answers are wanted, in a query string. */
export function limit(most: number) {
  const wanted = `must be a whole number from 1 to ${most}`;
  return v.pipe(
    v.string(),
    v.description(`1 to ${most}.`),
    v.regex(/^\d{1,16}$/, wanted),
    v.transform(Number),
    v.minValue(1, wanted),
    v.maxValue(most, wanted),
  );
}

/** A comma-separated list of these words, in a query string. */
export function listOf<const Words extends readonly string[]>(words: Words) {
  return v.pipe(
    v.string(),
    v.description(`Comma-separated: ${words.join(", ")}.`),
    v.transform((value) => value.split(",").filter((item) => item !== "")),
    v.array(v.picklist(words)),
  );
}

// What an operation takes, as schemas: in a query string, in a body, from an agent, and for whoever reads how a plugin's operation is asked.

const phrasing = atMost(10_000);
const phrasings = v.pipe(
  v.string(),
  v.transform((list) => list.split(",").filter((words) => words.trim() !== "")),
  v.array(phrasing),
  v.maxLength(8, "holds more than 8 phrasings"),
);
const flag = v.pipe(
  v.picklist(["true", "false"]),
  v.transform((value) => value === "true"),
);
/** A moment in epoch ms, as JSON holds it. */
const moment = v.pipe(v.number(), v.minValue(0), v.description("Epoch ms."));

/** Entries of an object's schema, each of which may be absent. */
type EntriesOf<Of> = {
  -readonly [Name in keyof Of]: v.ExactOptionalSchema<
    v.GenericSchema<unknown, ValueOf<Of[Name]>>,
    undefined
  >;
};

function entriesOf<Of extends Inputs>(takes: Of, schemaOf: (one: Input) => v.GenericSchema) {
  const entries = Object.entries(takes).map(([name, one]) => [name, optional(schemaOf(one))]);
  return Object.fromEntries(entries) as EntriesOf<Of>;
}

/** What an operation takes in its query string. */
export function queryOf<const Of extends Inputs>(takes: Of): EntriesOf<Of> {
  return entriesOf(takes, ({ says, is, most = 0, choices, many }) => {
    const words = `${says}${many ? "; comma-separated" : ""}.`;
    if (is === "time") return time;
    if (is === "count") return limit(most);
    if (is === "switch") return described(flag, words);
    if (choices) return many ? listOf(choices) : described(v.picklist(choices), words);
    if (is === "phrasing") return described(many ? phrasings : phrasing, words);
    return described(text, words);
  });
}

/** What an operation takes in its body; no list yet. */
export function bodyOf<const Of extends Inputs>(takes: Of): EntriesOf<Of> {
  return entriesOf(takes, ({ says, is }) => {
    if (is === "time") return moment;
    return described(is === "switch" ? v.boolean() : filled, `${says}.`);
  });
}

/** As an agent gives it: a time in words. */
type SaidOf<One> = One extends { is: "time" } ? string : ValueOf<One>;
type SaidEntries<Of> = {
  -readonly [Name in keyof Of as Of[Name] extends { agents: string }
    ? Name
    : never]: v.OptionalSchema<v.GenericSchema<unknown, SaidOf<Of[Name]>>, undefined>;
};

/** Those that agents may give. An empty filter is none. */
export function agentInputs<const Of extends Readonly<Record<string, OwnInput>>>(
  takes: Of,
): SaidEntries<Of> {
  const entries = Object.entries(takes).flatMap(([name, { is, choices, agents }]) => {
    if (agents === undefined) return [];
    const schema = saidSchema(is, choices);
    return [[name, v.optional(agents ? v.pipe(schema, v.description(agents)) : schema)]];
  });
  return Object.fromEntries(entries);
}

function saidSchema(is: Input["is"], choices: Input["choices"]): v.GenericSchema {
  if (is === "count") return v.pipe(v.number(), v.integer(), v.minValue(1));
  if (is === "switch") return v.boolean();
  return choices ? v.picklist(choices) : text;
}

/** What an operation takes, as JSON Schema: for the API document and for agents' tools. */
export function inputsSchema(takes: Inputs) {
  const entries = Object.entries(takes);
  const required = entries.filter(([, one]) => one.required).map(([name]) => name);
  return {
    type: "object" as const,
    properties: Object.fromEntries(entries.map(([name, one]) => [name, inputSchema(one)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function inputSchema(input: Input): Record<string, unknown> {
  const { says, is, most, choices, many } = input;
  const words = is === "time" ? `${says} (${when})` : says;
  const one = { ...kindOf(is, most), ...(choices && { enum: choices }) };
  const about = {
    description: words,
    ...(input.default !== undefined && { default: input.default }),
  };
  return many ? { type: "array", items: one, ...about } : { ...one, ...about };
}

function kindOf(is: Input["is"], most: number | undefined): Record<string, unknown> {
  if (is === "switch") return { type: "boolean" };
  if (is !== "count") return { type: "string" };
  return { type: "integer", minimum: 1, ...(most !== undefined && { maximum: most }) };
}

/** What a user may make of a record. */
export const marks = ["pinned", "hidden", "merged", "edited"] as const satisfies ReadonlyArray<
  keyof Marks
>;

/** Ids of records. */
export const someIds = v.pipe(
  v.array(filled),
  v.minLength(1, "is empty"),
  v.maxLength(1_000, "holds more than 1000 ids"),
);

/** The one id in a path. */
export const IdParams = v.strictObject({
  id: v.pipe(v.string(), v.nonEmpty("is empty"), v.maxLength(1_024, "is too long")),
});

/** The body of what needs none. */
export const NoBody = v.optional(v.strictObject({}), {});

/** Everything below required and mutable, so that two types can be compared whole. */
type Whole<Value> = unknown extends Value
  ? unknown
  : Value extends ReadonlyArray<infer Item>
    ? Array<Whole<Item>>
    : Value extends object
      ? { -readonly [Key in keyof Value]-?: Whole<Exclude<Value[Key], undefined>> }
      : Value;
type Same<Left, Right> = [Whole<Left>, Whole<Right>] extends [Whole<Right>, Whole<Left>]
  ? true
  : false;

/**
 * A schema that says all of a type and nothing else: a field that stands in one of them only does not compile
 * (`describes<Session>()(v.object({ … }))`).
 */
export function describes<Value>() {
  return <const Schema extends v.GenericSchema>(
    schema: Schema &
      (Same<v.InferOutput<Schema>, Value> extends true ? unknown : { "not as the type": Value }),
  ): v.GenericSchema<unknown, Value> => schema as v.GenericSchema<unknown, Value>;
}

// How a request fails: whatever a route threw becomes an answer of code, message and fix; never a stack, never the request's own text.

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
  hub_away: 503,
  hub_refused: 409,
  sync_refused: 409,
  sync_invitation: 400,
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
