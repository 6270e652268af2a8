// What Endless Mode took out of a conversation, its books, and the project that a folder belongs to.
import * as v from "valibot";
import { EndlessMetricsSchema } from "../../runtime/endless/metrics.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { ProjectSchema } from "../../sdk/model.ts";
import { operationInputs, toolParts } from "../inputs.ts";
import { recallPage } from "../memory/recall-page.ts";
import { filled, get, IdParams, optional, queryOf } from "../operation.ts";

/** Recall by the page or as the value it was, metrics, and the project of a folder. */
export const endlessOperations = [
  get("/api/recall/:id", {
    summary: `${operationInputs.recall.does}, a page at a time.`,
    params: IdParams,
    query: v.strictObject(queryOf(operationInputs.recall.takes)),
    answer: v.object({
      recalled: v.object({
        id: v.string(),
        part: v.picklist(toolParts),
        tool: v.string(),
        session: v.string(),
        keptAt: v.number(),
        parts: v.array(v.picklist(toolParts)),
        command: v.string(),
        text: v.string(),
        page: v.number(),
        pages: v.number(),
        characters: v.number(),
        bounded: optional(v.string()),
        more: optional(v.string()),
      }),
    }),
    run: async ({ params, query }, { runtime }) => ({
      recalled: await recallPage(runtime, { ...params, ...query }),
    }),
  }),
  get("/api/recall/:id/value", {
    summary: "What was left out, as the value it was.",
    params: IdParams,
    query: v.strictObject(queryOf({ part: operationInputs.recall.takes.part })),
    answer: v.object({
      kept: v.object({
        session: v.string(),
        toolUseId: v.string(),
        tool: v.string(),
        part: v.picklist(toolParts),
        value: v.unknown(),
        keptAt: v.number(),
      }),
    }),
    run: async ({ params, query }, { runtime }) => ({
      kept: await runtime.endless.recallValue({ ...params, ...query }),
    }),
  }),
  get("/api/endless/metrics", {
    summary: `${operationInputs.metrics.does}.`,
    /** `since` defaults to the beginning. */
    query: v.strictObject(queryOf(operationInputs.metrics.takes)),
    answer: EndlessMetricsSchema,
    run: ({ query }, { runtime }) => runtime.endless.metrics({ since: 0, ...query }),
  }),
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
