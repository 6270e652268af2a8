// The context that a session or a prompt would get now, and the records that it is made of.
import { clientNamed } from "../../clients/index.ts";
import { parsePayload } from "../../clients/normal/payload.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Reply } from "../../sdk/events.ts";
import type { MemoryItem, Project } from "../../sdk/model.ts";
import { firstWords } from "../../sdk/record-texts.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import { type UseNote, usesOf } from "../../strategy/uses.ts";
import { cut, oneLine } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { withheldFromAgents } from "./amend.ts";
import { derivedFrom } from "./forget.ts";
import { attributed, recordOf, sessionsOf } from "./records.ts";

/** Which session: where it would start, and with which prompt. */
interface Occasion {
  client?: string;
  /** Its folder; of a project without one, the last of its folders that is there. */
  cwd?: string;
  /** Its project by name or id, whatever the folder says. */
  project?: string;
  source?: string;
  prompt?: string;
}

/** The text as it would be given, whose memory it is of, the records that it names, its lines without the mark around it, and why others are not in it. Nothing is kept, and nothing counts as told. Throws `usage`, and `record_not_found` for a project that memory has nothing of. */
export async function previewContext(
  runtime: Pick<ServerRuntime, "hooks" | "reply" | "projectOf">,
  { client = "claude-code", cwd, project: named, source = "startup", prompt }: Occasion,
  now: () => number,
) {
  if (cwd === undefined && named === undefined)
    throw new MemoirError("usage", "`cwd` or `project` is missing.", { fix: "Say one of them." });
  const known = named === undefined ? undefined : await projectNamed(runtime, named, cwd);
  const folder = cwd ?? (known?.root || "/");
  // A session nobody has, so that nothing counts as already given.
  const common = { session_id: `preview-${crypto.randomUUID()}`, cwd: folder };
  const payload =
    prompt === undefined
      ? { ...common, hook_event_name: "SessionStart", source }
      : { ...common, hook_event_name: "UserPromptSubmit", prompt };
  const delivery = { id: crypto.randomUUID(), time: now() };
  const event = parsePayload(clientNamed(client).name, payload, delivery);
  const {
    context = "",
    records = [],
    traces = [],
    omitted: weighed = {},
  }: Reply = await runtime.reply(known ? { ...event, project: known } : event);
  // "Nothing" is said only by a memory that can be read.
  if (context === "") await askStorage(runtime.hooks, "storage.stats", {});
  const project = known ?? (await runtime.projectOf(folder));
  const lines = contextLines(context, { records, traces });
  const ids = [...new Set([...records, ...lines.flatMap((line) => line.records)])];
  const sources = await sourcesOf(runtime, ids);
  return { context, ...(project && { project }), records: sources, lines, weighed };
}

/** So many items are looked through, and named of each reason. */
const omittedAtMost = { looked: 500, named: 20 };

/** What is laid down, here or elsewhere, and not in the context of a start, by the reason for that: the plugin's own, else what the item is. */
export async function omittedFrom(
  runtime: Pick<ServerRuntime, "hooks">,
  { project, records }: { project?: Project; records: ReadonlyArray<{ id: string }> },
  weighed: Readonly<Record<string, string>>,
) {
  if (!project) return [];
  const query = { kinds: laidDownKinds, limit: omittedAtMost.looked };
  const [here, everywhere] = await Promise.all([
    askStorage(runtime.hooks, "storage.memory", { ...query, project: project.id }),
    askStorage(runtime.hooks, "storage.memory", { ...query, hidden: false }),
  ]);
  const known = new Set(here.map(({ id }) => id));
  const shown = new Set(records.map(({ id }) => id));
  const isLaidDown = ({ state, edited }: MemoryItem) => state === "standing" || edited;
  const reasonOf = (item: MemoryItem) => {
    if (item.merged) return "merged into another";
    if (item.hidden) return "hidden";
    return isLaidDown(item) ? (weighed[item.id] ?? "not weighed at such a start") : "not confirmed";
  };
  const absent = [
    ...here.filter(({ id }) => !shown.has(id)).map((item) => [reasonOf(item), item] as const),
    ...everywhere
      .filter((item) => !known.has(item.id) && isLaidDown(item))
      .map((item) => ["of another project", item] as const),
  ];
  const place = (why: string) => lastReasons.indexOf(why);
  return [...Map.groupBy(absent, ([why]) => why)]
    .sort(([one], [other]) => place(one) - place(other))
    .map(([why, items]) => ({
      ...{ why, count: items.length },
      records: items
        .slice(0, omittedAtMost.named)
        .map(([, record]) => sourceOf({ kind: "memory", record })),
    }));
}

const laidDownKinds = ["decisions", "preferences", "projects", "facts"] as const;
/** What was weighed stands above what was never to be in it. */
const lastReasons = ["hidden", "merged into another", "not confirmed", "of another project"];

/** Each line, and the ids of the records that an entry of memory was made of. An entry begins with "- " and goes on in indented lines; where nothing says what it was made of, the ids at its head do. */
export function contextLines(
  context: string,
  { records, traces }: { records: readonly string[]; traces: readonly string[][] },
) {
  const lines: Array<{ as: "heading" | "frame" | "entry"; text: string; records: string[] }> = [];
  let entries = 0;
  for (const text of context.split("\n")) {
    const last = lines.at(-1);
    if (text.trim() === "" || /^<\/?memoir-context[ >]/.test(text)) continue;
    if (text.startsWith("## ")) lines.push({ as: "heading", text: text.slice(3), records: [] });
    else if (text.startsWith("- ")) {
      const traced = traces[entries++] ?? [];
      const of = traced.length > 0 ? traced : headIds(text).filter((id) => records.includes(id));
      lines.push({ as: "entry", text: text.slice(2), records: of });
    } else if (last?.as === "entry" && text.startsWith("  ")) last.text += `\n${text.slice(2)}`;
    else lines.push({ as: "frame", text, records: [] });
  }
  return lines;
}

/** What stands before the first saying: `t12 · 2026-11-20 14:05 · asked`. */
function headIds(line: string): string[] {
  return (/^- ([^“"`:(]*)/.exec(line)?.[1] ?? "").split(/[\s,·]+/);
}

/** So many sessions are looked through for a folder that is there. */
const sessionsLooked = 200;

/** As a session finds it in `cwd`, else in the last of its folders that is there; where none is, with an empty root and on no branch. */
async function projectNamed(
  { hooks, projectOf }: Pick<ServerRuntime, "hooks" | "projectOf">,
  project: string,
  cwd: string | undefined,
): Promise<Project> {
  const limit = sessionsLooked;
  const sessions = await askStorage(hooks, "storage.sessions", { project, limit });
  const [newest] = sessions;
  if (!newest)
    throw new MemoirError("record_not_found", `No session of the project ${project} is in memory.`);
  const { id, name } = newest.project;
  const folders = cwd === undefined ? sessions.map((one) => one.project.root) : [cwd];
  for (const folder of new Set(folders)) {
    const found = await projectOf(folder);
    if (found && (found.id === id || folder === cwd)) return { ...found, id, name };
  }
  return { id, name, root: cwd ?? "" };
}

/** Those of the records that are there. */
async function sourcesOf({ hooks }: Pick<ServerRuntime, "hooks">, ids: string[]) {
  if (ids.length === 0) return [];
  return (await askStorage(hooks, "storage.get", { ids })).map(sourceOf);
}

function sourceOf(stored: StoredRecord) {
  const { kind, record } = stored;
  const marks = (["pinned", "hidden", "merged", "edited"] as const).filter((mark) => record[mark]);
  const type = stored.kind === "memory" && { type: stored.record.kind };
  return { id: record.id, kind, ...type, words: cut(oneLine(firstWords(stored)), 200), marks };
}

// The contexts that a session got, and what Endless Mode removed from it.

/** What a session gets, or what is taken out of it, is so near to it. */
const aroundMs = 24 * 60 * 60_000;

/** By the session's whole id, the oldest first; records as they are now, those that are gone are not among them. Throws `record_not_found`. */
export async function sessionContexts(
  runtime: Pick<ServerRuntime, "hooks" | "toldTo" | "endless">,
  id: string,
) {
  const [stored] = await askStorage(runtime.hooks, "storage.get", { ids: [id] });
  if (stored?.kind !== "session")
    throw new MemoirError("record_not_found", "There is no such session.");
  const { startedAt, lastActiveAt } = stored.record;
  const of = { session: id, since: startedAt - aroundMs, until: lastActiveAt + aroundMs };
  const told = runtime.toldTo(of);
  const ids = [...new Set(told.flatMap(({ records }) => records))];
  const [records, takenOut] = await Promise.all([
    sourcesOf(runtime, ids),
    // A file that cannot be read costs this part alone; `doctor` says what is wrong with it.
    runtime.endless.takenOut(of).catch(() => []),
  ]);
  return { told, records, takenOut };
}

// A record with its trace: who concluded it, what was made of it, and the sessions that it went to.

/** More sessions are counted. */
const mostSessions = 12;

/** By its id, as `/api/records/:id` gives it. `all` also knows what is hidden. Throws `record_not_found`. */
export async function traced(
  runtime: Pick<ServerRuntime, "home">,
  all: Pick<ServerRuntime, "hooks">,
  id: string,
) {
  const stored = await recordOf(all, id);
  const uses = await usesOf(runtime.home);
  const [withheld, made, went] = await Promise.all([
    stored.record.hidden ? [] : withheldFromAgents(all, [stored]),
    stored.kind === "turn" ? derivedFrom(all, [stored]).then(({ made }) => made) : [],
    wentTo(all, uses.all(), id),
  ]);
  const shown = uses.of(id);
  return {
    ...{ ...attributed(stored), ...(withheld.length > 0 && { withheld: true as const }) },
    ...(made.length > 0 && { made: await sourcesOf(all, made) }),
    ...(shown.shown > 0 && { shown, went }),
  };
}

/** The sessions that were shown a record, the newest first, and whether each used it. */
async function wentTo(
  runtime: Pick<ServerRuntime, "hooks">,
  notes: readonly UseNote[],
  id: string,
) {
  const of = notes.filter(({ ids }) => ids.includes(id));
  const sessions = [...Map.groupBy(of, ({ session }) => session)]
    .map(([session, own]) => ({
      ...{ session, time: Math.max(...own.map(({ time }) => time)) },
      used: own.some(({ used }) => used.includes(id)),
    }))
    .sort((a, b) => b.time - a.time)
    .slice(0, mostSessions);
  const known = new Map((await sessionsOf(runtime, sessions)).map(({ id, title }) => [id, title]));
  return sessions.map((one) => ({ ...one, title: known.get(one.session) ?? "" }));
}
