// A model and an Endless Mode that say what a test wrote down, and remember what they were asked.

import type {
  Decision,
  EndlessClient,
  EndlessNote,
  KeepRequest,
  Kept,
  ToolFigures,
  ToolOriginal,
} from "../sdk/endless.ts";
import type { Completion, CompletionRequest } from "../sdk/provider.ts";
import type { Settled } from "../sdk/work.ts";

/** One answer: a text, a text with its stop reason, or a failure. */
export type Line = string | { text: string; stop: Completion["stopReason"] } | Error;

/** A model for `testHost`'s `complete`, and what it was asked. */
export interface ScriptedModel {
  requests: CompletionRequest[];
  complete(request: CompletionRequest): Promise<Completion>;
}

/** Answers in order; the last answer is repeated. Each call takes 100 tokens in and 10 out. */
export function scriptedModel(...lines: Line[]): ScriptedModel {
  const requests: CompletionRequest[] = [];
  return {
    requests,
    async complete(request) {
      const line = lines[Math.min(requests.length, lines.length - 1)] ?? "";
      requests.push(structuredClone(request));
      if (line instanceof Error) throw line;
      const { text, stop } = typeof line === "string" ? { text: line, stop: "end" as const } : line;
      const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
      return { text, model: "scripted-1", usage, stopReason: stop };
    },
  };
}

// Endless Mode's offer to a strategy, in memory: originals are given, what is kept and noted can be looked at.

/** Endless Mode in memory, to be looked at and scripted. */
export interface FakeEndless extends EndlessClient {
  /** What `original` answers, by tool-use id. */
  originals: Map<string, ToolOriginal>;
  keeps: KeepRequest[];
  notes: EndlessNote[];
  /** By session and key. */
  decisions: Map<string, Decision & { session: string }>;
  /** What `settled` answers, by tool-use id; unknown ones time out at once. */
  ends: Map<string, Settled>;
  toolFigures: ToolFigures[];
  /** While false, nothing may be kept. */
  mayKeep: boolean;
}

/** Starts empty, and keeps everything. */
export function fakeEndless(now: () => number = () => 0): FakeEndless {
  const kept = new Map<string, Kept>();
  const fake: FakeEndless = {
    originals: new Map(),
    keeps: [],
    notes: [],
    decisions: new Map(),
    ends: new Map(),
    toolFigures: [],
    mayKeep: true,
    original: async (toolUseId) => fake.originals.get(toolUseId),
    async keep(request) {
      if (!fake.mayKeep) return false;
      fake.keeps.push(request);
      const { session, toolUseId, tool, part, value } = request;
      const place = `${toolUseId}:${part}`;
      if (!kept.has(place))
        kept.set(place, { session, toolUseId, tool, part, value, keptAt: now() });
      return true;
    },
    kept: async (toolUseId, part) => kept.get(`${toolUseId}:${part}`),
    async note(note) {
      fake.notes.push(note);
    },
    async decide(session, decisions) {
      for (const one of decisions) {
        const place = JSON.stringify([session, one.key]);
        if (one.value === null) fake.decisions.delete(place);
        else fake.decisions.set(place, { ...structuredClone(one), session });
      }
      return true;
    },
    decided: async (of) =>
      [...fake.decisions.values()].filter(({ session, toolUseId = "" }) =>
        "session" in of ? session === of.session : of.toolUseIds.includes(toolUseId),
      ),
    figures: async () => fake.toolFigures,
    settled: async (toolUseId) => fake.ends.get(toolUseId),
  };
  return fake;
}
