// /api/told/…: what an agent with a shell tells memory about its own session.
import { createHash } from "node:crypto";
import { Elysia } from "elysia";
import { scrubDeep } from "../../privacy/scrub.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type {
  NewObservation,
  NewSummary,
  Project,
  Records,
  SessionUpdate,
} from "../../sdk/model.ts";
import { askStorage, type ServerRuntime } from "../life/server-runtime.ts";
import { readJson } from "./body.ts";
import {
  OverviewBody,
  parseTold,
  SessionMetadataBody,
  StoreMemoryBody,
} from "./store-memory-bodies.ts";

/** The client of sessions that only a shell knows. */
const shellClient = "shell";

interface Place {
  project: string;
  session: string;
  root: string;
}

/** Observation, title and overview, redacted and stored at once. */
export function toldRoutes(runtime: ServerRuntime, now: () => number) {
  const body = async (request: Request) => (await readJson(request)) ?? {};

  async function put(key: string, records: Records) {
    return await askStorage(runtime, "storage.put", { key, records });
  }

  return new Elysia({ prefix: "/api/told" })
    .post(
      "/memory",
      async ({ request }) => {
        const told = scrubbed(parseTold(StoreMemoryBody, await body(request)));
        const session = await sessionOf(runtime, told, told.time);
        const observation: NewObservation = {
          ...origin(session),
          type: told.type,
          title: told.title,
          subtitle: told.subtitle,
          facts: told.facts,
          narrative: told.narrative,
          concepts: told.concepts,
          filesRead: [],
          filesModified: told.files,
          toolUseIds: [],
          promptNumber: told.prompt ?? session.prompts ?? 0,
          time: told.time,
          discoveryTokens: null,
          observerTokens: null,
          provenance: { strategy: "store-memory", model: null },
        };
        const same = told.id ?? [told.title, ...told.facts];
        const { observations, written } = await put(keyOf("store-memory", told, same), {
          sessions: [session],
          observations: [observation],
        });
        const [id] = observations;
        if (written && id !== undefined)
          await runtime.hooks.parallel("stored", {
            session: session.id,
            project: session.project.id,
            observations: [{ ...observation, id }],
            summaries: [],
          });
        return { id, stored: written };
      },
      { parse: "none" },
    )
    .post(
      "/session",
      async ({ request }) => {
        const told = scrubbed(parseTold(SessionMetadataBody, await body(request)));
        const session = await sessionOf(runtime, told, now());
        const { title, subtitle } = told;
        await put(`update-session-metadata:${crypto.randomUUID()}`, {
          sessions: [{ ...session, title, ...(subtitle !== "" && { subtitle }) }],
        });
        return { session: session.id, stored: true };
      },
      { parse: "none" },
    )
    .post(
      "/overview",
      async ({ request }) => {
        const told = scrubbed(parseTold(OverviewBody, await body(request)));
        const session = await sessionOf(runtime, told, now());
        const summary: NewSummary = {
          ...origin(session),
          scope: "session",
          request: told.request,
          investigated: "",
          learned: told.learned,
          completed: told.content,
          nextSteps: told.nextSteps,
          filesRead: [],
          filesEdited: [],
          notes: "",
          // The observer's own summary at the session's end stands beside it, under the last prompt's number.
          promptNumber: 0,
          time: now(),
          observerTokens: null,
          provenance: { strategy: "store-overview", model: null },
        };
        const { summaries } = await put(`store-overview:${crypto.randomUUID()}`, {
          sessions: [session],
          summaries: [summary],
        });
        const [id] = summaries;
        if (id !== undefined)
          await runtime.hooks.parallel("stored", {
            session: session.id,
            project: session.project.id,
            observations: [],
            summaries: [{ ...summary, id }],
          });
        return { id, stored: true };
      },
      { parse: "none" },
    );
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
  const [stored] = await askStorage(runtime, "storage.get", { ids: [place.session] });
  if (stored && stored.kind !== "session")
    throw new MemoirError("usage", `\`session\` is the id of a ${stored.kind}, not of a session.`);
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
        fix: `Write \`--project ${name}\`, or name another session.`,
      },
    );
  return { ...session, lastActiveAt: Math.max(session.lastActiveAt, time) };
}

/** A known project by its id or its one name, else a new one of that id. */
async function projectOf(
  runtime: ServerRuntime,
  { project: named, root }: Place,
): Promise<Project> {
  const { projects } = await askStorage(runtime, "storage.stats", {});
  const byName = projects.filter(({ name }) => name.toLowerCase() === named.toLowerCase());
  const known =
    projects.find(({ id }) => id === named) ?? (byName.length === 1 ? byName[0] : undefined);
  if (byName.length > 1 && !known)
    throw new MemoirError("usage", `Several projects are called ${named}.`, {
      fix: `Write one of ${byName.map(({ id }) => id).join(", ")}.`,
    });
  const id = known?.id ?? named;
  return { id, name: known?.name ?? id.split(/[/\\]/).findLast((part) => part !== "") ?? id, root };
}
