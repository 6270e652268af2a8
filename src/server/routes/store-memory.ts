// POST /api/store-memory, /api/update-session-metadata, /api/store-overview: what an agent with a shell tells memory about its own session.
import { routesBelow } from "../http/edge.ts";
import { answer, body } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { storeMemory, storeOverview, titleSession } from "../memory/store-memory.ts";
import {
  OverviewBody,
  SessionMetadataBody,
  StoredAnswer,
  StoreMemoryBody,
  TitledAnswer,
} from "../schemas/store-memory.ts";

/** Observation, title and overview. */
export function storeMemoryRoutes(runtime: ServerRuntime, now: () => number) {
  return routesBelow("/api")
    .post("/store-memory", ({ body }) => storeMemory(runtime, body), {
      body: body(StoreMemoryBody),
      response: answer(StoredAnswer),
      detail: { summary: "Store an observation; a repeat stores nothing." },
    })
    .post("/update-session-metadata", ({ body }) => titleSession(runtime, body, now()), {
      body: body(SessionMetadataBody),
      response: answer(TitledAnswer),
      detail: { summary: "Title a session." },
    })
    .post("/store-overview", ({ body }) => storeOverview(runtime, body, now()), {
      body: body(OverviewBody),
      response: answer(StoredAnswer),
      detail: { summary: "Store a session's overview." },
    });
}
