// The pass without a model: what the user settled, what works here, what failed and why; each with its quotation and place. Pure.
import type { MemoryItem, NewMemoryItem, Turn } from "../../src/sdk/index.ts";
import { cut, isCited, isReversed, oneLine, overlap, saysOtherwise } from "../../src/text/index.ts";
import { gotchasOf } from "./gotchas.ts";
import { saidItems } from "./said-items.ts";
import type { SessionMaterial } from "./session-material.ts";
import { choiceOf, isTakenUp } from "./taken-up.ts";
import { workflowsOf } from "./workflows.ts";

const mostItems = 24;
/** Two items that share more of their meaning than this say the same. */
const same = 0.6;
/** What the user settles may be worded as either. */
const settled: ReadonlySet<MemoryItem["kind"]> = new Set(["decisions", "preferences"]);

/** An item that was found; `unsure` where it may have been pasted: it confirms nothing. */
type FoundItem = NewMemoryItem & { unsure?: true };

/** Items in the order in which they were said; `others` are turns of other sessions of the project, oldest first. */
export function findItems(
  { session, turns }: SessionMaterial,
  others: readonly Turn[],
): FoundItem[] {
  const common = { session: session.id, project: session.project.id };
  const prompts = turns.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === "prompt"));
  const isOwn = !prompts.some(({ text }) => isCited(session.title.replace(/…$/, ""), text));
  const title = session.title !== "" && isOwn ? `Session: ${session.title}` : "";
  const said = saidItems(turns, others).map(
    ({ kind, content, context, quote, state, turn, piece, unsure }): FoundItem => ({
      ...common,
      ...(unsure && { unsure }),
      kind,
      date: dayOf(turn.pieces[piece]?.time ?? turn.startedAt),
      content: oneLine(content),
      context: cut(oneLine(context || title), 240),
      state,
      quote,
      evidence: [{ turn: turn.promptNumber, piece }],
    }),
  );
  const commands = workflowsOf([...others, ...turns])
    .filter(({ last }) => last.session === session.id)
    .map(({ command, turns: count, sessions, after, last, piece }): NewMemoryItem => {
      const order =
        after.length > 0 ? `; run after ${after.map((one) => `\`${one}\``).join(", ")}` : "";
      return {
        ...common,
        kind: "workflows",
        date: dayOf(last.time),
        content: command,
        context: `Passed in ${count} turns of ${sessions === 1 ? "one session" : `${sessions} sessions`}${order}`,
        state: sessions > 1 ? "standing" : "candidate",
        quote: last.pieces[piece]?.about ?? command,
        evidence: [{ turn: last.promptNumber, piece }],
      };
    });
  const gotchas = gotchasOf(turns).map(
    ({ content, context, quote, turn, pieces }): NewMemoryItem => ({
      ...common,
      kind: "gotchas",
      date: dayOf(turn.time),
      content,
      context,
      state: "candidate",
      quote,
      evidence: pieces.map((piece) => ({ turn: turn.promptNumber, piece })),
    }),
  );
  return [...said, ...commands, ...gotchas]
    .filter(({ content }) => content !== "")
    .slice(0, mostItems);
}

type Stated = Pick<MemoryItem, "kind" | "content" | "quote">;

/** True when both say the same; a change of mind does not. */
export function isSameItem(one: Stated, other: Stated): boolean {
  if (one.content.toLowerCase() === other.content.toLowerCase()) return true;
  if (one.kind === "workflows" || one.kind === "projects") return false;
  const [chosen, before] = [choiceOf(one), choiceOf(other)];
  if (chosen && before && overlap(chosen.answer, before.answer) <= same) return false;
  if (saysOtherwise(one.content, other.content)) return false;
  const alike = one.kind === other.kind || (settled.has(one.kind) && settled.has(other.kind));
  return alike && overlap(one.content, other.content) > same;
}

/**
 * What is to be stored of `found`: what is new, and known items that this session confirms or takes back. Said again in
 * another session, a candidate stands; turned round, it stands no more; a workflow is told anew with how often it passed.
 */
export function newOrConfirmed(
  found: readonly FoundItem[],
  known: readonly MemoryItem[],
): NewMemoryItem[] {
  const kept: NewMemoryItem[] = [];
  for (const { unsure, ...item } of found) {
    if (kept.some((other) => isSameItem(other, item))) continue;
    const before = known.find((other) => isSameItem(other, item));
    if (!before) kept.push(...(unsure ? [] : takenBack(item, known)), item);
    else if (item.kind === "workflows" && before.context !== item.context) kept.push(item);
    else if (!unsure && before.session !== item.session && before.state !== "standing") {
      const { id: _, ...stored } = before;
      const places = (before.evidence ?? []).map((place) => ({
        session: before.session,
        ...place,
      }));
      kept.push({
        ...stored,
        session: item.session,
        date: item.date,
        state: "standing",
        evidence: [...places, ...(item.evidence ?? [])],
      });
    }
  }
  return kept;
}

/** What stood until this said the opposite: kept as what was said once, with what came after it. */
function takenBack(newer: NewMemoryItem, known: readonly MemoryItem[]): NewMemoryItem[] {
  if (!settled.has(newer.kind)) return [];
  return known.flatMap(({ id: _, ...item }) => {
    const stands = settled.has(item.kind) && item.state !== "candidate" && item.date <= newer.date;
    if (!stands || !isReversed(newer.content, item.content)) return [];
    const context = cut(`Taken back ${newer.date}: “${newer.content}”`, 240);
    return [{ ...item, context, state: "candidate" as const }];
  });
}

/** Choices made once, in other sessions, that these turns come back to: they stand from now on. */
export function takenUp(
  { session, turns }: SessionMaterial,
  known: readonly MemoryItem[],
): NewMemoryItem[] {
  return known.flatMap(({ id: _, ...item }) => {
    const choice = choiceOf(item);
    if (item.state !== "candidate" || item.session === session.id || !choice) return [];
    if (!isTakenUp(choice, turns)) return [];
    // Where it was chosen is known; so many places may speak of it that none is named.
    return [{ ...item, session: session.id, date: dayOf(session.lastActiveAt), evidence: [] }];
  });
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
