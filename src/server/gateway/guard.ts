// Who may use the gateway: this machine's programs. It cannot ask for a token, as the client has none of ours; a web page is kept out.

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Why a request is refused, or undefined. Browsers send an Origin or say where a request comes from; a foreign Host is DNS rebinding. */
export function refusalOf(request: Request): string | undefined {
  const { headers } = request;
  if (headers.has("origin") || headers.has("sec-fetch-site"))
    return "memoir's gateway serves no web pages.";
  return isLoopback(headers.get("host") ?? "")
    ? undefined
    : "memoir's gateway serves this machine only, by the name localhost or 127.0.0.1.";
}

function isLoopback(host: string): boolean {
  // A name and a port; what else a URL could hold would be read differently by others.
  if (!/^[\w.:[\]-]+$/.test(host)) return false;
  try {
    return loopbackNames.has(new URL(`http://${host}`).hostname);
  } catch {
    return false;
  }
}
