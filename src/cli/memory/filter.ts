// The options that search, sessions and timeline share, as the server's query parameters; and the words that repeat them.

import process from "node:process";
import { unknownProject } from "../../runtime/config/problems.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Inputs, ValueOf } from "../../sdk/operation.ts";
import { pathBelow } from "../../text/paths.ts";
import { timeIn } from "../../text/time-of.ts";
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
    const [, option = ""] = /--([\w-]+)/.exec(typed ?? "") ?? [];
    const value = options[option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
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
  return Object.entries(prepositions)
    .flatMap(([name, word]) => {
      const value = query[name];
      if (value === undefined) return [];
      if (name === "kinds") return `${word} ${String(value).split(",").map(many).join(", ")}`;
      return `${word} ${typeof value === "number" ? dateTime(value) : value}`;
    })
    .join(", ");
}

const prepositions = {
  project: "in project",
  session: "in session",
  type: "of type",
  concept: "with concept",
  file: "on file",
  client: "of client",
  person: "by",
  level: "at level",
  kinds: "among",
  since: "since",
  until: "before",
};

/** `memory items`, `summaries`, `turns`. */
function many(kind: string): string {
  if (kind === "memory") return "memory items";
  return kind.endsWith("y") ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** A line where nothing was found because there is no such project, else none. */
export async function noSuchProject(project: string | undefined): Promise<string[]> {
  if (project === undefined) return [];
  const { storage } = await server.get("/api/status", {});
  return "error" in storage ? [] : [unknownProject(project, storage.projects) ?? []].flat();
}

/** The project whose root holds `cwd`, as past sessions tell it. Throws `record_not_found` when there was none. */
async function projectHere(cwd: string): Promise<string> {
  const { sessions } = await server.get("/api/sessions", {
    query: { limit: 500 },
  });
  const [innermost] = sessions
    .map(({ project }) => project)
    .filter(({ root }) => pathBelow(root, cwd) !== undefined)
    .sort((a, b) => b.root.length - a.root.length);
  if (innermost) return innermost.id;
  throw new MemoirError("record_not_found", `No session is in memory for ${cwd} yet.`, {
    fix: "Name a project that `memoir sessions` shows, or leave `--project` out.",
  });
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
