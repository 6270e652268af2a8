// claude-mem's rows as memoir's records: pure functions of rows.
import type {
  NewMemoryItem,
  NewObservation,
  NewPrompt,
  NewSummary,
  SessionUpdate,
} from "../../../sdk/model.ts";
import { ofSummaryTexts } from "../../../sdk/model.ts";
import { baseName, nameWords } from "../../../text/text.ts";
import type { SourceRow } from "./read-database.ts";

/** A session as its records need it. */
export interface SourceSession {
  /** The client's own id: the transcript's. */
  id: string;
  client: string;
  project: string;
  root: string;
}

/** What claude-mem's own observer made of itself. */
const observerProject = "observer-sessions";
const observedMark = "<observed_from_primary_session>";
const observerBeginnings = ["You are a Claude-Mem, a specialized observer", "Hello memory agent"];

/** Whether a project's rows are what the observer left of itself. */
export function isObserver(project: unknown): boolean {
  return project === observerProject;
}

/** Whether a prompt was typed by a person. */
export function isTyped(text: string): boolean {
  const begin = text.trimStart();
  return (
    begin !== "" &&
    begin.trim() !== "[media prompt]" &&
    !text.includes(observedMark) &&
    !observerBeginnings.some((mark) => begin.startsWith(mark))
  );
}

/** Epoch ms of a row: its number, in seconds where it is too small for milliseconds, else its text; undefined for neither. */
export function timeOf(row: SourceRow, column = "created_at"): number | undefined {
  const epoch = Number(row[`${column}_epoch`]);
  if (epoch > 0) return Math.round(epoch < 1e12 ? epoch * 1000 : epoch);
  const time = Date.parse(String(row[column] ?? ""));
  return Number.isNaN(time) ? undefined : time;
}

/** A list column: JSON, or, where somebody wrote something else, its lines or the parts between commas. */
export function listOf(value: string | number | undefined): string[] {
  const text = String(value ?? "").trim();
  try {
    const parsed: unknown = JSON.parse(text);
    const items = Array.isArray(parsed) ? parsed : [parsed];
    return unique(items.flatMap((item) => (typeof item === "string" ? [item.trim()] : [])));
  } catch {
    return unique(text.split(/\n|,(?=\s)/).map((part) => part.replace(/^[-*•]\s+/, "").trim()));
  }
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items.filter((item) => item !== ""))];
}

/** `keyword: prose` of old rows is its keyword. */
function conceptsOf(value: string | number | undefined): string[] {
  return unique(listOf(value).map((concept) => (concept.split(":")[0] ?? "").trim().toLowerCase()));
}

/** memoir's words for a type; a mode of somebody's own may have any. */
function typeOf(value: string): string {
  const word = value
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (word === "change") return "feature";
  return word === "" ? "discovery" : word;
}

/** Where claude-mem keeps its sessions' own ids of memories that were stored by hand. */
const manualMark = "manual-";

/** A session; undefined for one of the observer's, or without a time. */
export function sessionOf(row: SourceRow, at: SourceSession): SessionUpdate | undefined {
  const startedAt = timeOf(row, "started_at");
  if (startedAt === undefined) return undefined;
  const endedAt = timeOf(row, "completed_at");
  return {
    ...{ id: at.id, client: at.client },
    project: { id: at.project, name: baseName(at.project), root: at.root },
    ...(row.custom_title === undefined ? {} : { title: String(row.custom_title) }),
    // Nobody works on it any more, whatever its status says.
    status: "ended",
    ...{
      startedAt,
      lastActiveAt: Math.max(startedAt, endedAt ?? 0),
      endedAt: endedAt ?? startedAt,
    },
  };
}

/** A prompt; undefined where nobody typed it. */
export function promptOf(row: SourceRow, at: SourceSession): NewPrompt | undefined {
  const text = String(row.prompt_text ?? "");
  const time = timeOf(row);
  if (!isTyped(text) || time === undefined) return undefined;
  return { ...placeOf(at), promptNumber: numberOf(row), text, time };
}

/** An observation of any of its forms; undefined where it says nothing. */
export function observationOf(row: SourceRow, at: SourceSession): NewObservation | undefined {
  const time = timeOf(row);
  const said = saidBy(row);
  if (time === undefined || said.title === "") return undefined;
  const { agent_id: id, agent_type: type, discovery_tokens } = row;
  const agent = id !== undefined && {
    id: String(id),
    ...(type !== undefined && { type: String(type) }),
  };
  const tokens = typeof discovery_tokens === "number" ? discovery_tokens : 0;
  return {
    ...placeOf(at),
    promptNumber: numberOf(row),
    type: typeOf(String(row.type ?? "")),
    ...said,
    concepts: conceptsOf(row.concepts),
    filesRead: listOf(row.files_read).map((path) => below(path, at.root)),
    filesModified: listOf(row.files_modified).map((path) => below(path, at.root)),
    toolUseIds: [],
    ...(agent && { agent }),
    time,
    discoveryTokens: tokens > 0 ? tokens : null,
    observerTokens: null,
    provenance: provenanceOf(row),
  };
}

/** The old form was one sentence in `text`; its first words become the title. */
function saidBy(
  row: SourceRow,
): Pick<NewObservation, "title" | "subtitle" | "facts" | "narrative"> {
  const word = (column: string) => String(row[column] ?? "").trim();
  const facts = listOf(row.facts);
  const narrative = word("narrative") || word("text");
  const title = word("title") || firstWords(word("subtitle") || facts[0] || narrative);
  return { title, subtitle: word("subtitle"), facts, narrative };
}

function firstWords(text: string): string {
  const words = text.replace(/\s+/g, " ").trim().split(" ");
  return words.length <= 10 ? words.join(" ") : `${words.slice(0, 10).join(" ")} …`;
}

/** A summary; undefined where it says nothing. */
export function summaryOf(row: SourceRow, at: SourceSession): NewSummary | undefined {
  const time = timeOf(row);
  const word = (column: string) => String(row[column] ?? "").trim();
  const texts = ofSummaryTexts((name) => word(nameWords(name, "_")));
  if (time === undefined || Object.values(texts).every((text) => text === "")) return undefined;
  return {
    ...placeOf(at),
    scope: "prompt",
    promptNumber: numberOf(row),
    ...texts,
    filesRead: listOf(row.files_read).map((path) => below(path, at.root)),
    filesEdited: listOf(row.files_edited).map((path) => below(path, at.root)),
    time,
    observerTokens: null,
    provenance: provenanceOf(row),
  };
}

/** What was stored by hand is a memory item; undefined for any other observation. */
export function manualItemOf(row: SourceRow, project: string): NewMemoryItem | undefined {
  const session = String(row.memory_session_id ?? "");
  if (!session.startsWith(manualMark)) return undefined;
  const time = timeOf(row);
  const { title, facts, narrative } = saidBy(row);
  const content = narrative || facts.join(" ") || title;
  if (time === undefined || content === "") return undefined;
  return {
    kind: "facts",
    date: new Date(time).toISOString().slice(0, 10),
    content,
    context: title === content ? "" : title,
    session,
    project,
  };
}

function placeOf({ id, client, project }: SourceSession) {
  return { session: id, client, project };
}

function numberOf({ prompt_number: number }: SourceRow): number {
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function provenanceOf({ generated_by_model: model }: SourceRow) {
  return { strategy: "claude-mem", model: model === undefined ? null : String(model) };
}

/** Relative to the project's folder where it lies inside. */
function below(path: string, root: string): string {
  return root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
