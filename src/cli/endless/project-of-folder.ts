// To which project a folder belongs, as the capture plugins in force see it.
import type { Project } from "../../sdk/model.ts";
import { server } from "../server/client.ts";

/** Asks the server, which is started when it is away. */
export async function projectOfFolder(cwd: string): Promise<Project> {
  const { project } = await server.get("/api/endless/project", {
    query: { cwd },
  });
  return project;
}
