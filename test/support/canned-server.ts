// A server that gives prepared answers at a home's socket, for tests of what commands ask and show.
import { mkdir } from "node:fs/promises";
import { memoirPaths } from "../../src/home/paths.ts";
import { loadHost } from "../../src/host/index.ts";
import { serverHeader } from "../../src/server/endpoint.ts";

/** What a command asked. */
export interface AskedRoute {
  method: string;
  path: string;
  query: Record<string, string>;
  body?: unknown;
}

/** Answers by path (`/api/records/o7`), or by what is asked; a path without one is a 404 that says there is no such record. */
export type CannedAnswers = Record<string, object | ((asked: AskedRoute) => object)>;

/** Listens until `stop`; `asked` is every question so far. */
export async function cannedServer(
  home: string,
  answers: CannedAnswers,
): Promise<{ asked: AskedRoute[]; stop(): Promise<void> }> {
  const asked: AskedRoute[] = [];
  const paths = memoirPaths(home);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const host = await loadHost();
  const listener = await host.listen({ unix: paths.socket }, async (request) => {
    const { pathname: path, searchParams } = new URL(request.url);
    const text = await request.text();
    const one: AskedRoute = {
      ...{ method: request.method, path, query: Object.fromEntries(searchParams) },
      ...(text !== "" && { body: JSON.parse(text) }),
    };
    asked.push(one);
    const answer = answers[path];
    const error = { code: "record_not_found", message: `There is no ${path}.`, fix: "Look." };
    return Response.json(
      answer === undefined ? { error } : typeof answer === "function" ? answer(one) : answer,
      { status: answer === undefined ? 404 : 200, headers: { [serverHeader]: "1" } },
    );
  });
  return { asked, stop: () => listener.stop(0) };
}
