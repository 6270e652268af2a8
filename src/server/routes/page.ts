// The page in a browser: the code that `memoir open` asks for, and the session that a browser gets for it.
import { type PageSessions, pageCookie, pageSessionMs, portOf } from "../auth/page-sessions.ts";
import { routesBelow } from "../http/edge.ts";
import { answer, body } from "../http/schema.ts";
import { PageCodeAnswer, PageSessionAnswer, PageSessionBody } from "../schemas/page.ts";
import { NoBody } from "../schemas/parts.ts";
import type { ServerPart } from "../schemas/status.ts";

export interface PageRoutesOptions {
  page: PageSessions;
  serverStatus(): Promise<ServerPart>;
}

/** The code and what it is traded for. */
export function pageRoutes({ page, serverStatus }: PageRoutesOptions) {
  return routesBelow("/api/page")
    .post(
      "/code",
      async () => {
        const { port } = await serverStatus();
        // Behind the hash: a browser sends that to nobody.
        return { address: `http://127.0.0.1:${port}/#${page.code()}` };
      },
      {
        body: body(NoBody),
        response: answer(PageCodeAnswer),
        detail: { summary: "An address that opens the page once, within a minute." },
      },
    )
    .post(
      "/session",
      ({ body, request, set }) => {
        const { secret, key } = page.trade(body.code);
        const name = pageCookie(portOf(request.headers));
        const age = pageSessionMs / 1_000;
        set.headers["set-cookie"] =
          `${name}=${secret}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${age}`;
        return { key };
      },
      {
        body: body(PageSessionBody),
        response: answer(PageSessionAnswer),
        detail: { summary: "Trade the code for a session of the page." },
      },
    );
}
