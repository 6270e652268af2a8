// The session and the project that a person means: by the beginning of an id, by name, or by the folder.
import { MemoirError } from "../../sdk/errors.ts";
import type { Project } from "../../sdk/model.ts";
import { cut } from "../../text/text.ts";
import { server } from "../server/client.ts";

/** The whole id of the session whose id begins so; what nothing is remembered of is taken at its word. */
export async function sessionMeant(given: string): Promise<string> {
  return (await findSession(given)) ?? given;
}

const wholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The session that is to be switched: remembered, in `switched` already, or named by its whole id. Throws
 * `record_not_found` else: a slip of the hand would look like success.
 */
export async function sessionToSwitch(given: string, switched: readonly string[]): Promise<string> {
  const before = given === "" ? [] : switched.filter((id) => id.startsWith(given));
  const [only] = before.length === 1 ? before : [];
  const meant = only ?? (await findSession(given));
  if (meant !== undefined) return meant;
  if (wholeId.test(given)) return given;
  throw new MemoirError("record_not_found", `There is no session "${cut(given, 60)}".`, {
    fix: "`memoir sessions` lists them; name a session that memory doesn't have by its whole id.",
  });
}

async function findSession(given: string): Promise<string | undefined> {
  if (given === "") return undefined;
  try {
    const { session } = await server.get("/api/sessions/:id", { params: { id: given } });
    return session.id.startsWith(given) ? session.id : undefined;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "record_not_found") return undefined;
    throw error;
  }
}

/** The project's id, by id or name; `.` is the folder's. What nothing is remembered of is taken at its word. */
export async function projectMeant(given: string, cwd: string): Promise<string> {
  if (given === ".") return (await projectOfFolder(cwd)).id;
  const { sessions } = await server.get("/api/sessions", {
    query: { project: given, limit: 1 },
  });
  return sessions[0]?.project.id ?? given;
}

/** To which project a folder belongs, as the capture plugins in force see it: asks the server, which is started when it is away. */
export async function projectOfFolder(cwd: string): Promise<Project> {
  return (await server.get("/api/endless/project", { query: { cwd } })).project;
}
