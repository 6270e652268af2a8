// Every way into the page's session that is not the page's: each is refused, and what a browser may do with answers is bounded.
import { beforeEach, describe, expect, test } from "bun:test";
import { codeMs, pageSessionMs } from "../../../src/server/auth/guard.ts";
import { createServer, type Server } from "../../../src/server/server.ts";
import { appOptions } from "../app-options.ts";

const token = "a".repeat(64);
const host = "127.0.0.1:4711";
const own = { host, "sec-fetch-site": "same-origin" };
const ownPost = { ...own, origin: `http://${host}` };

let clock: number;
let server: Server;
let events: string[];

beforeEach(() => {
  clock = 1_000_000;
  events = [];
  server = createServer({
    ...appOptions({ answers: { "storage.sessions": () => [] } }),
    ...{ token, now: () => clock, stop: () => void events.push("stop") },
  });
});

interface Asked {
  headers?: Record<string, string>;
  body?: unknown;
  method?: string;
}
function ask(path: string, { headers = {}, body, method }: Asked = {}): Promise<Response> {
  return server.guardedFetch(
    new Request(`http://${host}${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { host, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

async function newCode(): Promise<string> {
  const asked = new Request("http://localhost/api/page/code", { method: "POST", body: "{}" });
  const { address } = await (await server.fetch(asked)).json();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:8\/#[\w-]{43}$/);
  return new URL(address).hash.slice(1);
}
const trade = (code: string, headers: Record<string, string> = ownPost) =>
  ask("/api/page/session", { headers, body: { code } });

/** The headers of a page that has a session. */
async function session(): Promise<Record<string, string>> {
  const response = await trade(await newCode());
  expect(response.status).toBe(200);
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { cookie, "memoir-page-key": (await response.json()).key };
}
async function outcome(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  if (response.ok) return "ok";
  return `${response.status} ${(await response.json()).error.code}`;
}

describe("the code", () => {
  test("is traded for a cookie that no script and no other site sees, and a key", async () => {
    const response = await trade(await newCode());
    expect(response.headers.get("set-cookie")).toMatch(
      /^memoir-page-4711=\d+\.[\w-]{43}; Path=\/api; HttpOnly; SameSite=Strict; Max-Age=86400$/,
    );
    expect(await response.json()).toEqual({ key: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await outcome(ask("/api/sessions", { headers: { ...own, ...(await session()) } }))).toBe(
      "ok",
    );
  });

  test("is good once", async () => {
    const code = await newCode();
    expect(await outcome(trade(code))).toBe("ok");
    expect(await outcome(trade(code))).toBe("401 access_token");
  });

  test("is good for a minute", async () => {
    const code = await newCode();
    clock += codeMs;
    expect(await outcome(trade(code))).toBe("401 access_token");
  });

  test.each([
    ["another site", { ...ownPost, origin: "https://evil.example" }, "403 access_refused"],
    ["another port here", { ...ownPost, origin: "http://127.0.0.1:3000" }, "403 access_refused"],
    ["the same site", { ...ownPost, "sec-fetch-site": "same-site" }, "403 access_refused"],
    ["no browser's page", { host }, "403 access_refused"],
    ["no origin", own, "403 access_refused"],
    ["a rebound name", { ...ownPost, host: "evil.example:4711" }, "403 access_refused"],
    ["a file", { ...ownPost, origin: "null" }, "403 access_refused"],
  ])("from %s is not taken, and stays good", async (_who, headers, refused) => {
    const code = await newCode();
    expect(await outcome(trade(code, headers))).toBe(refused);
    expect(await outcome(trade(code))).toBe("ok");
  });

  test.each(["", "x", "a".repeat(43), "../".repeat(20)])("%j is none", async (code) => {
    expect(await outcome(trade(code))).toMatch(/^40[01] /);
  });

  test("is never had by the page, nor without the token", async () => {
    const headers = { ...ownPost, ...(await session()) };
    expect(await outcome(ask("/api/page/code", { headers, body: {} }))).toBe("403 access_refused");
    expect(await outcome(ask("/api/page/code", { headers: ownPost, body: {} }))).toBe(
      "401 access_token",
    );
    const bearer = { authorization: `Bearer ${token}` };
    expect(await outcome(ask("/api/page/code", { headers: bearer, body: {} }))).toBe("ok");
  });

  test("only by POST", async () => {
    const code = await newCode();
    expect(await outcome(ask(`/api/page/session?code=${code}`, { headers: own }))).toBe(
      "401 access_token",
    );
    expect(await outcome(trade(code))).toBe("ok");
  });
});

describe("the session", () => {
  test.each([
    ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["another port here", { origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-site" }],
    ["another port, by GET", { "sec-fetch-site": "same-site" }],
    ["a link from elsewhere", { "sec-fetch-site": "cross-site" }],
    ["the address line", { "sec-fetch-site": "none" }],
    ["a rebound name", { host: "evil.example:4711" }],
  ])("is of no use to %s", async (_who, headers) => {
    const given = { ...own, ...(await session()), ...headers };
    expect(await outcome(ask("/api/sessions", { headers: given }))).toBe("403 access_refused");
    const posted = { origin: "http://127.0.0.1:3000", ...given };
    const forget = ask("/api/forget", { headers: posted, body: { ids: ["o1"] } });
    expect(await outcome(forget)).toBe("403 access_refused");
  });

  test("needs both halves: another port of the machine sees the cookie, and never the key", async () => {
    const { cookie = "", "memoir-page-key": key = "" } = await session();
    const others = await session();
    for (const half of [
      { cookie },
      { "memoir-page-key": key },
      { cookie, "memoir-page-key": others["memoir-page-key"] ?? "" },
      { cookie: "memoir-page-4711=x", "memoir-page-key": key },
      { cookie: cookie.replace("4711", "4712"), "memoir-page-key": key },
    ])
      expect(await outcome(ask("/api/sessions", { headers: { ...own, ...half } }))).toBe(
        "401 access_token",
      );
  });

  test.each([
    "/api/stats",
    "/api/usage",
    "/api/endless/metrics",
    "/api/overview?since=0&until=9",
    "/api/sync",
    "/api/sync/members",
    "/api/openapi.json",
  ])("%s answers the page, and no stranger", async (path) => {
    const headers = await session();
    expect(await outcome(ask(path, { headers: { ...own, ...headers } }))).not.toMatch(/^40[13] /);
    expect(await outcome(ask(path, { headers: own }))).toBe("401 access_token");
    const { cookie = "" } = headers;
    expect(await outcome(ask(path, { headers: { ...own, cookie } }))).toBe("401 access_token");
    const foreign = { ...own, ...headers, "sec-fetch-site": "cross-site" };
    expect(await outcome(ask(path, { headers: foreign }))).toBe("403 access_refused");
  });

  test.each([...["spaces", "invitations", "join", "projects", "remove", "leave"]])(
    "sharing changes by /api/sync/%s for the page, and no stranger",
    async (name) => {
      const headers = await session();
      const by = (given: Record<string, string>) =>
        outcome(ask(`/api/sync/${name}`, { headers: { ...ownPost, ...given }, body: { no: 1 } }));
      expect(await by(headers)).toMatch(/^400 /);
      expect(await by({})).toBe("401 access_token");
      expect(await by({ cookie: headers.cookie ?? "" })).toBe("401 access_token");
      expect(await by({ ...headers, origin: "http://127.0.0.1:3000" })).toBe("403 access_refused");
    },
  );

  test("ends after a day", async () => {
    const headers = { ...own, ...(await session()) };
    clock += pageSessionMs - 1;
    expect(await outcome(ask("/api/sessions", { headers }))).toBe("ok");
    clock++;
    expect(await outcome(ask("/api/sessions", { headers }))).toBe("401 access_token");
  });

  test("outlives a restart of the server, and is not known where the token is another", async () => {
    const headers = { ...own, ...(await session()) };
    const options = appOptions({ answers: { "storage.sessions": () => [] } });
    server = createServer({ ...options, token, now: () => clock });
    expect(await outcome(ask("/api/sessions", { headers }))).toBe("ok");
    server = createServer({ ...options, token: "b".repeat(64), now: () => clock });
    expect(await outcome(ask("/api/sessions", { headers }))).toBe("401 access_token");
  });

  test("does not last longer because its cookie says so", async () => {
    const { cookie = "", ...headers } = await session();
    const later = cookie.replace(/=\d+/, `=${clock + 10 * pageSessionMs}`);
    const longer = { ...own, ...headers, cookie: later };
    expect(await outcome(ask("/api/sessions", { headers: longer }))).toBe("401 access_token");
  });

  test.each([
    ["POST", "/api/stop"],
    ["POST", "/api/sync/now"],
    ["POST", "/api/reload"],
    ["POST", "/api/drain"],
    ["POST", "/api/reindex"],
    ["POST", "/api/import"],
    ["POST", "/api/store-memory"],
    ["POST", "/hook/claude-code"],
    ["POST", "/mcp"],
    ["GET", "/api/export"],
    ["GET", "/api/openapi-json"],
    ["GET", "/api/amend"],
    ["POST", "/api/plugins"],
    ["GET", "/api/plugins/none/switch"],
    ["POST", "/api/plugins/none/trust"],
    ["GET", "/api/forget"],
    ["DELETE", "/api/records/o1"],
    ["POST", "/api/records/../stop"],
    ["POST", "/api/amend/../stop"],
    ["POST", "/api/amend%2f..%2fstop"],
    ["POST", "/api/amend;/../stop"],
  ])("may not ask for %s %s", async (method, path) => {
    const headers = { ...ownPost, ...(await session()) };
    const asked = method === "POST" ? { body: {} } : {};
    expect(await outcome(ask(path, { headers, method, ...asked }))).toBe("403 access_refused");
    expect(events).toEqual([]);
  });

  test.each([
    ["GET", "/api/search"],
    ["GET", "/api/marked?mark=pinned"],
    ["GET", "/api/memory?hidden=false"],
    ["GET", "/api/timeline"],
    ["GET", "/api/sessions"],
    ["GET", "/api/sessions/s1"],
    ["GET", "/api/sessions/s1/told"],
    ["GET", "/api/recall/toolu_1?page=1"],
    ["GET", "/api/status"],
    ["GET", "/api/records/o1"],
    ["GET", "/api/related/o1"],
    ["GET", "/api/context?cwd=/p"],
    ["POST", "/api/amend"],
    ["POST", "/api/ask"],
    ["POST", "/api/forget"],
  ])("may ask for %s %s, and no stranger may", async (method, path) => {
    const body = method === "POST" ? { body: {} } : {};
    const asked = (headers: Record<string, string>) =>
      outcome(ask(path, { method, headers, ...body }));
    const halves = await session();
    const whole = { ...(method === "POST" ? ownPost : own), ...halves };
    expect(await asked(whole)).not.toMatch(/^40[13] access/);
    expect(await asked({ ...whole, "memoir-page-key": "" })).toBe("401 access_token");
    expect(await asked({ ...whole, cookie: "" })).toBe("401 access_token");
    expect(await asked({ ...whole, "sec-fetch-site": "same-site" })).toBe("403 access_refused");
    expect(await asked({ ...whole, origin: "http://127.0.0.1:3000" })).toBe("403 access_refused");
    expect(await asked({ ...whole, host: "evil.example:4711" })).toBe("403 access_refused");
  });

  test("a wrong token is no way to it, and no session stands in for a token", async () => {
    const headers = { ...own, ...(await session()), authorization: "Bearer wrong" };
    expect(await outcome(ask("/api/sessions", { headers }))).toBe("401 access_token");
  });
});

/** What the page asks of this machine beside records. */
const open: ReadonlyArray<[method: string, path: string]> = [
  ["GET", "/api/now"],
  ["GET", "/api/health"],
  ["POST", "/api/retry"],
  ["GET", "/api/plugins"],
  ["GET", "/api/plugins/sqlite"],
  ["POST", "/api/plugins/none/switch"],
  ["POST", "/api/plugins/none/options"],
];
describe.each(open)("%s %s", (method, path) => {
  const asked = method === "POST" ? { body: {} } : {};
  test("is open to the page", async () => {
    const headers = { ...ownPost, ...(await session()) };
    expect(await outcome(ask(path, { headers, method, ...asked }))).not.toMatch(/access_/);
  });

  test.each([
    ["nobody", () => ({}), "401 access_token"],
    ["another site", () => ({ "sec-fetch-site": "cross-site" }), "403 access_refused"],
    ["another port", () => ({ ...ownPost, origin: "http://127.0.0.1:1" }), "403 access_refused"],
    ["a rebound name", () => ({ ...ownPost, host: "evil.example:4711" }), "403 access_refused"],
    ["who has the cookie alone", () => ({ ...ownPost, "memoir-page-key": "" }), "401 access_token"],
    ["who has the key alone", () => ({ ...ownPost, cookie: "" }), "401 access_token"],
  ])("is refused to %s", async (who, headers, refused) => {
    const given = who === "nobody" ? {} : { ...(await session()), ...headers() };
    expect(await outcome(ask(path, { headers: given, method, ...asked }))).toBe(refused);
  });
});

describe("the stream of changes", () => {
  test("is read by the page, and says nothing of what memory holds", async () => {
    const response = await ask("/api/changes", { headers: { ...own, ...(await session()) } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('id: 1000-0\ndata: {"what":[],"sessions":[]}\n\n');
    await reader?.cancel();
  });

  test.each([
    ["nobody", {}, "401 access_token"],
    ["another site", { "sec-fetch-site": "cross-site" }, "403 access_refused"],
    ["another port's EventSource", { "sec-fetch-site": "same-site" }, "403 access_refused"],
    ["the address line", { "sec-fetch-site": "none" }, "403 access_refused"],
    ["another site's script", { ...own, origin: "https://evil.example" }, "403 access_refused"],
    ["a rebound name", { ...own, host: "evil.example:4711" }, "403 access_refused"],
    ["an EventSource, which sends no key", { ...own, "memoir-page-key": "" }, "401 access_token"],
    ["who has no cookie", { ...own, cookie: "" }, "401 access_token"],
  ])("is not read by %s", async (who, headers, refused) => {
    const given = who === "nobody" ? {} : { ...(await session()), ...headers };
    expect(await outcome(ask("/api/changes", { headers: given }))).toBe(refused);
  });

  test.each(["POST", "DELETE"])("is nothing that %s does", async (method) => {
    const headers = { ...ownPost, ...(await session()) };
    expect(await outcome(ask("/api/changes", { headers, method }))).toBe("403 access_refused");
  });
});

describe("the page's own files", () => {
  test.each([
    "/",
    "/memory?project=shop",
    "/context?cwd=/p",
    "/decisions?kind=facts",
    "/savings?range=all",
    "/search?q=a",
    "/settings",
    "/settings/plugins/sqlite",
    "/settings/api#get_api_search",
    "/session/s1",
    "/record/o1",
  ])("%s is the document, under a strict policy", async (path) => {
    const response = await ask(path, { headers: { accept: "text/html" } });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(/src="\/page\/[\w-]{12}\/app\.js"/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|style=|https?:/);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    for (const directive of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"])
      expect(policy).toContain(directive);
  });

  test.each(["/memory", "/worth", "/nothing/of/that", "/settings/a/b/c"])(
    "%s is the document for a browser, which says where it leads, and no route for a program",
    async (path) => {
      const response = await ask(path, { headers: { accept: "text/html,*/*" } });
      expect(await response.text()).toMatch(/src="\/page\/[\w-]{12}\/app\.js"/);
      expect(await outcome(ask(path))).toMatch(/^40[14] /);
    },
  );

  test.each(["/api", "/api/sessions", "/mcp", "/hook/x", "/page/none.js"])(
    "%s is no page for a browser either",
    async (path) => {
      const headers = { accept: "text/html" };
      expect(await outcome(ask(path, { headers }))).toMatch(/^40[145] /);
    },
  );

  test.each(["/", "/page/app.js", "/page/app.css", "/page/icon.svg", "/api/sessions"])(
    "%s is kept by nobody, sniffed by nobody, and tells nobody where it was",
    async (path) => {
      const { headers } = await ask(path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  test("a browser keeps the page's files by the address that this build gives them, and by no other", async () => {
    const kept = "private, max-age=31536000, immutable";
    const addresses = (await (await ask("/")).text()).match(/\/page\/[^"]+/g) ?? [];
    expect(addresses).toHaveLength(3);
    for (const address of addresses) {
      const { status, headers } = await ask(address);
      expect([status, headers.get("cache-control")]).toEqual([200, kept]);
      const other = await ask(address.replace(/[^/]+(?=\/[^/]+$)/, "earlier"));
      expect([other.status, other.headers.get("cache-control")]).toEqual([200, "no-store"]);
    }
  });

  test.each([
    ["/", "evil.example"],
    ["/page/app.js", "evil.example:4711"],
  ])("%s is not given to a page of %s", async (path, name) => {
    expect(await outcome(ask(path, { headers: { host: name } }))).toBe("403 access_refused");
  });

  test.each([
    "/page/../server.json",
    "/page/token",
    "/page/app.js/x",
    "/page/x/token",
    "/page/x/y/app.js",
    "/nothing",
  ])("%s is none of them", async (path) => {
    expect(await outcome(ask(path))).toMatch(/^40[14] /);
  });
});
