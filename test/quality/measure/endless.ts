// What `live` leaves of a tool's result: is what an engineer needs of it still there, at how many characters, and if not, does anything hint at it?
import { decide } from "../../../plugins/endless-live/index.ts";
import { createSeen } from "../../../plugins/endless-live/seen.ts";
import { defaultPolicy } from "../../plugins/endless-live/cases.ts";
import { type EndlessCase, endlessKinds, readEndlessCases, says } from "../endless/cases.ts";
import { shapeFor } from "../endless/shape.ts";
import { type Figure, figure, share } from "./report.ts";

/** A case as it was left. */
export interface Left {
  one: EndlessCase;
  before: number;
  after: number;
  isKept: boolean;
  /** Lost, and nothing in what is left hints at it. */
  isSilent: boolean;
  /** The text that is read. */
  text: string;
}

/** Gives the text that is read in place of the output. */
export type Shortening = (one: EndlessCase) => string;

/** As the plugin is shipped. */
export const asShipped: Shortening = (one) => {
  const seen = createSeen();
  if (one.prompt !== undefined) seen.addPrompt("s1", one.prompt);
  const id = "toolu_01needle";
  const { tool, input } = one;
  const arrived = { id, tool, input, response: shapeFor(one), recall: `memoir recall ${id}` };
  return decide(arrived, seen.of("s1", undefined), defaultPolicy)?.after ?? one.output;
};

/** The first characters. */
export const capped =
  (most: (one: EndlessCase) => number): Shortening =>
  (one) =>
    one.output.slice(0, most(one));

/** Every case through a way of shortening. */
export function leave(shorten: Shortening, cases = readEndlessCases()): Left[] {
  return cases.map((one) => {
    const text = shorten(one);
    const lost = one.needles.filter((needle) => !says(text, needle));
    return {
      one,
      text,
      before: one.output.length,
      after: Math.min(text.length, one.output.length),
      isKept: lost.length === 0,
      isSilent: lost.some((needle) => !isHinted(needle, one.output, text)),
    };
  });
}

const words = (text: string): string[] =>
  text.match(/\p{Script=Han}{2}|[\p{Script=Hiragana}\p{Script=Katakana}]{3,}|\p{L}{4,}|\d{3,}/gu) ??
  [];
const stem = (word: string): string => word.toLowerCase().slice(0, 6);

/** A lost line is hinted at when a word of it that is rare in the whole output still stands in what is left. */
function isHinted(needle: string, output: string, text: string): boolean {
  const lines = output.split("\n");
  const line = lines.find((one) => says(one, needle));
  if (line === undefined) return false;
  const rare = [...new Set(words(needle.startsWith("re:") ? line : needle).map(stem))].filter(
    (word) =>
      lines.filter((one) => one.toLowerCase().includes(word)).length <=
      Math.max(2, lines.length / 50),
  );
  const left = text.toLowerCase();
  return rare.some((word) => left.includes(word));
}

const kept = share<Left>(({ isKept }) => isKept);
const silent = share<Left>(({ isSilent }) => isSilent);
const bytes = (of: readonly Left[]): number =>
  of.reduce((sum, { after }) => sum + after, 0) /
  Math.max(
    1,
    of.reduce((sum, { before }) => sum + before, 0),
  );

/** Needles and characters kept, by kind and over all, beside a cap of the same size. */
export function endlessFigures(
  cases = readEndlessCases(),
  kinds: readonly string[] = endlessKinds,
  prefix = "",
): Figure[] {
  const live = leave(asShipped, cases);
  const sizes = new Map(live.map(({ one, after }) => [one.id, after]));
  const same = leave(
    capped(({ id }) => sizes.get(id) ?? 0),
    cases,
  );
  const fixed = leave(
    capped(() => 4_000),
    cases,
  );
  const table = (part: string, of: readonly Left[], measure: (of: readonly Left[]) => number) => [
    ...kinds.map((kind) =>
      figure(
        prefix + part,
        kind,
        of.filter(({ one }) => one.kind === kind),
        ({ one }) => one.aside,
        measure,
      ),
    ),
    figure(prefix + part, "all", of, ({ one }) => one.aside, measure),
  ];
  return [
    ...table("needles kept", live, kept),
    ...table("characters kept", live, bytes),
    ...table("lost in silence", live, silent),
    ...table("needles kept, a cap of the same size", same, kept),
    ...table("needles kept, a cap at 4,000", fixed, kept).slice(-1),
    ...table("characters kept, a cap at 4,000", fixed, bytes).slice(-1),
  ];
}

/** Needles of the development cases that are lost. */
export function endlessMisses(cases = readEndlessCases()): string[] {
  return leave(asShipped, cases)
    .filter(({ one, isKept }) => !one.aside && !isKept)
    .map(
      ({ one, before, after, isSilent }) =>
        `${one.kind}/${one.id}: ${one.needles.join(" · ")} (${before} → ${after}${isSilent ? ", in silence" : ""})`,
    );
}
