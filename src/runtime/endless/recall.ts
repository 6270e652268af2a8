// Gives back what was taken out: by the tool use's id or the beginning of it, a page at a time, booked as fetched back.
import type { Kept, ToolPart } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type KeptReference, keptValue, referencesOf, toolUsesLike } from "./kept-rows.ts";
import { compileSearch } from "./linear-search.ts";
import type { EndlessFile } from "./open-store.ts";
import { type Page, type PageRequest, pageOf } from "./recall-page.ts";
import { naturalText } from "./recall-text.ts";

/** What is asked for. */
export interface RecallQuery extends PageRequest {
  /** A tool use's id, or an unambiguous beginning of it. */
  id: string;
  /** Default: the output, where it was kept. */
  part?: ToolPart | undefined;
}

/** A page of what was kept, with where it came from. */
export interface Recalled extends Page {
  id: string;
  part: ToolPart;
  tool: string;
  session: string;
  keptAt: number;
  /** Both where both were kept. */
  parts: ToolPart[];
  /** How a shell calls memoir, to ask for more. */
  command: string;
}

/** What was kept under an id, and the reference that was made last: what the agent saw last is what it asks back. */
interface Found {
  kept: Kept;
  last: KeptReference;
  parts: ToolPart[];
}

const mostNamed = 6;

/** Throws `recall_not_found` and `recall_ambiguous`. */
export async function findKept(
  file: EndlessFile,
  id: string,
  part: ToolPart | undefined,
): Promise<Found> {
  const found = await file.read((db): Found | undefined => {
    const [toolUseId, ...others] = id === "" ? [] : toolUsesLike(db, id, mostNamed);
    if (toolUseId === undefined) return undefined;
    if (others.length > 0) throw ambiguous(id, [toolUseId, ...others]);
    const references = referencesOf(db, toolUseId);
    const parts = [...new Set(references.map((reference) => reference.part))];
    const wanted = part ?? (parts.includes("output") ? "output" : "input");
    const kept = keptValue(db, toolUseId, wanted);
    const last = references.findLast((one) => one.part === wanted);
    if (!kept || !last)
      throw new MemoirError("recall_not_found", `The ${wanted} of ${toolUseId} was not left out.`, {
        fix: `Ask for its ${parts[0] ?? "other part"}.`,
      });
    return { kept, last, parts };
  });
  if (!found) throw notFound(`Nothing is kept under ${printed(id)}.`);
  return found;
}

/** The page that is asked for. Rejects also with `usage`. `now` is in milliseconds. */
export async function recalledPage(
  { kept, parts }: Found,
  request: PageRequest,
  command: string,
  now: () => number,
): Promise<Recalled> {
  const { toolUseId: id, part, tool, session, keptAt, value } = kept;
  const { grep } = request;
  const matches = grep === undefined ? undefined : await compileSearch(grep, now);
  const page = pageOf(naturalText(value, part), request, matches);
  return { id, part, tool, session, keptAt, parts, command, ...page };
}

function notFound(message: string): MemoirError {
  return new MemoirError("recall_not_found", message);
}

function ambiguous(id: string, ids: readonly string[]): MemoirError {
  const shown = ids.slice(0, mostNamed - 1).join(", ");
  const more = ids.length >= mostNamed ? " and more" : "";
  return new MemoirError("recall_ambiguous", `${printed(id)} could be ${shown}${more}.`);
}

function printed(id: string): string {
  return id.length > 80 ? `${id.slice(0, 80)}…` : id;
}
