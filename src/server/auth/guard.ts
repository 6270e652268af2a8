// Who may look through the page: a browser that traded a single-use code for a cookie and a key, for the page's own requests only.

import { createHash, createHmac, randomBytes } from "node:crypto";
import { MemoirError } from "../../sdk/errors.ts";
import { panelPath } from "../endpoint.ts";
import { sameToken } from "../life/server-info.ts";

/** How long a code may wait to be traded. */
export const codeMs = 60_000;
/** How long a session of the page lasts; a restart of the server does not end it, another token does. */
export const pageSessionMs = 24 * 60 * 60_000;
/** More codes than anybody opens: the oldest go. */
const most = 64;

/** The cookie's name. Browsers send a cookie to every port of a host, so that each server of a machine needs its own. */
export const pageCookie = (port: string) => `memoir-page-${port}`;
/** Carries the other half of a session. A browser keeps it for this port alone and sends it nowhere by itself. */
const pageKeyHeader = "memoir-page-key";

/** What a traded code gives. */
interface PageSession {
  /** For the cookie, which no script sees. */
  secret: string;
  /** For the page, which no other port of the machine sees. */
  key: string;
}

/** Codes of one server, and sessions of its home. Nothing of a session is kept: its key is signed with the home's token. */
export interface PageSessions {
  /** A code that is good once, for a minute. */
  code(): string;
  /** Throws MemoirError `access_token` for a code that is unknown, used or too old. */
  trade(code: string): PageSession;
  /** Lets a frame have the document at a path once, within a minute. */
  ticket(path: string): string;
  /** Whether TCP may pass without the token. Throws MemoirError `access_refused` or `access_token` for what only looks like the page's. */
  admits(request: Request): boolean;
}

/** The path of one of the page's files; any other request is undefined. A browser gets the page at every address that is no route, and the page says where it leads. */
export function pageFileOf(request: Request): string | undefined {
  if (request.method !== "GET") return undefined;
  const path = pathOf(request);
  const isBrowser = (request.headers.get("accept") ?? "").includes("text/html");
  return files.test(path) || (isBrowser && path !== "" && !routes.test(path)) ? path : undefined;
}

/** The page itself holds no data: anybody on this machine may have it, and it has to be there before the code is traded. */
const files = /^\/(?:page\/(?:[\w-]+\/)?[a-z]+\.[a-z]+)?$/;
const routes = /^\/(?:(?:api|hook|mcp|page)(?:\/|$)|plugins\/.)/;
/** Of a file whose address changes with what is in it. */
export const keptByBrowsers = "private, max-age=31536000, immutable";

/** Where a code is traded. */
const trading = "/api/page/session";
const anyOf = (...paths: string[]) => new RegExp(`^/api/(?:${paths.join("|")})$`);
/** What the page asks: the routes that read, and those that correct. */
const asked: Readonly<Record<string, RegExp>> = {
  GET: anyOf(
    ...["changes", "now", "health", "search", "marked", "memory", "timeline", "sessions", "status"],
    ...["context", "stats", "usage", "endless/metrics", "overview", "openapi\\.json", "plugins"],
    ...["projects", "sync", "sync/members"],
    "(?:plugins|records|related|sessions|recall)/[^/]+",
    "sessions/[^/]+/told",
  ),
  POST: anyOf(
    "amend",
    "ask",
    "forget",
    "projects",
    "retry",
    "sync/(?:spaces|invitations|join|projects|remove|leave)",
    "plugins/[^/]+/(?:switch|options)",
    "plugins/[^/]+/(?:ask|panels)/[^/]+",
  ),
};

/** `now` in epoch ms; `token` is the home's. */
export function createPageSessions(now: () => number, token: string): PageSessions {
  const codes = new Map<string, number>();
  const keyOf = (secret: string) =>
    createHmac("sha256", token).update(`page ${secret}`).digest("base64url");

  /** Throws when the request is not from a page of a session. */
  function checkSession(request: Request): void {
    const secret = cookieOf(request);
    const until = Number(secret.split(".")[0]);
    const isOwn = sameToken(request.headers.get(pageKeyHeader) ?? "", keyOf(secret));
    if (!isOwn || !(until > now()))
      throw new MemoirError("access_token", "The page's session is over.", {
        fix: "Run `memoir open`.",
      });
  }

  return {
    code() {
      const code = random();
      codes.set(hashed(code), now() + codeMs);
      for (const oldest of codes.keys()) if (codes.size > most) codes.delete(oldest);
      return code;
    },
    ticket(path) {
      const ticket = random();
      codes.set(hashed(`${path} ${ticket}`), now() + codeMs);
      return ticket;
    },
    trade(code) {
      const until = codes.get(hashed(code));
      codes.delete(hashed(code));
      if (until === undefined || until <= now())
        throw new MemoirError("access_token", "The code was used before, or is too old.", {
          fix: "Run `memoir open` for another.",
        });
      const secret = `${now() + pageSessionMs}.${random()}`;
      return { secret, key: keyOf(secret) };
    },
    admits(request) {
      const { method } = request;
      const path = pathOf(request);
      if (pageFileOf(request) !== undefined) return true;
      if (method === "GET" && panelPath.test(path)) {
        // A frame sends no key along: the ticket stands for the page that asked for it.
        const ticket = hashed(`${path} ${new URL(request.url).searchParams.get("ticket")}`);
        const until = codes.get(ticket) ?? 0;
        codes.delete(ticket);
        return until > now();
      }
      const isTrade = method === "POST" && path === trading;
      if (!isTrade && cookieOf(request) === "") return false;
      checkOrigin(request);
      if (isTrade) return true;
      checkSession(request);
      if (asked[method]?.test(path)) return true;
      throw new MemoirError("access_refused", "The page may not ask for that.");
    },
  };
}

/** Another port of this machine is the same site to a browser, yet another origin. */
function checkOrigin({ method, headers }: Request): void {
  const origin = headers.get("origin");
  const own = `http://${headers.get("host")}`;
  const isOwn = method === "GET" && origin === null ? true : origin === own;
  if (!isOwn || headers.get("sec-fetch-site") !== "same-origin")
    throw new MemoirError("access_refused", "The request does not come from memoir's own page.");
}

function cookieOf({ headers }: Request): string {
  const name = pageCookie(portOf(headers));
  for (const part of (headers.get("cookie") ?? "").split(";")) {
    const [key = "", value = ""] = part.trim().split("=");
    if (key === name) return value;
  }
  return "";
}

/** The port that the browser sees: what stands behind the last colon of Host. */
export function portOf(headers: Headers): string {
  return /:(\d+)$/.exec(headers.get("host") ?? "")?.[1] ?? "80";
}

/** As it was asked for, without a second reading of it: a path that others would read differently matches nothing. */
function pathOf({ url }: Request): string {
  return /^http:\/\/[^/?#]+(\/[^?#]*)/.exec(url)?.[1] ?? "";
}

const random = () => randomBytes(32).toString("base64url");
const hashed = (secret: string) => createHash("sha256").update(secret).digest("hex");

// Who may talk to the server over TCP: this machine's own programs that can read the token, and no web page.

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
