// Projects: what each is made of, what looks like one repository, and what a person decides about that.
import * as v from "valibot";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { ProjectDetailsSchema } from "../../runtime/hooks/hook-table.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { ProjectSchema } from "../../sdk/model.ts";
import type { ProjectCount } from "../../sdk/storage.ts";
import type { WithHooks } from "../memory/records.ts";
import { described, filled, get, optional, post } from "../operation.ts";

const some = v.pipe(v.array(filled), v.minLength(1, "is empty"), v.maxLength(100));
const Projects = v.object({ projects: v.array(ProjectDetailsSchema) });

/** A storage of somebody else's may count them alone. */
async function projectsIn({ hooks }: WithHooks) {
  const answer = await hooks.first("storage.projects", {});
  return whole(answer?.result ?? (await askStorage(hooks, "storage.stats", {})).projects);
}

function whole(projects: readonly ProjectCount[]) {
  return projects.map((one) => ({ ids: [one.id], folders: [], like: [], ...one }));
}

/** All of them. */
export const projectOperations = [
  get("/api/projects", {
    summary:
      "Projects, the last active first: the ids and folders of each, and what looks like it.",
    answer: Projects,
    run: async (_, { runtime }) => ({ projects: await projectsIn(runtime) }),
  }),
  post("/api/projects", {
    summary: "Join, split or rename projects, for what is stored and for what comes.",
    body: v.strictObject({
      ids: described(some, "By id or name; to split, a project's own ids and folders too."),
      into: optional(filled, "They belong to this project."),
      apart: optional(v.literal(true), "Each is a project of its own."),
      name: optional(
        v.pipe(v.string(), v.maxLength(200)),
        "What the project is called; empty gives back the name it had.",
      ),
    }),
    answer: Projects,
    run: async ({ body }, { runtime }) => ({
      projects: whole(await askStorage(runtime.hooks, "storage.projects", { change: body })),
    }),
  }),
];

/** It bears the name of whom it was made for; sync asks it too, so it stays where Endless Mode is switched off. */
export const folderOperations = [
  get("/api/endless/project", {
    summary: "The project that a folder belongs to.",
    query: v.strictObject({ cwd: filled }),
    answer: v.object({ project: ProjectSchema }),
    async run({ query }, { runtime }) {
      const project = await runtime.projectOf(query.cwd);
      if (project) return { project };
      throw new MemoirError("usage", "No plugin says to which project this folder belongs.", {
        fix: "Enable `capture-project`, or name a session, or ask for all of them.",
      });
    },
  }),
];
