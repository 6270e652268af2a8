// What stands by an earlier version's judgement is looked at again in its evidence: what was only quoted or pasted there stands no more.
import type { MemoryItem, NewMemoryItem, StorageClient } from "../../src/sdk/index.ts";
import { isCited } from "../../src/text/index.ts";

const settled: ReadonlySet<MemoryItem["kind"]> = new Set(["decisions", "preferences", "facts"]);
/** Why such an item is a candidate. */
export const citedOnly = "Quoted or pasted in the prompts it was taken from, not typed by the user";

/**
 * The items among these that have to be stored anew, as candidates. Each is looked at once, its id is noted in `looked`;
 * one whose evidence is gone stays as it is. Rejects when storage failed.
 */
export async function demoted(
  known: readonly MemoryItem[],
  storage: Pick<StorageClient, "turns">,
  looked: Set<string>,
): Promise<NewMemoryItem[]> {
  const found: NewMemoryItem[] = [];
  for (const item of known) {
    const stands = settled.has(item.kind) && item.state === "standing";
    // A choice has the answer alone as its quotation.
    if (!stands || item.edited || item.quote !== item.content || looked.has(item.id)) continue;
    looked.add(item.id);
    const texts = await evidenceOf(item, storage);
    if (texts.length === 0 || !texts.every((text) => isCited(item.content, text))) continue;
    const { id: _, ...stored } = item;
    found.push({ ...stored, state: "candidate", context: citedOnly });
  }
  return found;
}

async function evidenceOf(
  { session, evidence = [] }: MemoryItem,
  storage: Pick<StorageClient, "turns">,
): Promise<string[]> {
  const texts: string[] = [];
  for (const place of evidence) {
    const of = place.session ?? session;
    const turns = await storage.turns({ session: of, promptNumber: place.turn });
    const turn = turns.find((one) => one.session === of && one.promptNumber === place.turn);
    const text = turn?.pieces[place.piece]?.text;
    if (text !== undefined) texts.push(text);
  }
  return texts;
}
