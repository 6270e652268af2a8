// Hands a request to the strategies that are switched on and gives the bytes that go out: the original ones whenever anything is unsure.

import type { Log } from "../../home/log.ts";
import type { Hooks } from "../../runtime/ports.ts";
import type { ModelRequest } from "../../sdk/endless.ts";
import { within } from "../../sdk/within.ts";

// Whose request it is: the client's session and subagent, from its headers, else from the body's metadata.

export interface Caller {
  client: string;
  session: string;
  /** The subagent's id inside a subagent. */
  agent?: string;
}

const sessionHeader = "x-claude-code-session-id";
const agentHeader = "x-claude-code-agent-id";
const idForm = /^[\w-]{1,128}$/;

/** The caller, or undefined where nothing names a session. The body's text is looked at only when the headers do not say. */
export function callerOf(headers: Headers, body: () => string): Caller | undefined {
  const client = "claude-code";
  const session = headers.get(sessionHeader) ?? "";
  const agent = headers.get(agentHeader) ?? "";
  if (idForm.test(session)) return { client, session, ...(idForm.test(agent) && { agent }) };
  const found = sessionInMetadata(body());
  return found === undefined ? undefined : { client, session: found };
}

/** `metadata.user_id` is a JSON string with `session_id`, or ends in `_session_<id>` in older clients. */
function sessionInMetadata(text: string): string | undefined {
  const at = text.lastIndexOf('"metadata":{"user_id":"');
  if (at < 0) return undefined;
  const near = text.slice(at, at + 1_000);
  return (
    /\\"session_id\\":\\"([\w-]{1,128})\\"/.exec(near)?.[1] ??
    /_session_([0-9a-f-]{36})"/.exec(near)?.[1]
  );
}

/** How long strategies may take all together, in ms: the agent waits. */
const rewriteMs = 2_000;

/** What became of a body. `unsure`: it was not looked at. `failed`: a strategy threw, was late, or gave no body. */
export type Outcome = "untouched" | "rewritten" | "unsure" | "failed";

interface Rewritten {
  bytes: Uint8Array<ArrayBuffer>;
  outcome: Outcome;
}

const nothing: Body = Object.freeze({});

/** Never rejects. The body is parsed only when a strategy looks at it. */
export async function rewrite(
  bytes: Uint8Array<ArrayBuffer>,
  text: () => string | undefined,
  caller: Caller,
  { hooks, log, withinMs = rewriteMs }: { hooks: Hooks; log: Log; withinMs?: number },
): Promise<Rewritten> {
  let body: Body | undefined;
  let unsure = false;
  const request: ModelRequest = {
    ...caller,
    get body() {
      if (body) return body;
      const source = text();
      const parsed = source === undefined ? undefined : parseBody(source);
      unsure = parsed === undefined;
      // A body without messages: there is nothing in it that a strategy would touch.
      body = parsed ?? nothing;
      return body;
    },
  };
  try {
    const ended = await within(withinMs, hooks.reduce("request", request), undefined);
    if (ended === undefined) {
      log.warn("a request went on as it came: its rewriting was late", { ms: withinMs });
      return { bytes, outcome: "failed" };
    }
    if (unsure) return { bytes, outcome: "unsure" };
    const { value, failed } = ended;
    if (value === request || value.body === body)
      return { bytes, outcome: failed.length > 0 ? "failed" : "untouched" };
    const written = writeBody(value.body);
    if (written !== undefined)
      return { bytes: new TextEncoder().encode(written), outcome: "rewritten" };
    log.warn("a request went on as it came: a strategy gave no body");
    return { bytes, outcome: "failed" };
  } catch (error) {
    log.warn("a request went on as it came", { error });
    return { bytes, outcome: "failed" };
  }
}

// A request's body as a value that strategies may change, and back to bytes. Sure means: written again it is the same, byte for byte.

type Body = Readonly<Record<string, unknown>>;

/** The body, or undefined where reading and writing it again would not give the very same text. */
export function parseBody(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) && JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The changed body's text, or undefined where it is none that the API could take. Parts that nobody changed come out as
 * they came, because the original did.
 */
export function writeBody(body: unknown): string | undefined {
  try {
    return isBody(body) ? JSON.stringify(body) : undefined;
  } catch {
    return undefined;
  }
}

function isBody(value: unknown): value is Body {
  return (
    typeof value === "object" &&
    value !== null &&
    Array.isArray((value as Record<string, unknown>).messages)
  );
}
