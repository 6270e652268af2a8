// What memory may be asked and what it answers: search, records, sessions, timelines.
import * as v from "valibot";
import { memoryKinds } from "../../sdk/model.ts";
import { searchLevels } from "../../sdk/storage.ts";
import type { Hit } from "../memory/ask-search.ts";
import type { Related } from "../memory/related/ask-related.ts";
import { signKinds } from "../memory/related/weigh-signs.ts";
import type { SessionTold } from "../memory/session-told.ts";
import {
  describes,
  filled,
  limit,
  listOf,
  marks,
  recordKinds,
  someIds,
  text,
  time,
  whole,
} from "./parts.ts";
import {
  ObservationSchema,
  PromptSchema,
  SessionSchema,
  SourceSchema,
  StoredItemSchema,
  StoredRecordSchema,
  SummarySchema,
  TimelineItemSchema,
  TurnSchema,
} from "./records.ts";

/** What narrows a search or a list, with what a model is told of it. */
export const filter = {
  project: v.pipe(text, v.description("Only this project (its name or id).")),
  session: v.pipe(text, v.description("Only this session (its id or the beginning of it).")),
  type: v.pipe(
    text,
    v.description("Only this type: decision, bugfix, feature, refactor, discovery."),
  ),
  client: v.pipe(text, v.description("Only sessions of this client: claude-code, qwen, …")),
  concept: v.pipe(text, v.description("Only observations with this concept.")),
  file: v.pipe(text, v.description("Only records about this file (its path or the end of it).")),
};
/** At most so many phrasings beside the question. */
const mostPhrasings = 8;
const alsoSaid = "The same question in other words, names, file or error text";
/** Other phrasings of one question, as a list. */
const phrasings = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(10_000, "has more than 10000 characters"))),
  v.maxLength(mostPhrasings, `holds more than ${mostPhrasings} phrasings`),
  v.description(`${alsoSaid}; all of it is one search. Two or three find what one misses.`),
);
/** Words to look for. */
const searchText = v.pipe(
  v.string(),
  v.maxLength(10_000, "has more than 10000 characters"),
  v.description("Words to look for; empty gives the newest records."),
);

const page = { limit: v.exactOptional(limit(500)), offset: v.exactOptional(whole) };
const times = { since: v.exactOptional(time), until: v.exactOptional(time) };

/** `GET /api/search`: every field of SearchQuery. */
export const SearchParams = v.strictObject({
  text: v.exactOptional(searchText),
  project: v.exactOptional(filter.project),
  session: v.exactOptional(filter.session),
  type: v.exactOptional(filter.type),
  concept: v.exactOptional(filter.concept),
  file: v.exactOptional(filter.file),
  ...times,
  client: v.exactOptional(filter.client),
  asking: v.exactOptional(
    v.pipe(text, v.description("The session that asks: what it was asked last is no answer.")),
  ),
  cwd: v.exactOptional(
    v.pipe(text, v.description("The folder that asks: its repository's tags may name a time.")),
  ),
  kinds: v.exactOptional(listOf(recordKinds)),
  level: v.exactOptional(v.picklist(searchLevels)),
  also: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(`Comma-separated: ${alsoSaid.toLowerCase()}.`),
      v.transform((list) => list.split(",").filter((words) => words.trim() !== "")),
      phrasings,
    ),
  ),
  by: v.exactOptional(v.picklist(["session", "record", "passage"])),
  explain: v.exactOptional(
    v.pipe(
      v.picklist(["true", "false"]),
      v.transform((value) => value === "true"),
    ),
  ),
  limit: v.exactOptional(limit(200)),
  offset: v.exactOptional(whole),
});
/** What a search answers, best first. */
export const SearchAnswer = v.object({
  results: v.array(
    describes<Hit>()(
      v.object({
        id: v.string(),
        kind: v.picklist(recordKinds),
        by: v.exactOptional(
          v.pipe(
            v.string(),
            v.description(
              "Who it is by, in a few words; of a turn, who said the passage that was found. A session has none.",
            ),
          ),
        ),
        session: v.string(),
        project: v.string(),
        type: v.string(),
        title: v.string(),
        subtitle: v.string(),
        score: v.number(),
        createdAt: v.number(),
        promptNumber: v.number(),
        facts: v.array(v.string()),
        files: v.array(v.string()),
        corrected: v.exactOptional(v.record(v.string(), v.string())),
        supersededBy: v.exactOptional(v.string()),
        readTokens: v.number(),
        excerpt: v.exactOptional(v.string()),
        piece: v.exactOptional(v.number()),
        why: v.exactOptional(
          v.object({
            words: v.array(v.object({ word: v.string(), adds: v.number() })),
            field: v.string(),
            session: v.number(),
            documentRank: v.number(),
            likeness: v.exactOptional(v.number()),
          }),
        ),
        marks: v.exactOptional(v.array(v.picklist(marks))),
      }),
    ),
  ),
});

/** `GET /api/related/:id`. */
export const RelatedParams = v.strictObject({
  project: v.exactOptional(filter.project),
  ...times,
  client: v.exactOptional(filter.client),
  kinds: v.exactOptional(listOf(recordKinds)),
  limit: v.exactOptional(limit(200)),
});
/** What belongs to a record, best first. */
export const RelatedAnswer = v.object({
  related: v.array(
    describes<Related>()(
      v.object({
        id: v.string(),
        kind: v.picklist(recordKinds),
        session: v.string(),
        project: v.string(),
        title: v.string(),
        createdAt: v.number(),
        score: v.number(),
        because: v.array(v.object({ kind: v.picklist(signKinds), what: v.string() })),
        supersededBy: v.exactOptional(v.string()),
      }),
    ),
  ),
});

/** A moment in epoch ms, as JSON holds it. */
const moment = v.pipe(v.number(), v.minValue(0), v.description("Epoch ms."));

/** `POST /api/forget`: what all of the fields say; ids as search gives them. */
export const ForgetBody = v.strictObject({
  ids: v.exactOptional(someIds),
  session: v.exactOptional(v.pipe(filled, v.description("This session, or the beginning of it."))),
  project: v.exactOptional(v.pipe(filled, v.description("This project (its name or id)."))),
  file: v.exactOptional(v.pipe(filled, v.description("What touched this file."))),
  query: v.exactOptional(
    v.pipe(filled, v.description("What a search finds; says what there is to choose ids among.")),
  ),
  since: v.exactOptional(moment),
  until: v.exactOptional(moment),
  dryRun: v.exactOptional(v.pipe(v.boolean(), v.description("Only say what would go."))),
  derived: v.exactOptional(
    v.pipe(v.boolean(), v.description("What was derived from it goes too.")),
  ),
  backups: v.exactOptional(
    v.pipe(v.boolean(), v.description("Backups and damaged files that hold it go too.")),
  ),
});
/**
 * What goes, a line each, and its ids; the ids of all that went, and of what was derived from it and stays; and the copies in the home
 * that still hold it.
 */
export const ForgetAnswer = v.object({
  going: v.array(v.string()),
  ids: v.array(v.string()),
  deleted: v.array(v.string()),
  derived: v.array(v.string()),
  copies: v.array(v.string()),
});

/** `GET /api/sessions`. */
export const SessionsParams = v.strictObject({
  project: v.exactOptional(filter.project),
  client: v.exactOptional(filter.client),
  ...times,
  ...page,
  order: v.exactOptional(v.picklist(["newest", "oldest"])),
});
/** Sessions, newest first unless asked otherwise. */
export const SessionsAnswer = v.object({ sessions: v.array(SessionSchema) });
/** `GET /api/sessions/:id`. */
export const SessionParams = v.strictObject({
  since: v.exactOptional(
    v.pipe(v.string(), v.description("Epoch ms: `next` of the answer before."), time),
  ),
});
/** `GET /api/sessions/:id/told`. */
export const SessionToldAnswer = describes<SessionTold>()(
  v.object({
    told: v.array(
      v.object({
        session: v.string(),
        client: v.string(),
        event: v.string(),
        time: v.number(),
        tokens: v.number(),
        records: v.array(v.string()),
      }),
    ),
    records: v.array(SourceSchema),
    takenOut: v.array(
      v.object({
        toolUseId: v.string(),
        tool: v.string(),
        part: v.picklist(["input", "output"]),
        keptAt: v.number(),
        characters: v.number(),
      }),
    ),
  }),
);
/** `GET /api/sessions/:id`: one of them with what is in it; `next`, where there is more, is where it goes on. */
export const SessionAnswer = v.object({
  next: v.exactOptional(v.number()),
  session: SessionSchema,
  prompts: v.array(PromptSchema),
  summaries: v.array(SummarySchema),
  observations: v.array(ObservationSchema),
  turns: v.array(TurnSchema),
});

/** `GET /api/memory`. */
export const ItemsParams = v.strictObject({
  project: v.exactOptional(filter.project),
  kinds: v.exactOptional(listOf(memoryKinds)),
  marked: v.exactOptional(v.picklist(marks)),
  hidden: v.exactOptional(
    v.pipe(
      v.literal("false"),
      v.description("Nothing that the user hid."),
      v.transform(() => false),
    ),
  ),
  ...page,
});
/** Memory items, newest first, and who each is by. */
export const ItemsAnswer = v.object({
  items: v.array(v.intersect([StoredItemSchema, v.object({ by: v.string() })])),
});

/** `GET /api/timeline`. */
export const TimelineParams = v.strictObject({
  project: v.exactOptional(filter.project),
  session: v.exactOptional(filter.session),
  client: v.exactOptional(filter.client),
  around: v.exactOptional(
    v.pipe(text, v.description("A record's id, in whose neighbourhood the answer lies.")),
  ),
  ...times,
  limit: v.exactOptional(limit(500)),
});
/** Entries, oldest first, and the record that was asked around. */
export const TimelineAnswer = v.object({
  items: v.array(TimelineItemSchema),
  around: v.exactOptional(StoredRecordSchema),
});
