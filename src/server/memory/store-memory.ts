// What an agent with a shell tells memory about its own session: redacted, bound to the session, stored at once.

import { createHash } from "node:crypto";
import * as v from "valibot";
import { scrubDeep } from "../../privacy/scrub.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import {
  type NewObservation,
  NewSummarySchema,
  type Observation,
  type Project,
  type Records,
  type SessionUpdate,
  type Summary,
} from "../../sdk/model.ts";
import { baseName } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import type {
  OverviewBody,
  SessionMetadataBody,
  StoreMemoryBody,
} from "../schemas/store-memory.ts";

/** The client of sessions that only a shell knows. */
const shellClient = "shell";

interface Place {
  project: string;
  session: string;
  root: string;
}

/** Stores an observation; a repeat of it stores nothing and gives the id of the first time. */
export async function storeMemory(
  runtime: ServerRuntime,
  asked: v.InferOutput<typeof StoreMemoryBody>,
): Promise<{ id: string; stored: boolean }> {
  const given = scrubbed(asked);
  const session = await sessionOf(runtime, given, given.time);
  const observation: NewObservation = {
    ...origin(session),
    type: given.type ?? "discovery",
    title: given.title,
    subtitle: given.subtitle,
    facts: given.facts,
    narrative: given.narrative ?? "",
    concepts: given.concepts,
    filesRead: [],
    filesModified: given.files,
    toolUseIds: [],
    promptNumber: given.prompt ?? session.prompts ?? 0,
    time: given.time,
    discoveryTokens: null,
    observerTokens: null,
    provenance: { strategy: "store-memory", model: null },
  };
  const same = given.id ?? [given.title, ...given.facts];
  const { observations, written } = await put(runtime, keyOf("store-memory", given, same), {
    sessions: [session],
    observations: [observation],
  });
  const id = idOf(observations);
  if (written) await notify(runtime, session, { observations: [{ ...observation, id }] });
  return { id, stored: written };
}

/** Titles a session. */
export async function titleSession(
  runtime: ServerRuntime,
  asked: v.InferOutput<typeof SessionMetadataBody>,
  time: number,
): Promise<{ session: string; stored: boolean }> {
  const given = scrubbed(asked);
  const session = await sessionOf(runtime, given, time);
  const { title, subtitle } = given;
  await put(runtime, `update-session-metadata:${crypto.randomUUID()}`, {
    sessions: [{ ...session, title, ...(subtitle !== "" && { subtitle }) }],
  });
  return { session: session.id, stored: true };
}

/** Stores what a session came to. */
export async function storeOverview(
  runtime: ServerRuntime,
  asked: v.InferOutput<typeof OverviewBody>,
  time: number,
): Promise<{ id: string; stored: boolean }> {
  const given = scrubbed(asked);
  const session = await sessionOf(runtime, given, time);
  const summary = v.parse(NewSummarySchema, {
    ...origin(session),
    scope: "session",
    request: given.request,
    learned: given.learned,
    completed: given.content,
    nextSteps: given.nextSteps,
    filesRead: [],
    filesEdited: [],
    // The observer's own summary at the session's end stands beside it, under the last prompt's number.
    promptNumber: 0,
    time,
    observerTokens: null,
    provenance: { strategy: "store-overview", model: null },
  });
  const { summaries } = await put(runtime, `store-overview:${crypto.randomUUID()}`, {
    sessions: [session],
    summaries: [summary],
  });
  const id = idOf(summaries);
  await notify(runtime, session, { summaries: [{ ...summary, id }] });
  return { id, stored: true };
}

function put(runtime: ServerRuntime, key: string, records: Records) {
  return askStorage(runtime.hooks, "storage.put", { key, records });
}

/** Storage gives an id for each record that it is handed. */
function idOf([id]: readonly string[]): string {
  if (id !== undefined) return id;
  throw new MemoirError("internal", "The storage plugin gave no id for what it stored.");
}

/** Notifies listeners of what was stored. */
async function notify(
  runtime: ServerRuntime,
  { id, project }: SessionUpdate,
  { observations = [], summaries = [] }: { observations?: Observation[]; summaries?: Summary[] },
): Promise<void> {
  await runtime.hooks.parallel("stored", {
    session: id,
    project: project.id,
    observations,
    summaries,
  });
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

/** A repeat of the same thing for the same session has the same key. */
function keyOf(verb: string, { session }: Place, same: string | string[]): string {
  const text = JSON.stringify([session, same]);
  return `${verb}:${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
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
  if (place.project !== id && place.project.toLowerCase() !== name.toLowerCase())
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
  const byName = projects.filter(({ name }) => name.toLowerCase() === named.toLowerCase());
  const known =
    projects.find(({ id }) => id === named) ?? (byName.length === 1 ? byName[0] : undefined);
  if (byName.length > 1 && !known)
    throw new MemoirError("usage", `Several projects are called ${named}.`, {
      fix: `Write one of ${byName.map(({ id }) => id).join(", ")}.`,
    });
  const id = known?.id ?? named;
  return { id, name: known?.name ?? baseName(id), root };
}
