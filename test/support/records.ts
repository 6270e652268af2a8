// Stored records for tests, a line each.
import {
  type Observation,
  ofSummaryTexts,
  type Prompt,
  type Session,
  type Summary,
} from "../../src/sdk/model.ts";
import { partOf } from "../../src/sdk/record-texts.ts";
import type { SearchResult, StoredRecord } from "../../src/sdk/storage.ts";

const origin = {
  session: "s1",
  client: "claude-code",
  project: "github.com/acme/shop",
  promptNumber: 1,
  time: Date.UTC(2026, 10, 20, 14, 5),
  provenance: { strategy: "test", model: null },
};

/** A bugfix of session `s1`, on 20 November 2026 at 14:05 UTC, unless `fields` says otherwise. */
export function observation(id: string, fields: Partial<Observation> = {}): Observation {
  return {
    ...origin,
    id,
    type: "bugfix",
    title: "Token refresh loops on 401",
    subtitle: "The interceptor retried its own refresh call, so one expired token looped for ever.",
    facts: ["src/auth/refresh.ts retried the refresh call itself when it answered 401."],
    narrative: "The refresh call went through the interceptor that it was made by.",
    concepts: ["authentication", "http"],
    filesRead: [],
    filesModified: ["src/auth/refresh.ts"],
    toolUseIds: ["t1"],
    discoveryTokens: null,
    observerTokens: 0,
    ...fields,
  };
}

/** A session's summary, unless `fields` says otherwise. */
export function summary(id: string, fields: Partial<Summary> = {}): Summary {
  return {
    ...origin,
    id,
    scope: "session",
    ...ofSummaryTexts(() => ""),
    request: "Stop the login from looping.",
    investigated: "The refresh interceptor.",
    learned: "The interceptor also sees its own calls.",
    completed: "The refresh call bypasses the interceptor.",
    nextSteps: "Cover the logout path with a test.",
    filesRead: ["src/auth/login.ts"],
    filesEdited: ["src/auth/refresh.ts"],
    observerTokens: 0,
    ...fields,
  };
}

/** Something the user asked. */
export function prompt(id: string, fields: Partial<Prompt> = {}): Prompt {
  const { session: of, client, project, promptNumber, time } = origin;
  return { id, session: of, client, project, promptNumber, time, text: "Now test it.", ...fields };
}

/** A session that ended. */
export function session(id: string, fields: Partial<Session> = {}): Session {
  return {
    id,
    client: "claude-code",
    project: { id: "github.com/acme/shop", name: "shop", root: "/home/ada/shop" },
    title: "Fix the login loop",
    subtitle: "Refresh calls no longer refresh themselves",
    prompts: 2,
    observations: 3,
    status: "ended",
    startedAt: origin.time - 3_600_000,
    lastActiveAt: origin.time,
    endedAt: origin.time,
    ...fields,
  };
}

/** An observation as a search answers it. */
export function searchResult(found: Observation, score = 1): SearchResult {
  return {
    id: found.id,
    kind: "observation",
    session: found.session,
    project: found.project,
    type: found.type,
    title: found.title,
    subtitle: found.subtitle,
    score,
    createdAt: found.time,
    promptNumber: found.promptNumber,
    facts: found.facts,
    files: [...found.filesModified, ...found.filesRead],
    readTokens: 100,
  };
}

/** An entry of a timeline that is all of its turn. */
export function timelineItem<Stored extends StoredRecord>(stored: Stored) {
  return { ...stored, parts: [partOf(stored)] };
}
