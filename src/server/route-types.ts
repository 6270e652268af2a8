// What each operation takes and answers, for those who ask over the wire. Types only: no command loads the server.
import type { Operation } from "./operation.ts";
import type { operations } from "./operations/index.ts";

type Declared = (typeof operations)[number];

/** The operations of a method by path. */
export type RoutesOf<Method extends "get" | "post"> = {
  [One in Extract<Declared, { method: Uppercase<Method> }> as One["path"]]: One;
};

/** What is optional may also be undefined: it is left out then. */
type Loose<Value> = {
  [Key in keyof Value]: Partial<Pick<Value, Key>> extends Pick<Value, Key>
    ? Value[Key] | undefined
    : Value[Key];
};
/** A part of a request: not there where the operation takes none, optional where all of it is. */
type Part<Name extends string, Value> = unknown extends Value
  ? { [Key in Name]?: never }
  : Partial<Value> extends Value
    ? { [Key in Name]?: Loose<Value> }
    : { [Key in Name]: Loose<Value> };

/** What an operation takes. */
export type AskedOf<Of> =
  Of extends Operation<string, string, infer Params, infer Query, infer Body, unknown>
    ? Part<"params", Params> & Part<"query", Query> & Part<"body", Body>
    : never;
/** What an operation answers. */
export type AnswerOf<Of> =
  Of extends Operation<string, string, unknown, unknown, unknown, infer Answer> ? Answer : never;

/** What `GET <path>` answers. */
export type Answer<Path extends keyof RoutesOf<"get">> = AnswerOf<RoutesOf<"get">[Path]>;
