// The session and the project that a person means: by the beginning of an id, by name, or by the folder.
import { MemoirError } from "../../sdk/errors.ts";
import type { Session } from "../../sdk/model.ts";
import { callServer } from "../server/client.ts";
import { projectOfFolder } from "./project-of-folder.ts";

/** The whole id of the session whose id begins so; what nothing is remembered of is taken at its word. */
export async function sessionMeant(given: string): Promise<string> {
  if (given === "") return given;
  try {
    const path = `/api/sessions/${encodeURIComponent(given)}`;
    const { session } = await callServer<{ session: Session }>(path);
    return session.id.startsWith(given) ? session.id : given;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "record_not_found") return given;
    throw error;
  }
}

/** The project's id, told by id or name; `.` is the folder's. What nothing is remembered of is taken at its word. */
export async function projectMeant(given: string, cwd: string): Promise<string> {
  if (given === ".") return (await projectOfFolder(cwd)).id;
  const { sessions } = await callServer<{ sessions: Session[] }>("/api/sessions", {
    query: { project: given, limit: 1 },
  });
  return sessions[0]?.project.id ?? given;
}
