// What was decided and what was refused, in the words of who decided. Pure.
import type { Evidence, MemoryItem } from "../../src/sdk/index.ts";
import { isCited, saysOtherwise } from "../../src/text/index.ts";
import type { Material } from "./gather.ts";
import type { Line } from "./line.ts";
import { code, fresh, isOnce, type Note, type PastTurn, piecesOf, placeOf, typed } from "./past.ts";
import { namesIn, sharedBy, termsOf } from "./statements.ts";
import { afterTurn, stillTrue } from "./still-true.ts";

const least = 40;
/** Refusals told of one turn. */
const mostRefusals = 8;
/** A later word of the user that shares so many words with a plan is about it. */
const aboutPlan = 2;

/** What is stored as settled, and what of it the user hid. */
type Settled = Pick<Material, "settled" | "hidden">;

/** Accepted plans that still stand, choices, and what is stored as settled. */
export function decisions(note: Note, { settled, hidden }: Settled): Line[] {
  return [...plans(note), ...choices(note, settled, hidden), ...items(note, settled)];
}

/** Refusals with their reason, newest first; of more in one turn than are told, the last and the first. */
export function refusals(note: Note): Line[] {
  return note.turns.toReversed().flatMap((past) => {
    const given = piecesOf(past, "refusal")
      .filter(({ text }) => text.trim() !== "")
      .reverse();
    const line = (head: string, sayings: Line["sayings"]): Line => ({
      section: "refused",
      rank: 0.87 * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)}${head}`,
      sayings,
      wanted: 300,
      least,
    });
    const told = ({ text, about }: Evidence) =>
      line(about ? ` · ${code(about)}` : "", () => [{ text: typed(text, note), as: "user" }]);
    if (given.length <= mostRefusals) return given.map(told);
    const missing = given.length - mostRefusals + (past.turn.leftOut?.refusal ?? 0);
    const half = mostRefusals / 2;
    return [
      ...given.slice(0, half).map(told),
      line(` · … +${missing}`, () => []),
      ...given.slice(-half).map(told),
    ];
  });
}

/** Choices that nothing is stored of yet, and of the newest session those that were of its task: that may go on. */
function choices(
  note: Note,
  settled: readonly MemoryItem[],
  hidden: readonly MemoryItem[],
): Line[] {
  return note.turns.toReversed().flatMap((past) =>
    past.turn.pieces.flatMap(({ kind, text, about = "" }, at): Line[] => {
      if (kind !== "choice" || hidden.some((item) => isFrom(item, past, at))) return [];
      const stored = settled.find((item) => isFrom(item, past, at));
      if (stored && (stored.state !== "candidate" || past.sessionsAgo > 0)) return [];
      return [
        {
          section: "decided",
          rank: 0.86 * fresh(past),
          ids: [past.turn.id],
          head: `${placeOf(past, note)} · ${note.labels.chosen}:`,
          sayings: () => [
            { text, as: "user" },
            ...(about === "" ? [] : [{ text: about, label: "?", as: "plain" as const }]),
          ],
          wanted: 320,
          least,
        },
      ];
    }),
  );
}

/** True for an item that this piece of the turn was stored as. */
function isFrom({ session, evidence = [] }: MemoryItem, { turn }: PastTurn, at: number): boolean {
  return evidence.some(
    (place) =>
      (place.session ?? session) === turn.session &&
      place.turn === turn.promptNumber &&
      place.piece === at,
  );
}

/** The newest plan, as long as the user said nothing about it later; when it was committed it is history. */
function plans(note: Note): Line[] {
  const past = note.turns.findLast((one) => piecesOf(one, "plan").length > 0);
  const plan = past && piecesOf(past, "plan").at(-1);
  if (!past || !plan) return [];
  const terms = termsOf(plan.text);
  if (past.later.some((one) => isAbout(one, plan.text))) return [];
  const isDone = [past, ...past.later].some((one) =>
    piecesOf(one, "commit").some(({ text }) => sharedBy(termsOf(text), terms) >= aboutPlan),
  );
  return [
    {
      section: "decided",
      rank: (isDone ? 0.45 : 0.84) * fresh(past),
      ids: [past.turn.id],
      head: `${placeOf(past, note)} · ${note.labels.plan}:`,
      sayings: () => {
        const left = stillTrue(plan.text, afterTurn(past), "all");
        return left === "" ? [] : [{ text: left, as: "quote" }];
      },
      needsSaying: true,
      wanted: isDone ? 300 : 1_200,
      least: 80,
    },
  ];
}

/** The user's own word about it: one name of code, or several other words. */
function isAbout(past: PastTurn, plan: string): boolean {
  const said = piecesOf(past, "prompt", "typed", "refusal").map(({ text }) => text);
  const names = new Set(said.flatMap(namesIn));
  if (namesIn(plan).some((name) => names.has(name))) return true;
  return sharedBy(termsOf(said.join("\n")), termsOf(plan)) >= aboutPlan;
}

/** What stands first; what was said or chosen once comes after it, and says so. */
function items(note: Note, settled: readonly MemoryItem[]): Line[] {
  const newest = note.turns.filter(({ sessionsAgo }) => sessionsAgo === 0);
  const isCurrent = (item: MemoryItem) =>
    newest.some((past) => past.turn.pieces.some((_, at) => isFrom(item, past, at)));
  return settled
    .filter((item, at) => !settled.slice(0, at).some((newer) => overtakes(newer, item)))
    .filter((item) => !isOnce(item) || !isCurrent(item))
    .filter((item) => !isOnlyCited(item, note))
    .toSorted((one, other) => Number(isOnce(one)) - Number(isOnce(other)))
    .map((item, at) => ({
      section: "decided",
      rank: (isOnce(item) ? 0.6 : 0.72) - at * 0.02,
      ids: [item.id],
      head: `${item.id} · ${item.date} · ${whoSaid(item, note)}:`,
      sayings: () => [{ text: item.content, as: "user" }],
      wanted: 300,
      least,
    }));
}

/** The user's are their edits. What nobody judged is what an agent or a model concluded; what stands without a quotation the user wrote into its file. */
export function whoSaid({ content, quote, state, edited }: MemoryItem, { labels }: Note): string {
  // Who says only that it stands chose it; the words are not theirs.
  if (edited) return Object.keys(edited.was).join() === "state" ? labels.chosen : labels.typed;
  if (state === undefined) return labels.concluded;
  if (state === "candidate") return labels.once;
  return quote === undefined || quote === content ? labels.typed : labels.chosen;
}

/** True where the prompts that it was taken from hold it, and none of them in its user's own words. */
function isOnlyCited(
  { content, quote, session, edited, evidence = [] }: MemoryItem,
  note: Note,
): boolean {
  if (edited || quote !== content) return false;
  const texts = evidence.flatMap((place) => {
    const past = note.turns.find(
      ({ turn }) => turn.session === (place.session ?? session) && turn.promptNumber === place.turn,
    );
    return past?.turn.pieces[place.piece]?.text ?? [];
  });
  return texts.length > 0 && texts.every((text) => isCited(quote, text));
}

/** True for a newer word about the same: another answer to one question, another name or number in one statement. */
function overtakes(newer: MemoryItem, older: MemoryItem): boolean {
  if (saysOtherwise(newer.content, older.content)) return true;
  const question = questionOf(newer);
  return question !== "" && question === questionOf(older) && newer.content !== older.content;
}

function questionOf({ content, quote = "" }: MemoryItem): string {
  const [answer = ""] = quote.split("\n");
  return answer !== "" && content.endsWith(answer) ? content.slice(0, -answer.length).trim() : "";
}
