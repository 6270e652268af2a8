// Headers on their way through the gateway: everything passes but what belongs to one connection only.

const ofOneConnection: readonly string[] = [
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** A request's headers for the upstream. Length and host are set anew by whoever sends it. */
export function requestHeaders(from: Headers): Headers {
  const kept = withoutConnection(from);
  kept.delete("host");
  kept.delete("content-length");
  return kept;
}

/** An answer's headers for the client, each as often as it came. */
export function answerHeaders(from: Headers): Headers {
  return withoutConnection(from);
}

function withoutConnection(from: Headers): Headers {
  const kept = new Headers(from);
  const named = (from.get("connection") ?? "").split(",").map((name) => name.trim());
  // A name that is none would throw.
  const valid = named.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  for (const name of [...ofOneConnection, ...valid]) kept.delete(name);
  return kept;
}
