// What is asked of the storage in force: records by their kind, and the search; and who each record is by.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import process from "node:process";
import { askStorage, withoutHidden } from "../../runtime/hooks/ask-storage.ts";
import type { Author } from "../../sdk/change.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { editable } from "../../sdk/record-texts.ts";
import type {
  RecordKind,
  SearchQuery,
  SearchResult,
  StoredRecord,
  TurnListQuery,
} from "../../sdk/storage.ts";
import type { EvidenceKind, Marks } from "../../sdk/turn.ts";
import { pathBelow, projectAround } from "../../text/paths.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";

/** Whose hooks answer; the storage may be another after a reload. */
export type WithHooks = Pick<ServerRuntime, "hooks">;

type RecordOf<Kind extends RecordKind> = Extract<StoredRecord, { kind: Kind }>["record"];
type Narrowing = TurnListQuery & { superseded?: boolean };
/** What narrows a list; undefined narrows nothing. */
type ListQuery = { [Name in keyof Narrowing]?: Narrowing[Name] | undefined };

const lists = {
  session: "storage.sessions",
  turn: "storage.turns",
  prompt: "storage.prompts",
  observation: "storage.observations",
  summary: "storage.summaries",
  memory: "storage.memory",
} as const satisfies Record<RecordKind, string>;

/** Kinds of records that are of a session. */
export const partKinds = ["turn", "prompt", "observation", "summary", "memory"] as const;

/** A page of one kind. */
export async function list<Kind extends RecordKind>(
  { hooks }: WithHooks,
  kind: Kind,
  query: ListQuery,
): Promise<Array<RecordOf<Kind>>> {
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  const found = await askStorage(hooks, lists[kind], Object.fromEntries(said) as never);
  return found as Array<RecordOf<Kind>>;
}

const longestPage = 10_000;

/** Every page of one kind, superseded observations too; whoever waits is answered between two pages. A memory item is of no file. */
export async function all<Kind extends RecordKind>(
  runtime: WithHooks,
  kind: Kind,
  { file, ...filter }: ListQuery,
  { atOnce = longestPage, most = Infinity }: { atOnce?: number; most?: number } = {},
): Promise<Array<RecordOf<Kind>>> {
  const found: Array<RecordOf<Kind>> = [];
  const query = {
    ...filter,
    ...(kind !== "memory" && { file }),
    ...(kind === "observation" && { superseded: true }),
  };
  for (let offset = 0; ; offset += atOnce) {
    const page = await list(runtime, kind, { ...query, offset, limit: atOnce });
    found.push(...page);
    if (page.length < atOnce || found.length >= most) return found;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Records with the kind that they are of. */
export function stored<Kind extends RecordKind>(
  kind: Kind,
  records: ReadonlyArray<RecordOf<Kind>>,
): StoredRecord[] {
  return records.map((record) => ({ kind, record }) as StoredRecord);
}

/** One record. Throws `record_not_found`. */
export async function recordOf({ hooks }: WithHooks, id: string): Promise<StoredRecord> {
  const [found] = await askStorage(hooks, "storage.get", { ids: [id] });
  if (!found) throw new MemoirError("record_not_found", "There is no record of that id.");
  return found;
}

/** When it was, in epoch ms; a turn stands where its prompt was. */
export function momentOf({ kind, record }: StoredRecord): number {
  switch (kind) {
    case "session":
    case "turn":
      return record.startedAt;
    case "memory":
      return Date.parse(record.date) || 0;
    default:
      return record.time;
  }
}

/** `Project.id` of a record. */
export function projectOf({ kind, record }: StoredRecord): string {
  return kind === "session" ? record.project.id : record.project;
}

/** Memory as agents see it, in their tools and in the commands of their shells: its storage gives nothing that the user hid. */
export function forAgents<Runtime extends WithHooks>(runtime: Runtime): Runtime {
  const { first } = withoutHidden(runtime.hooks);
  return { ...runtime, hooks: { ...runtime.hooks, first } };
}

// The one way to storage's search for whoever asks over a wire: names for times are looked up before.

/** What is asked, and from where. */
interface WireSearch extends SearchQuery {
  /** The asker's folder: its repository names the times where no project is named. */
  cwd?: string;
}

/** A result, and as `by` who said what it shows, where the `by` of a query says what one result stands for; a session's title is nobody's. */
export type Hit = SearchResult & { by?: string; projectName?: string };

/** Searches. A question in which no name for a time can stand asks no repository; a file is looked for by its former names too. */
export async function search(
  runtime: WithHooks,
  { cwd, ...query }: WireSearch,
  ask: AskGit = askGit,
): Promise<Hit[]> {
  const { project, file, text, also = [] } = query;
  const last = project === undefined ? [] : await list(runtime, "session", { project, limit: 1 });
  const folder = project === undefined ? cwd : last[0]?.project.root;
  const here =
    project === undefined && cwd !== undefined ? await projectAt(runtime, cwd) : undefined;
  const [marks, formerly] =
    folder === undefined
      ? [[], []]
      : await Promise.all([
          gitMarks(folder, [text, ...also], ask),
          file === undefined ? [] : gitRenames(folder, file, ask),
        ]);
  // Answered by `recordHooks` in src/records/record-store.ts, behind plugins/semantic-search where that is on.
  const found = await askStorage(runtime.hooks, "storage.search", {
    by: "turn",
    ...query,
    ...(here === undefined ? {} : { here }),
    ...(marks.length > 0 ? { marks } : {}),
    ...(formerly.length > 0 ? { formerly } : {}),
  });
  return await withSpeakers(runtime, await ranked(runtime, query, found));
}

/** The results in the order that plugins give them; a plugin has no other say in what they are. */
async function ranked({ hooks }: WithHooks, query: SearchQuery, found: SearchResult[]) {
  if (found.length < 2 || hooks.subscriptions("rank").length === 0) return found;
  const { value } = await hooks.reduce("rank", { query, results: found });
  const places = new Map(value.results.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: SearchResult) => places.get(id) ?? found.length;
  return found.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** The sessions of results, those that are there. */
export async function sessionsOf(
  { hooks }: WithHooks,
  results: ReadonlyArray<{ session: string }>,
) {
  const ids = [...new Set(results.map(({ session }) => session))];
  const found = ids.length === 0 ? [] : await askStorage(hooks, "storage.get", { ids });
  return found.flatMap(({ kind, record }) => (kind === "session" ? [record] : []));
}

/** With what their projects are called; of one without a session nobody says it. */
export async function withProjectNames<Of extends { project: string }>(
  runtime: WithHooks,
  found: readonly Of[],
): Promise<Array<Of & { projectName?: string }>> {
  // What a storage of somebody else's answers is checked on its way out.
  const ids = [...new Set(found.map(({ project }) => project))].filter(
    (id) => typeof id === "string",
  );
  const sessions = ids.map((project) => list(runtime, "session", { project, limit: 1 }));
  const projects = (await Promise.all(sessions)).flatMap(([last]) => last?.project ?? []);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return found.map((one) => {
    const projectName = names.get(one.project);
    return projectName ? { ...one, projectName } : one;
  });
}

/** A folder whose last session is older than these is nobody's work at hand. */
const lately = 200;

/** The id of the project that holds a folder, as sessions tell it. */
async function projectAt(runtime: WithHooks, folder: string): Promise<string | undefined> {
  const sessions = await list(runtime, "session", { limit: lately });
  const projects = sessions.map(({ project }) => project);
  return projectAround(projects, folder)?.id;
}

async function withSpeakers(runtime: WithHooks, found: SearchResult[]): Promise<Hit[]> {
  // What a storage of somebody else's answers is checked on its way out.
  const known = found.filter(({ kind, id }) => kind !== "session" && typeof id === "string");
  const ids = [...new Set(known.map(({ id, found = id }) => found))];
  if (ids.length === 0) return found;
  const stored = await askStorage(runtime.hooks, "storage.get", { ids });
  const records = new Map(stored.map((one) => [one.record.id, one]));
  return found.map((hit) => {
    const record = records.get(hit.found ?? hit.id);
    const speaker = record && whoSaid(record, hit.piece ?? 0);
    // A command that passes is no decision.
    const type = record?.kind === "memory" ? record.record.kind : hit.type;
    return { ...hit, type, ...(speaker !== undefined && { by: speaker }) };
  });
}

// Who a record is by, in a few words: the user, the agent, a tool, the client, or whoever concluded it; and whether it is as somebody read it. Pure.

/** Who is behind each kind of piece. */
export const speakers: Readonly<Record<EvidenceKind, string>> = {
  prompt: "user",
  typed: "user",
  refusal: "user",
  choice: "user",
  plan: "agent, accepted by user",
  interrupted: "user",
  closing: "agent",
  said: "agent",
  task: "agent",
  todo: "agent",
  report: "subagent",
  compaction: "client",
  commit: "agent",
  published: "agent",
  failure: "tool",
  repair: "tool",
  passed: "tool",
  ran: "tool",
};

/** Of a whole record, or of a piece of a turn; undefined for a whole turn or session of this home, whose pieces are by many. */
export function whoSaid(stored: StoredRecord, piece?: number): string | undefined {
  const said = saidBy(stored, piece);
  const { from, edited } = stored.record;
  const maker = edited ? edited.by : from;
  // Whoever edits need not be in a client.
  const client = !edited && "client" in stored.record ? stored.record.client : undefined;
  return maker ? withMaker(said, maker, client) : said;
}

const theUser = /\b(?:the )?user\b/;

/** `typed by Bo on desk with codex`, `agent, for Bo on desk with codex`; of the same person's other machine `said by the user on laptop`. */
function withMaker(
  said: string | undefined,
  { person = "another member", machine, own }: Author,
  client?: string,
) {
  const where = `${machine ? ` on ${machine}` : ""}${client ? ` with ${client}` : ""}`;
  const name = own ? "the user" : person;
  if (said === undefined) return name + where;
  if (theUser.test(said)) return said.replace(theUser, () => name) + where;
  return own ? said + where : `${said}, for ${name}${where}`;
}

function saidBy({ kind, record }: StoredRecord, piece?: number): string | undefined {
  if (record.edited)
    return isConfirmed(record) ? "confirmed by the user" : "in the user's own words";
  switch (kind) {
    case "prompt":
      return "typed by the user";
    case "memory":
      return ofItem(record);
    case "observation":
    case "summary": {
      // A storage of somebody else's may have kept none.
      const { strategy, model } = record.provenance ?? {};
      const isOwn = strategy === undefined || /^heuristic(?:-summary)?$/.test(strategy);
      const by = [isOwn ? "" : strategy, model].filter(Boolean).join(", ");
      return `written by ${by || "memoir"}`;
    }
    case "session":
      return undefined;
    case "turn": {
      const said = piece === undefined ? undefined : record.pieces[piece];
      return said && speakers[said.kind];
    }
  }
}

/** Its words are as they were: all that the user said of it is that it stands. */
function isConfirmed({ edited }: Marks): boolean {
  return Object.keys(edited?.was ?? {}).join() === "state";
}

/** With its version, and with `by` where one alone said it. */
export function attributed(stored: StoredRecord): StoredRecord & { by?: string; version: string } {
  const by = whoSaid(stored);
  return { ...stored, ...(by !== undefined && { by }), version: versionOf(stored) };
}

function ofItem(record: Extract<StoredRecord, { kind: "memory" }>["record"]) {
  const { kind, state, quote, content } = record;
  // What stands without a quotation the user wrote into its file.
  if (kind === "workflows" && quote !== undefined) return "seen to pass here; nobody set it";
  if (state === undefined) return "inferred; not said by the user";
  if (state === "candidate") return "suggested, not confirmed by the user";
  return quote === undefined || quote === content ? "said by the user" : "chosen by the user";
}

/** Another one once it changes: of its texts, its state, and what the user made of it. */
export function versionOf({ kind, record }: StoredRecord): string {
  const { pinned, hidden, merged, edited } = record;
  const texts = [...editable[kind], "state"].map((name) => Reflect.get(record, name) ?? null);
  const said = JSON.stringify([texts, pinned, hidden, merged, edited?.time]);
  return createHash("sha256").update(said).digest("base64url").slice(0, 16);
}

// Moments that have a name in a repository: its tags, and commits that a question names. For "before v1.2", "since the release".

type NamedTimes = NonNullable<SearchQuery["marks"]>;

/** Only after these words does a name stand for a time; nobody asks git otherwise. */
const naming = /\b(?:before|after|since|until|till|by)\s+(?:the\s+)?(?:last\s+)?(\S+)/giu;
const mostTags = 300;
const longestMs = 1_500;

/** Asks git in a folder; gives its output, or nothing when it fails or takes too long. */
type AskGit = (folder: string, args: readonly string[]) => Promise<string>;

/** The moments that the texts may name, in the repository that holds a folder; none where it holds none. */
export async function gitMarks(
  folder: string,
  texts: readonly string[],
  ask: AskGit = askGit,
): Promise<NamedTimes> {
  const names = texts.flatMap((text) =>
    text.length > 400 ? [] : [...text.matchAll(naming)].map(([, name = ""]) => name),
  );
  if (names.length === 0) return [];
  const hashes = names.filter((name) => /^[0-9a-f]{7,40}$/.test(name)).slice(0, 3);
  const outputs = await Promise.all([
    ask(folder, [
      ...["for-each-ref", `--count=${mostTags}`, "--sort=-creatordate"],
      ...["--format=%(creatordate:unix) %(refname:short)", "refs/tags"],
    ]),
    ...hashes.map((hash) => ask(folder, ["log", "-1", `--format=%ct ${hash}`, hash, "--"])),
  ]);
  return outputs.flatMap(marksIn);
}

/** `1763000000 v1.2` a line. */
function marksIn(output: string): NamedTimes {
  return output.split("\n").flatMap((line) => {
    const [, seconds, name] = /^(\d{1,12}) (\S+)$/.exec(line.trim()) ?? [];
    return seconds && name ? [{ name, time: Number(seconds) * 1_000 }] : [];
  });
}

/** Asks the git that is installed. */
export function askGit(folder: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  return new Promise((resolve) => {
    execFile(
      "git",
      ["-C", folder, ...args],
      { env, timeout: longestMs, maxBuffer: 1_000_000, windowsHide: true },
      (error, stdout) => resolve(error ? "" : stdout),
    );
  });
}

// Names that a file had before, as its repository tells them: what was done to it under those belongs to it too.

const mostRenames = 10;

/** The former paths of a file in the repository that holds a folder, the last first; none where nobody knows. Never rejects. */
export async function gitRenames(
  folder: string,
  file: string,
  ask: AskGit = askGit,
): Promise<string[]> {
  const path = await pathIn(folder, file, ask);
  if (path === undefined) return [];
  const output = await ask(folder, [
    ...["log", "--follow", "--name-status", "--diff-filter=R", "--format=", "-z"],
    ...[`--max-count=${mostRenames}`, "--", path],
  ]);
  return formerNames(output);
}

/** The one path that is meant: the end of it is enough; relative to the folder. */
async function pathIn(folder: string, file: string, ask: AskGit): Promise<string | undefined> {
  const inside = pathBelow(folder, file) ?? file;
  if (inside === "" || /^\/|\/$|[*?[\]:]|(?:^|\/)\.\.(?:\/|$)/.test(inside)) return undefined;
  const listed = await ask(folder, ["ls-files", "-z", "--", `:(glob)**/${inside}`]);
  const paths = listed.split("\0").filter((path) => path !== "");
  return paths.length === 1 ? paths[0] : undefined;
}

/** Of `R100`, the old path and the new path, each followed by a NUL. */
function formerNames(output: string): string[] {
  const parts = output.split("\0").map((part) => part.replace(/^\n+/, ""));
  return parts.flatMap((part, i) => (/^R\d*$/.test(part) ? (parts[i + 1] ?? []) : []));
}
