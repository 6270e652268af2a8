// Whose session a command is run in: clients name it to what they start.

/** Variables with a session's id, the surest first: memoir's own extensions set the first, clients the others. */
const variables = ["MEMOIR_SESSION", "CLAUDE_CODE_SESSION_ID", "PI_SESSION_ID"] as const;

/** The header that says it to the server; empty where no agent asks, or its name is none that a header can hold. */
export function sessionHeaders(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const session = variables.map((name) => env[name]).find(Boolean) ?? "";
  return /^[\w.-]{1,200}$/.test(session) ? { "memoir-session": session } : {};
}
