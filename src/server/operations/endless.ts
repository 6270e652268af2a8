// What Endless Mode took out of a conversation, and its books.
import * as v from "valibot";
import { endless } from "../../features/endless.ts";
import { EndlessMetricsSchema } from "../../runtime/endless/metrics.ts";
import { RecalledSchema } from "../../runtime/endless/recall.ts";
import { toolParts } from "../inputs.ts";
import { recallPage } from "../memory/recall-page.ts";
import { get, IdParams, ofFeature, queryOf } from "../operation.ts";

const { recall, metrics, "recall-value": recallValue } = endless.operations;

/** Recall by the page or as the value it was, and metrics. */
export const endlessOperations = ofFeature(endless, {
  recall: get("/api/recall/:id", {
    summary: `${recall.does}, a page at a time.`,
    params: IdParams,
    query: v.strictObject(queryOf(recall.takes)),
    answer: v.object({
      recalled: v.object({ ...RecalledSchema.entries, more: v.exactOptional(v.string()) }),
    }),
    run: async ({ params, query }, { runtime }) => ({
      recalled: await recallPage(runtime, { ...params, ...query }),
    }),
  }),
  "recall-value": get("/api/recall/:id/value", {
    summary: `${recallValue.does}.`,
    params: IdParams,
    query: v.strictObject(queryOf({ part: recall.takes.part })),
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
  metrics: get("/api/endless/metrics", {
    summary: `${metrics.does}.`,
    /** `since` defaults to the beginning. */
    query: v.strictObject(queryOf(metrics.takes)),
    answer: EndlessMetricsSchema,
    run: ({ query }, { runtime }) => runtime.endless.metrics({ since: 0, ...query }),
  }),
});
