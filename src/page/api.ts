// The server's routes as functions: typed by the routes themselves, as the command line's are.
import type { AnswerOf, AskedOf, RoutesOf } from "../server/route-types.ts";
import { setConnection } from "./connection.ts";

const keyName = "memoir-page-key";

/** What the server refused, in its own words. */
export class Refusal extends Error {
  readonly code: string;
  readonly fix: string;

  constructor({ code, message, fix }: { code: string; message: string; fix: string }) {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}

type Get = RoutesOf<"get">;
type Post = RoutesOf<"post">;
type Params = Readonly<Record<string, string>>;
interface Asked {
  params?: Params | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/** `get("/api/records/:id", { params: { id } })`. Rejects with a Refusal, or with whatever kept the server from answering. */
export function get<const Path extends keyof Get & string>(
  path: Path,
  asked: AskedOf<Get[Path]>,
  signal?: AbortSignal,
): Promise<AnswerOf<Get[Path]>> {
  return call("GET", path, asked as Asked, signal);
}

/** `post("/api/amend", { body })`. */
export function post<const Path extends keyof Post & string>(
  path: Path,
  asked: AskedOf<Post[Path]>,
  signal?: AbortSignal,
): Promise<AnswerOf<Post[Path]>> {
  return call("POST", path, asked as Asked, signal);
}

/** Trades the code behind the address's hash, and takes it out of the address and the history. */
export async function tradeCode(): Promise<void> {
  const code = location.hash.slice(1);
  if (!/^[\w-]{43}$/.test(code)) return;
  history.replaceState(null, "", location.pathname);
  const { key } = await post("/api/page/session", { body: { code } });
  localStorage.setItem(keyName, key);
}

/** Reads a stream of server-sent events until it ends: `opened` once it is there, `message` with each. The key goes along as for every route. */
export async function follow(
  path: string,
  lastId: string | undefined,
  signal: AbortSignal,
  opened: () => void,
  message: (text: string) => void,
): Promise<void> {
  const headers = { ...ownHeaders(), ...(lastId !== undefined && { "last-event-id": lastId }) };
  const response = await reach(path, { headers, signal });
  if (!response.ok) throw refusalOf(await response.json());
  setConnection("there");
  opened();
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value = "" } = await reader.read();
    const messages = (text + value).split("\n\n");
    text = messages.pop() ?? "";
    for (const one of messages) message(one);
    if (done) return;
  }
}

async function call<Answer>(
  method: "GET" | "POST",
  path: string,
  { params = {}, query = {}, body }: Asked,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await reach(withParams(path, params) + withQuery(query), {
    method,
    headers: ownHeaders(),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const answer = await response.json();
  if (response.ok) {
    setConnection("there");
    return answer;
  }
  throw refusalOf(answer);
}

const ownHeaders = () => ({ "memoir-page-key": localStorage.getItem(keyName) ?? "" });

function refusalOf(answer: { error: ConstructorParameters<typeof Refusal>[0] }): Refusal {
  const refusal = new Refusal(answer.error);
  setConnection(refusal.code === "access_token" ? "over" : "there");
  return refusal;
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (!init.signal?.aborted) setConnection("gone");
    throw error;
  }
}

function withParams(path: string, params: Params): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** Undefined and empty are left out. */
function withQuery(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}
