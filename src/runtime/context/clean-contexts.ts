// Texts out of a transcript were never captured: they go through the capture plugins before anything else sees them.
import type { ContextTurn, ObservationBatch, ToolUseContext, WorkSession } from "../../sdk/work.ts";
import type { ContextLimits, FoundContext } from "../../transcript/context.ts";

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
