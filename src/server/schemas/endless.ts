// What may be asked about Endless Mode, and the answers: what was taken out, the books, a folder's project.
import * as v from "valibot";
import type { EndlessMetrics } from "../../runtime/endless/metrics.ts";
import type { Kept } from "../../sdk/endless.ts";
import { ProjectSchema } from "../../sdk/model.ts";
import type { RecalledPage } from "../memory/recall-page.ts";
import { describes, filled, limit, text, time } from "./parts.ts";

const toolParts = ["input", "output"] as const;
/** How a page of what was taken out is asked for, with what a model is told of it. */
const recallFields = {
  part: v.pipe(v.picklist(toolParts), v.description("Default: what was left out.")),
  lines: v.pipe(text, v.description("Only these lines: `120-180`.")),
  grep: v.pipe(
    text,
    v.description("Only lines that match this regular expression, with their numbers."),
  ),
};

/** `GET /api/recall/:id`. */
export const RecallParams = v.strictObject({
  part: v.exactOptional(recallFields.part),
  lines: v.exactOptional(recallFields.lines),
  grep: v.exactOptional(recallFields.grep),
  page: v.exactOptional(limit(999_999)),
});
/** A page of it. */
export const RecallAnswer = v.object({
  recalled: describes<RecalledPage>()(
    v.object({
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
      bounded: v.exactOptional(v.string()),
      more: v.exactOptional(v.string()),
    }),
  ),
});

/** `GET /api/recall/:id/value`. */
export const RecallValueParams = v.strictObject({ part: v.exactOptional(recallFields.part) });
/** The value as it was. */
export const RecallValueAnswer = v.object({
  kept: describes<Kept>()(
    v.object({
      session: v.string(),
      toolUseId: v.string(),
      tool: v.string(),
      part: v.picklist(toolParts),
      value: v.unknown(),
      keptAt: v.number(),
    }),
  ),
});

/** `GET /api/endless/metrics`; `since` defaults to the beginning. */
export const MetricsParams = v.strictObject({
  since: v.exactOptional(time),
  project: v.exactOptional(text),
  session: v.exactOptional(text),
});

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

/** The books as a report. */
export const MetricsAnswer = describes<EndlessMetrics>()(
  v.object({
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
);

/** `GET /api/endless/project`. */
export const ProjectParams = v.strictObject({ cwd: filled });
/** The project that a folder belongs to. */
export const ProjectAnswer = v.object({ project: ProjectSchema });
