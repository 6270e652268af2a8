// What each route takes and answers, read off the server's own routes when compiling. Types only: no command loads the server.
import type { App } from "./app.ts";

type Method = "get" | "post";

/** What Elysia knows of a route. */
interface Route {
  query: unknown;
  params: unknown;
  body: unknown;
  response: { 200: unknown };
}

/** Elysia keeps routes as a tree of path parts; here they are a list. */
type Listed<Node, Wanted extends Method, Path extends string = ""> = {
  [Part in keyof Node & string]: Part extends Wanted
    ? { path: Path; route: Node[Part] }
    : Part extends Method
      ? never
      : Listed<Node[Part], Wanted, `${Path}/${Part}`>;
}[keyof Node & string];

/** The routes of a method by path. */
export type RoutesOf<Wanted extends Method> = {
  [Entry in Extract<
    Listed<App["~Routes"], Wanted>,
    { path: `/api/${string}`; route: Route }
  > as Entry["path"]]: Entry["route"];
};

/** What is optional may also be undefined: it is left out then. */
type Loose<Value> = {
  [Key in keyof Value]: Partial<Pick<Value, Key>> extends Pick<Value, Key>
    ? Value[Key] | undefined
    : Value[Key];
};
/** A part of a request: not there where the route has none, optional where all of it is. */
type Part<Name extends string, Value> = unknown extends Value
  ? { [Key in Name]?: never }
  : Partial<Value> extends Value
    ? { [Key in Name]?: Loose<Value> }
    : { [Key in Name]: Loose<Value> };
type Params<Value> = [keyof Value] extends [never] ? { params?: never } : { params: Value };

/** What a route takes. */
export type AskedOf<Of> = Of extends Route
  ? Params<Of["params"]> & Part<"query", Of["query"]> & Part<"body", Of["body"]>
  : never;
/** What a route answers. */
export type AnswerOf<Of> = Of extends Route ? Of["response"][200] : never;

/** What `GET <path>` answers. */
export type Answer<Path extends keyof RoutesOf<"get">> = AnswerOf<RoutesOf<"get">[Path]>;
/** The query of `GET <path>`, for commands that put it together. */
export type Query<Path extends keyof RoutesOf<"get">> = Loose<RoutesOf<"get">[Path]["query"]>;
