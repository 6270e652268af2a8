// The operations of memoir's features: sharing memory with other homes, Endless Mode, reading recorded sessions.
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import * as v from "valibot";
import { createPlaces, filesOf } from "../../backfill/feed-session.ts";
import { type Backfills, ProgressSchema } from "../../backfill/job.ts";
import { lookInto } from "../../backfill/plan.ts";
import { backfill } from "../../features/backfill.ts";
import { endless, toolParts } from "../../features/endless.ts";
import { sync as feature, keySays } from "../../features/sync.ts";
import { EndlessMetricsSchema } from "../../runtime/endless/metrics.ts";
import { RecalledSchema } from "../../runtime/endless/recall.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { roles } from "../../sync/charter.ts";
import { recallPage } from "../memory/recall-page.ts";
import {
  described,
  filled,
  get,
  IdParams,
  NoBody,
  ofFeature,
  optional,
  post,
  queryOf,
} from "../operation.ts";

const kind = v.picklist(["mine", "team"]);
const space = optional(kind, "Which, where this home is in two.");
const takeBack = optional(v.boolean(), "The others remove what this home had sent of it.");
const nullable = v.nullable(v.string());

const Status = v.object({
  hub: v.nullable(
    v.object({
      ok: v.boolean(),
      where: v.string(),
      trouble: nullable,
      bytes: v.nullable(v.number()),
    }),
  ),
  spaces: v.array(
    v.object({
      id: v.string(),
      kind,
      members: v.number(),
      projects: v.array(v.string()),
      role: described(v.string(), "What this home may do there."),
      waiting: described(v.number(), "Changes that wait to be sent; 1,000 where there are more."),
      lost: nullable,
      streams: v.array(
        v.object({
          member: described(v.string(), "By its id, also one that was removed since."),
          ...{ person: v.string(), machine: v.string(), at: v.number(), stuck: nullable },
        }),
      ),
      lastHere: described(
        v.nullable(v.object({ person: v.string(), machine: v.string(), at: v.number() })),
        "Which of the others was here last, to the hour.",
      ),
    }),
  ),
  lastAt: v.nullable(v.number()),
  trouble: nullable,
});

const Members = v.object({
  members: v.array(
    v.object({
      id: v.string(),
      person: v.string(),
      machine: v.string(),
      role: v.string(),
      kind: v.string(),
      isSelf: v.boolean(),
      until: v.nullable(v.number()),
      seenAt: described(v.nullable(v.number()), "When it was here last, to the hour."),
    }),
  ),
});

const Hub = v.variant("type", [
  v.strictObject({ type: v.literal("folder"), folder: filled }),
  v.strictObject({ type: v.literal("postgres"), address: filled }),
  v.strictObject({ type: v.literal("plugin"), name: filled }),
]);
const self = {
  person: optional(
    v.pipe(v.string(), v.maxLength(100)),
    "How others see you; default: your user name.",
  ),
  machine: optional(v.pipe(v.string(), v.maxLength(100)), "How others see this machine."),
};

/** The path of a folder, also from one's home folder on. Throws `hub_refused` for one that starts nowhere. */
function whole(folder: string): string {
  const path = folder.replace(/^~(?=[/\\]|$)/, homedir());
  if (isAbsolute(path)) return path;
  throw new MemoirError("hub_refused", `${folder} is not the whole path of a folder.`, {
    fix: "Begin it at the root of the disk, or with ~/.",
  });
}

/** By the names of sync's operations. */
export const syncOperations = ofFeature(feature, {
  status: get("/api/sync", {
    summary: "The hub, this home's spaces, what waits and what came.",
    answer: Status,
    run: (_, { sync }) => sync.status(),
  }),
  init: post("/api/sync/spaces", {
    summary: "Make a space on a hub, with this home as its owner.",
    body: v.strictObject({
      kind: optional(kind, "Default: your own, where this home is in no space; else none is made."),
      hub: Hub,
      ...self,
    }),
    answer: v.object({
      ...Status.entries,
      made: described(v.boolean(), "A space was made."),
      replaced: described(v.boolean(), "Only the address of the hub was replaced."),
    }),
    run: ({ body: { kind, hub, ...who } }, { sync }) =>
      sync.create(kind, hub.type === "folder" ? { ...hub, folder: whole(hub.folder) } : hub, who),
  }),
  invite: post("/api/sync/invitations", {
    summary: "Make an invitation: a text that lets one home in, or any number of short-lived ones.",
    body: v.strictObject({
      space,
      role: described(v.picklist(roles), "What it allows."),
      forKey: optional(v.boolean(), `${keySays}.`),
      label: optional(v.pipe(v.string(), v.maxLength(100)), "How it is listed."),
      days: optional(v.pipe(v.number(), v.minValue(1), v.maxValue(365)), "Void after so many."),
    }),
    answer: v.object({ invitation: v.string() }),
    run: async ({ body: { space: of, role, forKey = false, label, days } }, { sync, now }) => ({
      invitation: await sync.invite(of, {
        ...{ role, isKey: forKey, label: label ?? (forKey ? "containers" : "invitation") },
        ...(forKey && days === undefined ? {} : { until: now() + (days ?? 7) * 86_400_000 }),
      }),
    }),
  }),
  join: post("/api/sync/join", {
    summary: "Take an invitation up.",
    body: v.strictObject({
      invitation: v.pipe(v.string(), v.maxLength(20_000)),
      folder: optional(filled, "Where the hub's folder is on this machine, if elsewhere."),
      ...self,
    }),
    answer: v.object({
      ...Status.entries,
      joined: described(
        v.picklist(["new", "raised", "already"]),
        "In again with another role, or there before: then the invitation was not used.",
      ),
    }),
    run: ({ body: { invitation, folder, ...who } }, { sync }) =>
      sync.join(invitation, { ...who, ...(folder && { folder: whole(folder) }) }),
  }),
  share: post("/api/sync/projects", {
    summary: "Share a project, or keep it local.",
    body: v.strictObject({ space, project: filled, shared: v.boolean(), takeBack }),
    answer: Status,
    run: ({ body: { space: of, project, shared, takeBack: back } }, { sync }) =>
      sync.share(of, project, shared, back),
  }),
  members: get("/api/sync/members", {
    summary: "Who is in a space.",
    query: v.strictObject({ space }),
    answer: Members,
    run: async ({ query }, { sync }) => ({ members: await sync.members(query.space) }),
  }),
  remove: post("/api/sync/remove", {
    summary: "Remove a member; the others get a new key.",
    body: v.strictObject({ space, member: filled }),
    answer: Members,
    run: async ({ body }, { sync }) => ({ members: await sync.remove(body.space, body.member) }),
  }),
  leave: post("/api/sync/leave", {
    summary: "Leave a space; what came from it stays here.",
    body: v.strictObject({
      space,
      force: optional(v.boolean(), "Also where the hub cannot be asked: then here only."),
      takeBack,
    }),
    answer: v.object({
      ...Status.entries,
      isHereOnly: described(v.boolean(), "The hub was not asked: the others still list this home."),
    }),
    run: ({ body: { space: of, force = false, takeBack: takesBack = false } }, { sync }) =>
      sync.leave(of, { force, takesBack }),
  }),
  now: post("/api/sync/now", {
    summary: "One round with the hub.",
    answer: v.object({ came: v.number(), went: v.number() }),
    run: (_, { sync }) => sync.now(),
  }),
});

// What Endless Mode took out of a conversation, and its books.

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

// Reading recorded sessions into memory, asked for and watched by the command of that name.

const file = {
  path: v.pipe(v.string(), v.endsWith(".jsonl", "must be a `.jsonl` file")),
  bytes: v.number(),
  changedAt: v.number(),
};

/** A session as found on the disk. */
const SessionBody = v.strictObject({
  session: v.pipe(v.string(), v.nonEmpty("is empty"), v.maxLength(512, "is too long")),
  folder: v.string(),
  client: optional(v.pipe(v.string(), v.nonEmpty("is empty"))),
  cwd: optional(v.pipe(v.string(), v.nonEmpty("is empty"))),
  main: optional(v.strictObject(file)),
  agents: v.array(
    v.strictObject({
      ...file,
      agentId: v.pipe(v.string(), v.nonEmpty("is empty")),
      meta: optional(
        v.strictObject({
          agentType: optional(v.string()),
          description: optional(v.string()),
          toolUseId: optional(v.string()),
        }),
      ),
    }),
  ),
  bytes: v.number(),
  changedAt: v.number(),
});

/** How the newest one is doing; null where there was none. */
const ProgressAnswer = v.object({ progress: v.nullable(ProgressSchema) });
const { progress, read, look, stop } = backfill.operations;
const progressOf = (backfills: Backfills) => ({ progress: backfills.progress() ?? null });

/** Start, progress, stop, and which files were read already. */
export const backfillOperations = ofFeature(backfill, {
  progress: get("/api/backfill", {
    summary: `${progress.does}.`,
    answer: ProgressAnswer,
    run: (_, { backfills }) => progressOf(backfills),
  }),
  read: get("/api/backfill/read", {
    summary: `${read.does}.`,
    answer: v.object({
      files: v.array(
        v.object({
          path: v.string(),
          bytes: v.number(),
          changedAt: v.number(),
          offset: v.number(),
          lines: v.number(),
          cwd: optional(v.string()),
        }),
      ),
    }),
    run: (_, { runtime }) => ({ files: [...runtime.transcripts.marks("backfill").values()] }),
  }),
  look: post("/api/backfill/look", {
    summary: `${look.does}.`,
    body: v.strictObject({ session: SessionBody }),
    answer: v.object({
      /** Null where it has nothing, known or not. */
      found: v.nullable(
        v.object({
          cwd: optional(v.string()),
          /** Of what is new, epoch ms. */
          startedAt: v.number(),
          lastAt: v.number(),
          prompts: v.number(),
          toolUses: v.number(),
          known: v.number(),
          characters: v.number(),
        }),
      ),
    }),
    async run({ body: { session } }, { runtime, serverStatus }) {
      const { isNew, marks } = runtime.transcripts;
      const { refuses } = createPlaces((await serverStatus()).home);
      const found = await lookInto(
        session,
        marks(
          "backfill",
          filesOf(session).map(({ path }) => path),
        ),
        async (event) => !refuses(event.cwd) && (await isNew(event)),
      );
      if (!found || found.prompts + found.toolUses + found.known === 0) return { found: null };
      const { session: _, files: _files, bytes: _bytes, startedAt, ...rest } = found;
      return { found: { ...rest, startedAt: Math.min(startedAt, Date.now()) } };
    },
  }),
  backfill: post("/api/backfill", {
    summary: "Read recorded sessions into memory.",
    body: v.strictObject({
      /** As found on the disk, in the order in which they are read. */
      sessions: v.array(SessionBody),
      modelFree: v.boolean(),
    }),
    answer: ProgressAnswer,
    run({ body }, { backfills }) {
      backfills.start(body);
      return progressOf(backfills);
    },
  }),
  stop: post("/api/backfill/stop", {
    summary: `${stop.does}.`,
    body: NoBody,
    answer: ProgressAnswer,
    async run(_, { backfills }) {
      await backfills.stop();
      return progressOf(backfills);
    },
  }),
});
