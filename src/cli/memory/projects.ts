// `memoir memory projects`: lists projects and what looks like one; joins, splits and renames them.
import type { ProjectChange } from "../../sdk/storage.ts";
import type { AnswerOf, RoutesOf } from "../../server/route-types.ts";
import { plural } from "../../text/text.ts";
import { server } from "../server/client.ts";
import { columns, dateTime, printable } from "../terminal/layout.ts";
import { answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Projects = AnswerOf<RoutesOf<"get">["/api/projects"]>["projects"];

interface Options {
  json?: boolean;
}

/** `memoir memory projects list`. */
export async function listProjects(options: Options, terminal: Terminal): Promise<number> {
  return shown(await server.get("/api/projects"), options, terminal);
}

/** `memoir memory projects join`. Throws `record_not_found` for a project that nobody knows, as the others do. */
export function join(into: string, ids: string[], options: Options, terminal: Terminal) {
  return changed({ ids, into }, options, terminal);
}

/** `memoir memory projects split`. */
export function split(ids: string[], options: Options, terminal: Terminal): Promise<number> {
  return changed({ ids, apart: true }, options, terminal);
}

/** `memoir memory projects rename`. */
export function rename(id: string, name: string, options: Options, terminal: Terminal) {
  return changed({ ids: [id], name }, options, terminal);
}

async function changed(body: ProjectChange, options: Options, terminal: Terminal) {
  return shown(await server.post("/api/projects", { body }), options, terminal);
}

function shown(found: { projects: Projects }, options: Options, terminal: Terminal) {
  return answer(terminal, options, found, () => projectLines(printable(found.projects), terminal));
}

function projectLines(all: Projects, { colors, width }: Terminal): string[] {
  if (all.length === 0) return ["Nothing is stored yet."];
  const rows = all.map(({ id, name, sessions, lastActiveAt }) => [
    colors.bold(name),
    plural(sessions, "session"),
    lastActiveAt > 0 ? dateTime(lastActiveAt) : "",
    colors.dim(id),
  ]);
  const parts = all.flatMap(({ name, ids, id, folders }) => {
    const others = [...new Set([...ids, ...folders])].filter((one) => one !== id);
    return others.length > 0 ? [`${name} includes ${others.join(", ")}`] : [];
  });
  const alike = Map.groupBy(
    all.flatMap(({ id, like }) => like.map((one) => ({ ...one, of: id }))),
    ({ id }) => id,
  );
  const suggested = [...alike].flatMap(([into, ones]) => [
    "",
    `${plural(ones.length + 1, "project")} may be one repository. To join: memoir memory projects join ${[into, ...ones.map(({ of }) => of)].map(quoted).join(" ")}`,
    ...ones.map(({ of, why }) => colors.dim(`  ${of}: ${why}`)),
  ]);
  return [...columns(rows, width), ...(parts.length > 0 ? ["", ...parts] : []), ...suggested];
}

function quoted(name: string): string {
  return /^[\w./:@~-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
