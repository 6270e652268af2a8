// Texts out of a transcript were never captured: they go through the capture plugins before anything else sees them.

import type { ClientEvent } from "../../sdk/events.ts";
import type { ContextTurn, ObservationBatch, ToolUseContext, WorkSession } from "../../sdk/work.ts";
import type { ContextLimits, FoundContext } from "../../transcript/context.ts";
import type { Captured } from "../ports.ts";

/**
 * Takes what must not be kept out of texts, in order; undefined when that failed, and nothing may be used.
 * A text of which nothing is left is the empty string.
 */
export type ScrubTexts = (
  texts: readonly string[],
  about: ScrubbedFor,
) => Promise<readonly string[] | undefined>;

/** Whose texts they are. */
interface ScrubbedFor {
  /** Of the piece of work that wants them. */
  key: string;
  session: WorkSession;
  cwd: string;
  /** Epoch ms. */
  time: number;
}

/** Turns are few and shared by a batch's tool uses: they are cleaned nearly whole, then their ends are kept. */
const longestTurn = 16_000;

/** A secret or a tag that the limit would cut in two must be seen whole. */
const margin = 1_000;

/** The limits under which texts are read, before they are cleaned. */
export function rawLimits(limits: ContextLimits): ContextLimits {
  const { intent, reasoning, assistantText, result, turn } = limits;
  return {
    ...limits,
    intent: intent + margin,
    reasoning: reasoning + margin,
    assistantText: assistantText + margin,
    result: result + margin,
    turn: Math.max(longestTurn, turn + margin),
  };
}

const fields = [
  ["userIntent", "intent"],
  ["reasoning", "reasoning"],
  ["assistantText", "assistantText"],
  ["result", "result"],
] as const;

/** What strategies are given; without any text when cleaning failed. Equal texts are cleaned once. */
export async function cleanContexts(
  found: ReadonlyMap<string, FoundContext>,
  batch: ObservationBatch,
  limits: ContextLimits,
  scrub: ScrubTexts,
): Promise<Map<string, ToolUseContext>> {
  const texts = [...new Set([...found.values()].flatMap(textsOf))];
  const last = batch.toolUses.at(-1);
  const { key, session } = batch;
  const about = { key, session, cwd: last?.cwd ?? session.project.root, time: last?.time ?? 0 };
  const scrubbed = texts.length === 0 ? [] : await scrub(texts, about);
  const clean = new Map(texts.map((text, at) => [text, scrubbed?.[at] ?? ""]));
  const shown = (text: string, most: number) => cut(clean.get(text) ?? "", most);
  return new Map(
    [...found].map(([id, raw]) => {
      const context = frameOf(raw);
      for (const [field, limit] of fields) {
        const text = shown(raw[field] ?? "", limits[limit]);
        if (text !== "") context[field] = text;
      }
      context.turns = raw.turns.flatMap(({ role, text }): ContextTurn[] => {
        const said = ends(clean.get(text) ?? "", limits.turn);
        return said === "" ? [] : [{ role, text: said }];
      });
      return [id, context];
    }),
  );
}

function textsOf(context: FoundContext): string[] {
  const own = fields.flatMap(([field]) => context[field] ?? []);
  return [...own, ...context.turns.map(({ text }) => text)];
}

/** Everything that is no text. */
function frameOf({ model, usage, cwd, branch, version, time, partial }: FoundContext) {
  const context: ToolUseContext = {
    turns: [],
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(version !== undefined && { version }),
    ...(time !== undefined && { time }),
    ...(partial && { partial }),
  };
  return context;
}

/** Beginning and end: an answer's last sentence is often the question that the next prompt answers. */
function ends(text: string, most: number): string {
  const whole = text.trim().toWellFormed();
  if (whole.length <= most) return whole;
  const half = Math.floor((most - 3) / 2);
  if (half < 1) return "";
  return `${whole.slice(0, half)} … ${whole.slice(-half)}`.toWellFormed();
}

function cut(text: string, most: number): string {
  const whole = text.trim().toWellFormed();
  if (whole.length <= most) return whole;
  const code = whole.charCodeAt(most - 2);
  return `${whole.slice(0, code >= 0xd800 && code <= 0xdbff ? most - 2 : most - 1)}…`;
}

// Sends a transcript's texts through the capture plugins, as an event that is never kept.

/** `clientEvent` of the `Other` event that carries the texts, in `extra.texts`: text by number. */
const transcriptTexts = "TranscriptTexts";

/** One event carries about so many characters: capture plugins have a deadline. */
const eventChars = 128 * 1024;

/** Fails closed: a plugin that fails, drops the event or changes its form costs all texts. */
export function scrubThrough(capture: (event: ClientEvent) => Promise<Captured>): ScrubTexts {
  return async (texts, { key, session, time, cwd }) => {
    const scrubbed: string[] = [];
    for (const part of parts(texts)) {
      const id = `${key}:${scrubbed.length}`;
      const event: ClientEvent = {
        name: "Other",
        clientEvent: transcriptTexts,
        id,
        key: id,
        client: session.client,
        session: session.id,
        time,
        cwd,
        project: session.project,
        extra: { texts: Object.fromEntries(part.entries()) },
      };
      const captured = await capture(event);
      if ("drop" in captured || captured.event.withheld) return undefined;
      const answer = captured.event.extra?.texts;
      if (typeof answer !== "object" || answer === null) return undefined;
      const values = Object.values(answer);
      if (values.length !== part.length) return undefined;
      // Integer keys keep their order.
      for (const value of values) scrubbed.push(typeof value === "string" ? value : "");
    }
    return scrubbed;
  };
}

function* parts(texts: readonly string[]): Generator<string[]> {
  let part: string[] = [];
  let chars = 0;
  for (const text of texts) {
    part.push(text);
    chars += text.length;
    if (chars < eventChars) continue;
    yield part;
    part = [];
    chars = 0;
  }
  if (part.length > 0) yield part;
}
