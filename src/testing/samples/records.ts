// Short ways to write down records: every field has a value, a test names the ones it is about.
import {
  type NewMemoryItem,
  type NewObservation,
  type NewPrompt,
  type NewSummary,
  ofSummaryTexts,
  type Project,
  type SessionUpdate,
} from "../../sdk/model.ts";
import type { NewTurn } from "../../sdk/turn.ts";

/** 1 November 2026, 12:00 UTC: the time of a sample that names none. */
export const noon = Date.UTC(2026, 10, 1, 12);

/** The project that samples belong to unless they say otherwise. */
export const shop: Project = {
  id: "github.com/acme/shop",
  name: "shop",
  root: "/home/dev/shop",
};
/** Another project. */
export const blog: Project = { id: "github.com/acme/blog", name: "blog", root: "/home/dev/blog" };

/** A session as it is put; `part` replaces fields. */
export function sampleSession(part: Partial<SessionUpdate> = {}): SessionUpdate {
  return {
    id: "session-1",
    client: "claude-code",
    project: shop,
    status: "active",
    startedAt: noon,
    lastActiveAt: noon,
    ...part,
  };
}

/** A prompt as it is put; `part` replaces fields. */
export function samplePrompt(part: Partial<NewPrompt> = {}): NewPrompt {
  return {
    session: "session-1",
    client: "claude-code",
    project: shop.id,
    promptNumber: 1,
    text: "Why does the login page reload?",
    time: noon,
    ...part,
  };
}

/** An observation as it is put; `part` replaces fields. */
export function sampleObservation(part: Partial<NewObservation> = {}): NewObservation {
  return {
    session: "session-1",
    client: "claude-code",
    project: shop.id,
    promptNumber: 1,
    type: "discovery",
    title: "Sample title of an observation",
    subtitle: "",
    facts: [],
    narrative: "",
    concepts: [],
    filesRead: [],
    filesModified: [],
    toolUseIds: [],
    time: noon,
    discoveryTokens: null,
    observerTokens: 0,
    provenance: { strategy: "sample", model: null },
    ...part,
  };
}

/** A summary as it is put; `part` replaces fields. */
export function sampleSummary(part: Partial<NewSummary> = {}): NewSummary {
  return {
    scope: "prompt",
    session: "session-1",
    client: "claude-code",
    project: shop.id,
    promptNumber: 1,
    ...ofSummaryTexts(() => ""),
    request: "Sample request",
    filesRead: [],
    filesEdited: [],
    time: noon,
    observerTokens: 0,
    provenance: { strategy: "sample", model: null },
    ...part,
  };
}

/** A turn as it is put; `part` replaces fields. */
export function sampleTurn(part: Partial<NewTurn> = {}): NewTurn {
  return {
    session: "session-1",
    client: "claude-code",
    project: shop.id,
    promptNumber: 1,
    startedAt: noon,
    time: noon,
    end: "closed",
    pieces: [{ kind: "prompt", text: "Why does the login page reload?" }],
    files: [],
    ...part,
  };
}

/** A memory item as it is put; `part` replaces fields. */
export function sampleMemory(part: Partial<NewMemoryItem> = {}): NewMemoryItem {
  return {
    kind: "preferences",
    date: "2026-11-01",
    content: "Sample preference",
    context: "",
    session: "session-1",
    project: shop.id,
    ...part,
  };
}
