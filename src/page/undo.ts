// What was changed through this browser lately, and how each is taken back: outlasts a reload, and every tab knows it.
import type { AskedOf, RoutesOf } from "../server/route-types.ts";
import { post } from "./api.ts";
import { createNews } from "./heard.ts";
import { counted } from "./words.ts";

/** What the server is asked to do with records. */
type Amend = AskedOf<RoutesOf<"post">["/api/amend"]>["body"];

/** Holds ids alone and no text of memory: what is forgotten later must not stay here. */
export interface Change {
  id: string;
  words: string;
  back: Amend[];
  /** Made of what was hidden, and still shown. */
  still: string[];
}

/** A record as far as a change has to know it. */
export interface Marked {
  id: string;
  marks: readonly string[];
}

const name = "memoir-page-changes";
const most = 20;
const news = createNews();
/** How often something was changed: what is shown is asked for again then. */
let round = 0;

function tell(): void {
  round++;
  news.tell();
}
addEventListener("storage", (event) => {
  if (event instanceof StorageEvent && event.key === name) tell();
});

function kept(): Change[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function keep(changes: Change[]): void {
  localStorage.setItem(name, JSON.stringify(changes.slice(-most)));
  tell();
}

/** The newest change that can be taken back, and how often anything was changed. */
export function useUndo(): { last: Change | undefined; round: number } {
  news.useNews();
  return { last: kept().at(-1), round };
}

/** Says that something is otherwise now, and how that is taken back; what cannot be is only said. */
export function changed(words: string, back: Amend[], still: string[] = []): void {
  keep([...kept(), { id: crypto.randomUUID(), words, back, still }]);
}

/** It is not spoken of any more; what it did stays. */
export function dismiss({ id }: Change): void {
  keep(kept().filter((change) => change.id !== id));
}

/** Takes it back. Rejects with what the server refused; it is gone from the list then as well when nothing is left to take back. */
export async function takeBack(change: Change): Promise<void> {
  for (const body of change.back) await post("/api/amend", { body });
  dismiss(change);
}

const said = {
  pinned: ["Pinned, first in every context: ", "No longer pinned: "],
  hidden: ["Hidden from agents: ", "Shown to agents again: "],
} as const;

/** What was hidden, or is told again, with a record. */
function alongWords(along: readonly string[]): string {
  if (along.length === 0) return "";
  const named = along.length > 3 ? counted(along.length, "record") : along.join(", ");
  return `, and ${named}, made from it`;
}

/** Pins or hides records, or takes that back; those that are so already stay out of the undo. */
export async function mark(
  records: readonly Marked[],
  what: keyof typeof said,
  on: boolean,
): Promise<void> {
  const other = records.filter(({ marks }) => marks.includes(what) !== on).map(({ id }) => id);
  if (other.length === 0) return;
  const body = { ids: other, [what]: on };
  const { derived, along, withheld } = await post("/api/amend", { body });
  const named = other.length > 3 ? counted(other.length, "record") : other.join(", ");
  const words =
    withheld.length > 0
      ? "Still hidden from agents, because what it was made from is hidden."
      : `${said[what][on ? 0 : 1]}${named}${alongWords(along)}.`;
  changed(words, [{ ids: other, [what]: !on }], derived);
}

/** Says that items stand as they are; those that stand already stay out of the undo. */
export async function confirm(items: readonly Marked[]): Promise<void> {
  const ids = items.map(({ id }) => id);
  await post("/api/amend", { body: { ids, set: { state: "standing" } } });
  const fresh = items.filter(({ marks }) => !marks.includes("edited")).map(({ id }) => id);
  const named = ids.length > 3 ? counted(ids.length, "item") : ids.join(", ");
  changed(`Confirmed: ${named}.`, fresh.length > 0 ? [{ ids: fresh, undo: true }] : []);
}

/** Gives a record back the texts from before it was edited. */
export async function asBefore(id: string): Promise<void> {
  await post("/api/amend", { body: { ids: [id], undo: true } });
  changed(`${id} reads as it did before your edits.`, []);
}

/** Tells several by one of them, in the words it has or in new ones. */
export async function merge(
  into: Marked,
  others: readonly Marked[],
  set: Record<string, string>,
): Promise<void> {
  const isEdit = Object.keys(set).length > 0;
  if (isEdit) await post("/api/amend", { body: { ids: [into.id], set } });
  const ids = others.map(({ id }) => id);
  await post("/api/amend", { body: { ids, merged: into.id } });
  const parted = others.filter(({ marks }) => !marks.includes("hidden")).map(({ id }) => id);
  const back: Amend[] = parted.length > 0 ? [{ ids: parted, hidden: false }] : [];
  if (isEdit && !into.marks.includes("edited")) back.push({ ids: [into.id], undo: true });
  changed(`${counted(others.length, "record")} merged into ${into.id}.`, back);
}
