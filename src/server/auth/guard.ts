// Who may talk to the server over TCP: this machine's own programs that can read the token, and no web page.
import { MemoirError } from "../../sdk/errors.ts";
import type { PageSessions } from "./page-sessions.ts";
import { sameToken } from "./token.ts";

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Throws MemoirError `access_refused` or `access_token` when a TCP request must not pass. A unix socket needs no guard: its
 * folder is private.
 */
export function guardTcp(request: Request, token: string, page: PageSessions): void {
  // A foreign Host is DNS rebinding, a foreign Origin another site's script.
  const host = request.headers.get("host") ?? "";
  // A name and a port; what else a URL could hold would be read differently by others.
  if (!/^[\w.:[\]-]+$/.test(host) || !isLoopback(`http://${host}`)) {
    throw new MemoirError("access_refused", "The Host header does not name this machine.");
  }
  const origin = request.headers.get("origin");
  if (origin !== null && !isLoopback(origin)) {
    throw new MemoirError("access_refused", "The request comes from another site's page.");
  }
  const given = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (given === undefined && page.admits(request)) return;
  if (given === undefined || !sameToken(given, token)) {
    throw new MemoirError("access_token", "The request carries no valid token.");
  }
}

function isLoopback(address: string): boolean {
  try {
    return loopbackNames.has(new URL(address).hostname);
  } catch {
    return false;
  }
}
