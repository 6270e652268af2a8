// An operation of the server, declared once: its path, what it takes and answers, and what works the answer out. Its route, its place in the API document and the types of its callers come from that.
import type * as v from "valibot";
import type { Backfills } from "../../backfill/job.ts";
import type { PageSessions } from "../auth/page-sessions.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import type { AskSearch } from "../memory/ask-search.ts";
import type { Retention } from "../memory/retention.ts";
import type { HookRouteOptions } from "../routes/take-hook.ts";
import type { Whole } from "../schemas/parts.ts";
import type { ServerPart } from "../schemas/status.ts";

/** What operations work with. */
export interface Deps extends HookRouteOptions {
  version: string;
  backfills: Backfills;
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
  search: AskSearch;
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

/** An operation that changes nothing. */
export const get = declare("GET");
/** An operation that may change something. */
export const post = declare("POST");
