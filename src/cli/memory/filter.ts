// The options that search, sessions and timeline share, as the server's query parameters; the words that repeat them, and what is said of a slip in them.

import process from "node:process";
import type { OwnInput } from "../../features/feature.ts";
import { memory, recordKinds } from "../../features/memory.ts";
import { nearest, unknownProject } from "../../runtime/config/problems.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { observationTypes } from "../../sdk/model.ts";
import type { Inputs, ValueOf } from "../../sdk/operation.ts";
import { projectAround } from "../../text/paths.ts";
import { timeIn } from "../../text/time-of.ts";
import { attributeOf } from "../commands/declared.ts";
import { server } from "../server/client.ts";
import { dateTime } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What an operation is asked, out of a command's options: dates in epoch ms, `.` as the id of this folder's project. */
export async function inputsFrom<const Of extends Inputs>(
  takes: Of,
  options: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<TypedInputs<Of>> {
  const found: Record<string, unknown> = {};
  for (const [name, { typed, is }] of Object.entries(takes)) {
    const option = attributeOf(typed ?? "");
    const value = options[option];
    if (value === undefined) continue;
    found[name] = is === "time" ? timeIn(String(value), terminal.now(), `--${option}`) : value;
  }
  if (found.project === ".") found.project = await projectHere(terminal.cwd);
  return found as TypedInputs<Of>;
}

/** What of an operation's inputs can be typed. */
type TypedInputs<Of> = {
  [Name in keyof Of as Of[Name] extends { typed: string } ? Name : never]?: ValueOf<Of[Name]>;
};

/** `in project shop, since 2026-11-20 00:00`; empty when nothing narrows the question. */
export function filterWords(query: Readonly<Record<string, unknown>>): string {
  const all: Array<[name: string, of: OwnInput]> = Object.entries(memory.search.takes);
  return all
    .toSorted(([, a], [, b]) => Number(a.is === "time") - Number(b.is === "time"))
    .flatMap(([name, { narrows, is }]) => {
      const value = query[name];
      if (value === undefined || narrows === undefined) return [];
      if (name === "kinds") return `${narrows} ${String(value).split(",").map(many).join(", ")}`;
      return `${narrows} ${is === "time" ? dateTime(Number(value)) : value}`;
    })
    .join(", ");
}

/** `memory items`, `summaries`, `turns`. */
function many(kind: string): string {
  if (kind === "memory") return "memory items";
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** What narrows a question by a name that may be misspelt; concepts, files and times are anybody's own words. */
type Named = {
  [Name in "project" | "session" | "type" | "client" | "person"]?: string | undefined;
};

/**
 * Of a question that found nothing: throws `usage` where it asked for what memory does not have and memoir does not know. That
 * this folder's project is not in memory yet is no slip: that is a line to say.
 */
export async function refuseUnknown(filter: Named, terminal: Terminal): Promise<string[]> {
  const { project, session, type, client, person } = filter;
  if (project === terminal.cwd) return [`No session of ${project} is in memory yet.`];
  if (project !== undefined) await refuseProject(project);
  if (session !== undefined && !(await isInMemory({ session })))
    throw new MemoirError("usage", `No session's id begins with ${session}.`, {
      fix: "`memoir sessions` lists them.",
    });
  if (type !== undefined && !(await isInMemory({ type })))
    refuseWord("type", type, [...observationTypes, ...recordKinds]);
  if (client !== undefined && !(await isInMemory({ client }))) {
    const { everyClient } = await import("../setup/clients.ts");
    refuseWord(
      "client",
      client,
      (await everyClient(terminal)).map(({ name }) => name),
    );
  }
  if (person !== undefined && person !== "me" && !(await isInMemory({ person })))
    throw new MemoirError("usage", `Nothing in memory is by ${person}.`, {
      fix: "`--by me` is you; `memoir sync members` lists the others and their machines.",
    });
  return [];
}

async function isInMemory(filter: Named): Promise<boolean> {
  const { results } = await server.get("/api/search", { query: { ...filter, text: "", limit: 1 } });
  return results.length > 0;
}

const mostListed = 8;

async function refuseProject(project: string): Promise<void> {
  const { storage } = await server.get("/api/status", {});
  const unknown = "error" in storage ? undefined : unknownProject(project, storage.projects);
  if (unknown === undefined || "error" in storage) return;
  const names = storage.projects.slice(0, mostListed).map(({ name }) => name);
  throw new MemoirError("usage", unknown, {
    fix:
      names.length === 0
        ? "Memory is empty: `memoir status` says whether anything is captured."
        : `There is ${names.join(", ")}; \`memoir memory projects\` lists them all.`,
  });
}

/** Throws `usage` for a word that is not among those that memoir knows. */
function refuseWord(option: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  const near = nearest(given, known);
  throw new MemoirError("usage", `Nothing in memory is of ${option} ${given}.`, {
    fix: near ? `Did you mean --${option} ${near}?` : `There is ${known.join(", ")}.`,
  });
}

/** The project whose root holds `cwd`, as past sessions tell it; the folder itself where there was none. */
async function projectHere(cwd: string): Promise<string> {
  const { sessions } = await server.get("/api/sessions", {
    query: { limit: 500 },
  });
  const projects = sessions.map(({ project }) => project);
  return projectAround(projects, cwd)?.id ?? cwd;
}

/** Of a home that begins with an invitation in its environment: what is searched may not be here yet. */
export async function stillJoining(): Promise<string[]> {
  if (!process.env.MEMOIR_SYNC?.trim()) return [];
  const { spaces, lastAt, trouble } = await server.get("/api/sync");
  if (spaces.length > 0 && lastAt !== null) return [];
  return [
    trouble ?? "This home is still joining the space of MEMOIR_SYNC.",
    "`memoir sync now` waits until what is shared is here.",
  ];
}
