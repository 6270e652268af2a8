// A project that nobody knows, told from one of which nothing fits.
import { unknownProject } from "../../runtime/config/problems.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import type { Asked } from "./records.ts";

/** What to say of a project that storage has nothing of; undefined where it is known, or none was named. */
export async function unknownHere(
  runtime: Asked,
  project: string | undefined,
): Promise<string | undefined> {
  if (project === undefined || project === "") return undefined;
  const { projects } = await askStorage(runtime.hooks, "storage.stats", {});
  return unknownProject(project, projects);
}
