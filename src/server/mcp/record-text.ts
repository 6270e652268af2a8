// Records as an agent reads them over MCP: plain text, every part named, nothing for a terminal; what is in them is data.

import {
  type Observation,
  type Prompt,
  type Session,
  type Summary,
  summaryTextNames,
} from "../../sdk/model.ts";
import {
  firstWords,
  furtherTexts,
  listsOf,
  namesTurn,
  partIds,
  shownFailures,
  typeOf,
} from "../../sdk/record-texts.ts";
import type { SearchReason, StoredRecord } from "../../sdk/storage.ts";
import { evidenceKinds, type Turn } from "../../sdk/turn.ts";
import {
  asDataDeep,
  asQuoted,
  capitalize,
  cut,
  localClock,
  nameWords,
  oneLine,
} from "../../text/text.ts";

import { type Hit, momentOf, speakers, whoSaid } from "../memory/records.ts";
import type { TimelineItem } from "../memory/timeline.ts";

const { day } = localClock;

/** For each result a line: id, date, type, title, project; what was asked; up to three facts of an observation, or else the passage that was found; what failed; the ids of its parts. */
export function resultsText(found: readonly Hit[]): string {
  const results = asDataDeep(found);
  if (results.length === 0) return "Nothing found. Other words, or fewer filters, may find more.";
  const corrected = Object.entries(results[0]?.corrected ?? {}).map(
    ([word, instead]) =>
      `No match for "${oneLine(word)}"; searched for "${oneLine(instead)}" instead.`,
  );
  const lines = results.map((result) => {
    const { id, kind, createdAt, type, title, project, supersededBy } = result;
    const said = oneLine(result.excerpt ?? "");
    const passage =
      said === "" || title.includes(said) ? [] : [isOfPiece(result) ? spoken(result, said) : said];
    const facts = (result.facts.length > 0 ? result.facts.slice(0, 3) : passage).map(
      (fact) => `\n  - ${cut(oneLine(fact), 240)}`,
    );
    const parts = partIds(result.parts, id);
    const ofWhom = kind === "turn" || !result.by ? project : `${project}, ${result.by}`;
    const why = result.why ? `\n  because of ${whyText(result.why)}` : "";
    return `${id} ${day(createdAt)} ${type}${overtaken(supersededBy)}: ${oneLine(title)} (${ofWhom})${askedText(result)}${facts.join("")}${filesText(result)}${failuresText(result)}${parts && `\n  ${parts}`}${why}`;
  });
  return [...corrected, ...lines, "", "Whole records: `get` with their ids."].join("\n");
}

/** Its excerpt is a piece of a turn, which somebody said. */
function isOfPiece({ kind, found }: Hit): boolean {
  return kind === "turn" && found === undefined;
}

function askedText({ asked = "", title }: Hit): string {
  const said = cut(oneLine(asked), 160);
  return said === "" || said.startsWith(title.replace(/…$/, "")) ? "" : `\n  asked: “${said}”`;
}

const shownFiles = 4;

/** Of a turn, which has no facts that name them. */
function filesText({ kind, files }: Hit): string {
  if (kind !== "turn" || files.length === 0) return "";
  const rest = files.length > shownFiles ? ` and ${files.length - shownFiles} more` : "";
  return `\n  files: ${files.slice(0, shownFiles).join(", ")}${rest}`;
}

function failuresText({ failures = [] }: Hit): string {
  return failures
    .slice(0, shownFailures)
    .map(({ failed, isFixed }) => `\n  failed${isFixed ? ", then fixed" : ""}: ${cut(failed, 120)}`)
    .join("");
}

/** A turn's pieces are by many. */
function spoken({ by }: Hit, said: string): string {
  return by === undefined ? said : `${by}: “${cut(asQuoted(said), 220)}”`;
}

function whyText({ words, field, documentRank }: SearchReason): string {
  const found = words.map(({ word, adds }) => `${word} ${adds.toFixed(1)}`).join(", ");
  return `${found || "its time"} (${field}; record ${documentRank} of all)`;
}

/** One line for each entry, oldest first. */
export function timelineText(items: readonly TimelineItem[]): string {
  if (items.length === 0) return "Nothing happened there. Another time or project may have more.";
  return asDataDeep(items)
    .map((item) => {
      const moment = momentOf(item);
      const time = `${day(moment)} ${localClock.time(moment)}`;
      const { id } = item.record;
      const parts = partIds(item.parts, id);
      return `${id} ${time} ${titleOf(item)}${parts && ` (${parts})`}`;
    })
    .join("\n");
}

/** Its kind, and the words that say most of it. */
function titleOf(item: TimelineItem): string {
  const named = namesTurn(item.parts);
  const type = `${named?.type ?? typeOf(item)}${overtaken(named?.supersededBy)}`;
  return `${type}: ${cut(oneLine(named?.title ?? firstWords(item)), 160)}`;
}

/** What holds no more says so before it is read. */
function overtaken(newer: string | undefined): string {
  return newer === undefined ? "" : ` (superseded by ${newer})`;
}

/** A whole record. */
export function recordText(kept: StoredRecord): string {
  const stored = asDataDeep(kept);
  switch (stored.kind) {
    case "observation":
      return observationText(stored.record, by(stored));
    case "summary":
      return summaryText(stored.record, by(stored));
    case "prompt":
      return promptText(stored.record, by(stored));
    case "session":
      return sessionText(stored.record);
    case "memory": {
      const { id, kind, date, content } = stored.record;
      return parts([`${id} ${date} ${kind}${by(stored)}: ${content}`, ...rest(stored)]);
    }
    case "turn":
      return turnText(stored.record);
  }
}

/** Who it is by, before any of its own words: none of them can pose as that. */
function by(stored: StoredRecord): string {
  const who = whoSaid(stored);
  return who === undefined ? "" : ` (${who})`;
}

function observationText(record: Observation, who: string): string {
  return parts([
    `${record.id} ${day(record.time)} ${record.type}${overtaken(record.supersededBy)}${who}: ${record.title}`,
    ...rest({ kind: "observation", record }),
    ...lists({ kind: "observation", record }),
    // By them `recall` finds what was taken out of the conversation.
    list("Tool uses", record.toolUseIds),
  ]);
}

function summaryText(record: Summary, who: string): string {
  return parts([
    `${record.id} ${day(record.time)} summary of a ${record.scope}${who}`,
    ...summaryTextNames.map((name) => field(capitalize(nameWords(name)), record[name])),
    ...lists({ kind: "summary", record }),
  ]);
}

function promptText(record: Prompt, who: string): string {
  return parts([
    `${record.id} ${day(record.time)} prompt ${record.promptNumber}${who}`,
    record.text,
  ]);
}

function sessionText(record: Session): string {
  return parts([
    `${record.id} ${day(record.startedAt)} session: ${record.title || "untitled"}`,
    ...rest({ kind: "session", record }),
    field("Ended by", record.endReason ?? ""),
  ]);
}

/** What stands before a piece. At the beginning of a line inside one it is somebody's who would pose as another. */
const label = new RegExp(`^([^\\S\\n]*)\\[(?=(?:${evidenceKinds.join("|")})\\b)`, "gim");

/** Piece by piece: who said it stands before it, so that nothing in it can pose as somebody else. */
function turnText(record: Turn): string {
  const changed = record.files.filter((file) => file.changed);
  return parts([
    `${record.id} ${day(record.startedAt)} turn ${record.promptNumber} of session ${record.session} (${record.end})`,
    ...record.pieces.map(({ kind, about, text, times }) =>
      [
        `[${kind}${times ? ` ${times} times` : ""} · ${speakers[kind]}]`,
        ...[about, text].map((said) => said?.replace(label, "$1‹")),
      ]
        .filter(Boolean)
        .join(" "),
    ),
    list(
      "Files changed",
      changed.map(({ path, symbols = [] }) => [path, ...symbols].join(" ")),
    ),
    list(
      "Files read",
      record.files.filter((file) => !file.changed).map(({ path }) => path),
    ),
  ]);
}

/** What it says beside what it is called. */
function rest(stored: StoredRecord): string[] {
  return furtherTexts(stored).map((text) =>
    typeof text === "string" ? text : text.map((one) => `- ${one}`).join("\n"),
  );
}

function field(name: string, text: string): string {
  return text === "" ? "" : `${name}: ${text}`;
}

function list(name: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${name}: ${items.join(", ")}`;
}

function lists(stored: StoredRecord): string[] {
  return listsOf(stored).map(([name, items]) => list(capitalize(name), items));
}

function parts(texts: ReadonlyArray<string | undefined>): string {
  return texts.filter(Boolean).join("\n");
}
