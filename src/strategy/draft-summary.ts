// Makes a summary's draft of what a model said: prose bounded, files checked, the session's title within its words.

import { scrubDeep } from "../privacy/scrub.ts";
import { ofSummaryTexts, type SummaryDraft } from "../sdk/model.ts";
import type { Paths } from "../text/prose/paths.ts";
import { cleanText, plainLine } from "../text/prose/plain.ts";
import { countWords, cut, limitWords } from "../text/text.ts";
import type { RawAnswer, RawSummary } from "./raw-answer.ts";
import type { TouchedFiles } from "./touched-files.ts";

/** Word limits of a session's title and subtitle. */
export const sessionTitleLimits = { min: 3, max: 6, subtitle: 20 } as const;

const fieldLength = 900;
const mostFiles = 50;

/** The draft, or in words for the model why it can be none. Files are those that are known to have been touched. */
export function draftSummary(
  raw: RawSummary,
  known: TouchedFiles,
  paths: Paths,
): SummaryDraft | string {
  const said = scrubDeep(raw).value as RawSummary;
  const field = (text: string) =>
    cut(paths.inText(plainLine(cleanText(text))).toWellFormed(), fieldLength);
  const texts = ofSummaryTexts((name) => {
    const text = field(said[name] ?? "");
    return isHollow(text) ? "" : text;
  });
  const { request, nextSteps, ...telling } = texts;
  if (Object.values(telling).every((text) => text === ""))
    return "the summary says neither what was investigated, learned nor completed";
  return {
    ...texts,
    filesRead: known.read.slice(0, mostFiles),
    filesEdited: known.modified.slice(0, mostFiles),
  };
}

/** "None", "N/A" and the like. */
function isHollow(text: string): boolean {
  return /^(?:none|n\/?a|nothing|not applicable|unknown|-+)?[.!]?$/i.test(text.trim());
}

/** The session's title (3 to 6 words) and subtitle (at most 20), each only where the model gave one that fits. */
export function draftTitles(
  answer: RawAnswer,
  paths: Paths,
): { title?: string; subtitle?: string } {
  const { min, max, subtitle: most } = sessionTitleLimits;
  const clean = (text: string | undefined) =>
    text === undefined
      ? ""
      : paths
          .inText(plainLine(cleanText(String(scrubDeep(text).value))))
          .replace(/[.:;,\s]+$/, "")
          .toWellFormed();
  const title = clean(answer.title);
  const subtitle = clean(answer.subtitle);
  const count = countWords(title);
  const fitted =
    count >= min && count <= max ? title : count > max ? limitWords(title, max, "…") : "";
  const below = countWords(subtitle) <= most ? subtitle : limitWords(subtitle, most, "…");
  return {
    ...(countWords(fitted) >= min && { title: cut(fitted, 90) }),
    ...(below !== "" && { subtitle: cut(below, 200) }),
  };
}
