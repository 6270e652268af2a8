// The page in a browser: the code that `memoir open` asks for, and the session that a browser gets for it.
import * as v from "valibot";
import { pageCookie, pageSessionMs, portOf } from "../auth/page-sessions.ts";
import { post } from "../http/operation.ts";
import { described, NoBody } from "../schemas/parts.ts";

/** The code and what it is traded for. */
export const pageOperations = [
  post("/api/page/code", {
    summary: "An address that opens the page once, within a minute.",
    body: NoBody,
    answer: v.object({
      address: described(v.string(), "Opens the page once, within a minute."),
    }),
    async run(_, { page, serverStatus }) {
      const { port } = await serverStatus();
      // Behind the hash: a browser sends that to nobody.
      return { address: `http://127.0.0.1:${port}/#${page.code()}` };
    },
  }),
  post("/api/page/session", {
    summary: "Trade the code for a session of the page.",
    body: v.strictObject({
      code: v.pipe(v.string(), v.regex(/^[\w-]{43}$/, "is no code of `memoir open`")),
    }),
    /** The session's other half; its first is the cookie. */
    answer: v.object({
      key: described(v.string(), "Goes along with each request, as `memoir-page-key`."),
    }),
    run({ body }, { page, request, headers }) {
      const { secret, key } = page.trade(body.code);
      const name = pageCookie(portOf(request.headers));
      const age = pageSessionMs / 1_000;
      headers["set-cookie"] =
        `${name}=${secret}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${age}`;
      return { key };
    },
  }),
];
