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
