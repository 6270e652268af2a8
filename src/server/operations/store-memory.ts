// What an agent with a shell tells memory about its own session: refused with the rule that was broken, redacted, bound to the session, stored at once.
import { createHash } from "node:crypto";
import * as v from "valibot";
import { scrubDeep } from "../../privacy/redact.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import {
  type NewObservation,
  type NewSummary,
  NewSummarySchema,
  observationTypes,
  type Project,
  type SessionUpdate,
} from "../../sdk/model.ts";
import {
  factLength,
  mostFacts,
  observationLimits,
  sessionTitleLimits,
} from "../../strategy/draft-observation.ts";
import { calledSo } from "../../text/paths.ts";
import { startsDangling } from "../../text/prose/plain.ts";
import { baseName } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { filledText, line, optional, post, trimmedText } from "../operation.ts";

const { min, max } = factLength;
const fact = v.pipe(
  trimmedText(2_000),
  v.check(
    (value) => value.length >= min && value.length <= max,
    ({ input }) => `must have ${min} to ${max} characters, but has ${input.length}`,
  ),
  v.check(
    (value) => !startsDangling(value),
    "begins with a word that points at something said elsewhere: name what it is about",
  ),
);

/** Where it belongs; `root` is the folder that an unknown project is taken to lie in. */
const place = { project: filledText(400), session: filledText(200), root: filledText(4_096) };

const StoreMemoryBody = v.strictObject({
  ...place,
  title: line(observationLimits.title.min, observationLimits.title.max),
  subtitle: line(0, observationLimits.subtitle),
  facts: v.pipe(
    v.array(fact),
    v.minLength(1, "must have at least one fact"),
    v.maxLength(mostFacts, `must have at most ${mostFacts} facts`),
  ),
  concepts: v.pipe(
    v.array(v.pipe(filledText(60), v.toLowerCase())),
    v.minLength(1, "must have at least one concept"),
    v.maxLength(
      observationLimits.concepts.max,
      `must have at most ${observationLimits.concepts.max} concepts`,
    ),
  ),
  files: v.pipe(v.array(filledText(1_000)), v.maxLength(100, "must have at most 100 files")),
  /** Epoch ms. */
  time: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  id: optional(filledText(200)),
  type: optional(
    v.picklist(observationTypes, `must be one of ${observationTypes.join(", ")}`),
    "Default `discovery`.",
  ),
  narrative: optional(trimmedText(20_000)),
  prompt: optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
});

const SessionMetadataBody = v.strictObject({
  ...place,
  title: line(sessionTitleLimits.min, sessionTitleLimits.max),
  subtitle: line(0, sessionTitleLimits.subtitle),
});

const OverviewBody = v.strictObject({
  ...place,
  content: filledText(4_000),
  request: optional(trimmedText(4_000)),
  learned: optional(trimmedText(4_000)),
  nextSteps: optional(trimmedText(4_000)),
});

/** What was stored; false where it had been before. */
const StoredAnswer = v.object({ id: v.string(), stored: v.boolean() });

/** Observation, title and overview. */
export const storeMemoryOperations = [
  post("/api/store-memory", {
    summary: "Store an observation; a repeat stores nothing.",
    body: StoreMemoryBody,
    answer: StoredAnswer,
    run: ({ body }, { runtime }) => storeMemory(runtime, body),
  }),
  post("/api/update-session-metadata", {
    summary: "Title a session.",
    body: SessionMetadataBody,
    /** Whose title was stored. */
    answer: v.object({ session: v.string(), stored: v.boolean() }),
    run: ({ body }, { runtime, now }) => titleSession(runtime, body, now()),
  }),
  post("/api/store-overview", {
    summary: "Store a session's overview.",
    body: OverviewBody,
    answer: StoredAnswer,
    run: ({ body }, { runtime, now }) => storeOverview(runtime, body, now()),
  }),
];

/** The client of sessions that only a shell knows. */
const shellClient = "shell";

interface Place {
  project: string;
  session: string;
  root: string;
}

/** Stores an observation; a repeat of it stores nothing and gives the id of the first time. */
async function storeMemory(runtime: ServerRuntime, asked: v.InferOutput<typeof StoreMemoryBody>) {
  const { title, subtitle, facts, concepts, time, ...given } = scrubbed(asked);
  const session = await sessionOf(runtime, given, time);
  const same = JSON.stringify([given.session, given.id ?? [title, ...facts]]);
  const key = `store-memory:${createHash("sha256").update(same).digest("hex").slice(0, 32)}`;
  return await store(runtime, key, session, {
    observation: {
      ...origin(session),
      type: given.type ?? "discovery",
      ...{ title, subtitle, facts, concepts, time },
      narrative: given.narrative ?? "",
      filesRead: [],
      filesModified: given.files,
      toolUseIds: [],
      promptNumber: given.prompt ?? session.prompts ?? 0,
      discoveryTokens: null,
      observerTokens: null,
      provenance: { strategy: "store-memory", model: null },
    },
  });
}

/** Titles a session. */
async function titleSession(
  runtime: ServerRuntime,
  asked: v.InferOutput<typeof SessionMetadataBody>,
  time: number,
) {
  const { title, subtitle, ...given } = scrubbed(asked);
  const session = await sessionOf(runtime, given, time);
  await askStorage(runtime.hooks, "storage.put", {
    key: `update-session-metadata:${crypto.randomUUID()}`,
    records: { sessions: [{ ...session, title, ...(subtitle !== "" && { subtitle }) }] },
  });
  return { session: session.id, stored: true };
}

/** Stores what a session came to. */
async function storeOverview(
  runtime: ServerRuntime,
  asked: v.InferOutput<typeof OverviewBody>,
  time: number,
) {
  const { content, request, learned, nextSteps, ...given } = scrubbed(asked);
  const session = await sessionOf(runtime, given, time);
  const summary = v.parse(NewSummarySchema, {
    ...origin(session),
    scope: "session",
    ...{ request, learned, completed: content, nextSteps },
    filesRead: [],
    filesEdited: [],
    // The observer's own summary at the session's end stands beside it, under the last prompt's number.
    promptNumber: 0,
    time,
    observerTokens: null,
    provenance: { strategy: "store-overview", model: null },
  });
  return await store(runtime, `store-overview:${crypto.randomUUID()}`, session, { summary });
}

/** Puts one record of a session, and notifies listeners where it was not there before. */
async function store(
  runtime: ServerRuntime,
  key: string,
  session: SessionUpdate,
  { observation, summary }: { observation?: NewObservation; summary?: NewSummary },
): Promise<{ id: string; stored: boolean }> {
  const put = await askStorage(runtime.hooks, "storage.put", {
    key,
    records: {
      sessions: [session],
      ...(observation && { observations: [observation] }),
      ...(summary && { summaries: [summary] }),
    },
  });
  const id = put.observations[0] ?? put.summaries[0];
  if (id === undefined)
    throw new MemoirError("internal", "The storage plugin gave no id for what it stored.");
  if (put.written)
    await runtime.hooks.parallel("stored", {
      session: session.id,
      project: session.project.id,
      observations: observation ? [{ ...observation, id }] : [],
      summaries: summary ? [{ ...summary, id }] : [],
    });
  return { id, stored: put.written };
}

/** Without secrets, private content and memoir's own marks, as everything that is kept. */
function scrubbed<Body>(body: Body): Body {
  return scrubDeep(body).value as Body;
}

function origin({ id, client, project }: SessionUpdate) {
  return {
    session: id,
    client,
    project: project.id,
    ...(project.branch !== undefined && { branch: project.branch }),
  };
}

/** The session as storage knows it, else a new one. Throws `usage` when it belongs to another project. */
async function sessionOf(
  runtime: ServerRuntime,
  place: Place,
  time: number,
): Promise<SessionUpdate> {
  const [stored] = await askStorage(runtime.hooks, "storage.get", { ids: [place.session] });
  if (stored && stored.kind !== "session")
    throw new MemoirError(
      "usage",
      `\`session\` is a session's id, and this one is of kind ${stored.kind}.`,
    );
  if (!stored) {
    const project = await projectOf(runtime, place);
    return {
      id: place.session,
      client: shellClient,
      project,
      status: "active",
      startedAt: time,
      lastActiveAt: time,
    };
  }
  const { observations: _, ...session } = stored.record;
  const { id, name } = session.project;
  const { projects } = await askStorage(runtime.hooks, "storage.stats", {});
  const meant = calledSo([session.project, ...projects], place.project);
  if (place.project !== id && !meant.some((one) => one.id === id))
    throw new MemoirError(
      "usage",
      `\`project\` is ${place.project}, but the session belongs to ${id}.`,
      {
        fix: `Write \`${name}\` for the project, or name another session.`,
      },
    );
  return { ...session, lastActiveAt: Math.max(session.lastActiveAt, time) };
}

/** A known project by its id or its one name, else a new one of that id. */
async function projectOf(
  runtime: ServerRuntime,
  { project: named, root }: Place,
): Promise<Project> {
  const { projects } = await askStorage(runtime.hooks, "storage.stats", {});
  const byName = calledSo(projects, named);
  const known =
    projects.find(({ id }) => id === named) ?? (byName.length === 1 ? byName[0] : undefined);
  if (byName.length > 1 && !known)
    throw new MemoirError("usage", `Several projects are called ${named}.`, {
      fix: `Write one of ${byName.map(({ id }) => id).join(", ")}.`,
    });
  const id = known?.id ?? named;
  return { id, name: known?.name ?? baseName(id), root };
}
