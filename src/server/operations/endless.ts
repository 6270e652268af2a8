// What Endless Mode took out of a conversation, its books, and the project that a folder belongs to.
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import { ProjectSchema } from "../../sdk/model.ts";
import { asked, toolParts } from "../inputs.ts";
import { recallPage } from "../memory/recall-page.ts";
import { filled, get, IdParams, optional, queryOf } from "../operation.ts";

const turns = v.object({
  turns: v.number(),
  input: v.number(),
  output: v.number(),
  cacheRead: v.number(),
  cacheWrite: v.number(),
});
const usage = v.object({ sessions: v.number(), before: turns, after: turns });
const compared = v.object({
  treated: v.nullable(v.number()),
  heldOut: v.nullable(v.number()),
});

/** Recall by the page or as the value it was, metrics, and the project of a folder. */
export const endlessOperations = [
  get("/api/recall/:id", {
    summary: `${asked.recall.does}, a page at a time.`,
    params: IdParams,
    query: v.strictObject(queryOf(asked.recall.takes)),
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
    query: v.strictObject(queryOf({ part: asked.recall.takes.part })),
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
    summary: `${asked.metrics.does}.`,
    /** `since` defaults to the beginning. */
    query: v.strictObject(queryOf(asked.metrics.takes)),
    answer: v.object({
      since: v.number(),
      byDay: v.array(
        v.object({
          key: v.string(),
          reduced: v.number(),
          tokensOut: v.number(),
          fetchedBack: v.number(),
          tokensBack: v.number(),
        }),
      ),
      tools: v.array(
        v.object({
          strategy: v.string(),
          tool: v.string(),
          kind: v.string(),
          reduced: v.number(),
          characters: v.number(),
          charactersOut: v.number(),
          tokensOut: v.number(),
          fetchedBack: v.number(),
          charactersBack: v.number(),
          tokensBack: v.number(),
          judged: v.boolean(),
          profits: v.boolean(),
          why: v.string(),
        }),
      ),
      notes: v.array(
        v.object({
          strategy: v.string(),
          kind: v.picklist([
            "kept",
            "recalled",
            "injected",
            "waited",
            "timed-out",
            "rewrote",
            "retired",
            "reread",
            "declined",
            "ran",
          ]),
          reason: v.string(),
          count: v.number(),
          characters: v.number(),
          tokens: v.number(),
          ms: v.number(),
          longestMs: v.number(),
        }),
      ),
      treated: usage,
      heldOut: usage,
      comparison: v.object({
        enough: v.boolean(),
        words: v.string(),
        contextOfTurn: compared,
        cacheWriteOfTurn: compared,
      }),
    }),
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
