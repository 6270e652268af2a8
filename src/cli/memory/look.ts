// Commands that look into memory: its search and index, sessions, what happened, what is related, and the context that a session would get.
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { memory } from "../../features/memory.ts";
import { isThere } from "../../home/read-file.ts";
import { withoutPasswords } from "../../privacy/passwords.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Session } from "../../sdk/model.ts";
import {
  firstWords,
  namesTurn,
  partIds,
  shownFailures,
  typeOf,
  typeWords,
} from "../../sdk/record-texts.ts";
import type { RecordPart, SearchLevel, SearchReason, SearchResult } from "../../sdk/storage.ts";
import type { Hit } from "../../server/memory/records.ts";
import type { Answer } from "../../server/route-types.ts";
import { asLine, baseName, plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import { askingSession, server } from "../server/client.ts";
import {
  ago,
  columns,
  dateTime,
  fit,
  printable,
  printableMemory,
  titled,
} from "../terminal/layout.ts";
import { answer, drawnLine } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterWords, inputsFrom, refuseUnknown, stillJoining } from "./filter.ts";
import {
  fetchRecord,
  inClient,
  outcomeLine,
  paintType,
  recordLines,
  shownId,
  summaryLines,
  turnLine,
} from "./show.ts";

// `memoir search`: what memory has about some words.

type SearchOptions = OptionsOf<(typeof memory)["search"]>;

/** Prints what was found, best first; gives 0, also when nothing was. */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  terminal: Terminal,
): Promise<number> {
  const text = words.join(" ");
  const filter = await inputsFrom(memory.search.takes, options, terminal);
  const { results } = await server.get("/api/search", {
    query: {
      ...filter,
      text,
      // An agent that searches in its shell need not find its own last prompt.
      asking: askingSession(terminal.env),
      cwd: terminal.cwd,
      // Commas part the list, and mean nothing to a search.
      also: filter.also?.map((words) => words.replaceAll(",", " ")),
    },
  });
  const joining = results.length > 0 ? [] : await stillJoining();
  const isNew =
    results.length > 0 || joining.length > 0 ? [] : await refuseUnknown(filter, terminal);
  return answer(terminal, options, { results }, () =>
    results.length > 0
      ? resultLines(printableMemory(results), filter.level, terminal)
      : [...isNew, ...nothingLines(text, filterWords(filter), terminal), ...joining],
  );
}

/** A hit in a few lines each. */
export function resultLines(
  found: readonly Hit[],
  level: SearchLevel | undefined,
  terminal: Terminal,
): string[] {
  const { colors, now, width } = terminal;
  const { bold, dim, cyan } = colors;
  const results = found.map((one) => ({ ...one, type: plainType(one) }));
  const heads = columns(
    results.map((result) => {
      const place = `${projectNameOf(result)} · ${ago(result.createdAt, now())}`;
      const speaker = result.kind === "turn" || !result.by ? [] : [result.by];
      const where = [place, ...speaker, ...(result.marks ?? [])].join(" · ");
      const room = width && width - plainWidth(results, where);
      return [
        cyan(shownId(result)),
        paintType(result.type, colors),
        `${bold(titled(result.title, room))}  ${dim(where)}`,
      ];
    }),
  );
  const [room, factRoom] = width === undefined ? [] : [width - 4, width - 6];
  const lines = Object.entries(results[0]?.corrected ?? {}).map(([word, instead]) =>
    dim(`No match for “${word}”; searched for “${instead}” instead.`),
  );
  for (const [index, result] of results.entries()) {
    const { title, subtitle, supersededBy, kind, found, why, facts, asked = "" } = result;
    lines.push(heads[index] ?? "");
    if (asked !== "" && !isSame(asked, title))
      lines.push(`    ${dim(titled(`asked: “${asked}”`, room))}`);
    else if (subtitle) lines.push(`    ${dim(titled(subtitle, room))}`);
    if (supersededBy !== undefined) lines.push(`    superseded by ${cyan(supersededBy)}`);
    const said = asLine(result.excerpt ?? "");
    const isNew = ![title, subtitle].some((shown) => isSame(said, shown));
    // What another record of the turn says (`found`) is quoted without a name.
    const speaker = found === undefined ? result.by : undefined;
    if (kind === "turn" && said !== "" && isNew)
      lines.push(`    ${fit(speaker ? `${speaker}: ${said}` : said, room)}`);
    lines.push(...failureLines(result, terminal).map((line) => `    ${line}`));
    if (why) lines.push(`    ${dim(fit(reasonText(why), room))}`);
    if (level === "facts") lines.push(...facts.map((fact) => `    · ${fit(fact, factRoom)}`));
    const parts = partIds(result.parts, result.id);
    if (parts !== "") lines.push(`    ${dim(parts)}`);
  }
  const first = results[0] ? shownId(results[0]) : "";
  const next = `Details: memoir show ${first} · Around it: memoir memory timeline ${first}`;
  return [...lines, dim(`\n${next}`)];
}

/** `bugfix`, `works here`, `turn`. */
const plainType = ({ kind, type }: { kind: string; type: string }) =>
  typeWords(kind, type).toLowerCase();

const projectNameOf = ({ project, projectName }: { project: string; projectName?: string }) =>
  projectName ?? baseName(project);

/** What failed in a turn, each in a line. */
function failureLines({ failures = [] }: Hit, { colors, width }: Terminal): string[] {
  return failures.slice(0, shownFailures).map(({ failed, isFixed }) => {
    const mark = isFixed
      ? `${colors.red("failed")}, ${colors.green("fixed")}`
      : colors.red("failed");
    return `${mark}: ${fit(failed, width && width - 22)}`;
  });
}

function nothingLines(text: string, narrowed: string, { colors }: Terminal): string[] {
  const what = text === "" ? "Nothing found" : `Nothing found for “${withoutPasswords(text)}”`;
  const tries = [...(text ? ["different words"] : []), ...(narrowed ? ["fewer filters"] : [])];
  const tried = tries.length > 0 ? `Try ${tries.join(", or ")}. ` : "";
  return [
    `${what}${narrowed ? ` ${narrowed}` : ", in all projects"}.`,
    colors.dim(
      `${tried}\`memoir sessions\` lists what there is; \`memoir status\` says whether anything is captured.`,
    ),
  ];
}

/** `because of token 2.1, session 1.4 (fact); session 0.93; record 2 of all`. */
function reasonText({ words, field, session, documentRank, likeness }: SearchReason): string {
  const found = [
    ...words.map(({ word, adds }) => `${word} ${adds.toFixed(1)}`),
    ...(likeness === undefined ? [] : [`its meaning ${likeness.toFixed(2)}`]),
  ].join(", ");
  return `because of ${found || "its time"} (${field}); session ${session.toFixed(2)}; record ${documentRank} of all`;
}

/** What id, type and place take of a line. */
function plainWidth(results: readonly SearchResult[], where: string): number {
  const longest = (pick: (result: SearchResult) => string) =>
    Math.max(...results.map((result) => pick(result).length));
  return longest(shownId) + longest(({ type }) => type) + where.length + 6;
}

/** Whether two texts begin alike as far as a line shows them. */
function isSame(said: string, shown: string): boolean {
  const begin = shown.replace(/\s+/g, " ").replace(/…$/, "").slice(0, 40);
  return begin !== "" && said.startsWith(begin);
}

type Options<Name extends keyof typeof memory> = OptionsOf<(typeof memory)[Name]>;

// `memoir sessions`: a list of sessions, or one of them from its first prompt to its summary.

/** Lists sessions, newest first; with `id` shows that one. */
export async function sessions(
  id: string | undefined,
  options: Options<"sessions">,
  terminal: Terminal,
): Promise<number> {
  if (id !== undefined) {
    const page = await fetchSession(id);
    return answer(terminal, options, page, () => sessionPage(printableMemory(page), terminal));
  }
  const query = await inputsFrom(memory.sessions.takes, options, terminal);
  const { sessions: found } = await server.get("/api/sessions", { query });
  const isNew = found.length > 0 ? [] : await refuseUnknown(query, terminal);
  return answer(terminal, options, { sessions: found }, () =>
    found.length > 0
      ? [
          ...listLines(printableMemory(found), terminal),
          ...(found.length === query.limit
            ? [
                terminal.colors.dim(
                  `The newest ${found.length}; --limit ${Math.min(500, 2 * found.length)} shows more.`,
                ),
              ]
            : []),
        ]
      : [
          ...(isNew.length > 0
            ? isNew
            : [
                filterWords(query)
                  ? `No session ${filterWords(query)}.`
                  : "No sessions in memory yet.",
              ]),
          terminal.colors.dim("`memoir status` says whether anything is captured."),
        ],
  );
}

type SessionPage = Answer<"/api/sessions/:id">;

async function fetchSession(id: string): Promise<SessionPage> {
  try {
    return await server.get("/api/sessions/:id", { params: { id } });
  } catch (error) {
    if (!(error instanceof MemoirError) || error.code !== "record_not_found") throw error;
    throw new MemoirError("record_not_found", `No session's id begins with ${id}.`, {
      cause: error,
      fix: "`memoir sessions` lists them.",
    });
  }
}

/** Where no terminal says how wide it is. `memoir show` has all of it. */
const longestRow = 200;

function sessionPage(page: SessionPage, terminal: Terminal): string[] {
  const { colors, width: room = longestRow } = terminal;
  const numbers = new Set(
    [...page.prompts, ...page.observations, ...page.turns].map(({ promptNumber }) => promptNumber),
  );
  const steps = [...numbers]
    .sort((a, b) => a - b)
    .flatMap((number) => {
      const isOf = (one: { promptNumber: number }) => one.promptNumber === number;
      const prompt = page.prompts.find(isOf);
      const turn = page.turns.find(isOf);
      const asked = prompt ? fit(prompt.text, room - 6) : "(before the first prompt)";
      const made = page.observations.filter(isOf);
      const rows = made.map((o) => [colors.cyan(o.id), paintType(o.type, colors), titled(o.title)]);
      return [
        `\n${colors.bold(`${number}.`)} ${asked}`,
        ...(turn ? [`   ${colors.cyan(turn.id)}  ${outcomeLine(turn, room - 12)}`] : []),
        ...columns(rows).map((line) => `   ${line}`),
      ];
    });
  const summary = page.summaries.find(({ scope }) => scope === "session") ?? page.summaries.at(-1);
  return [
    ...recordLines({ kind: "session", record: page.session }, terminal),
    ...steps,
    ...(summary ? ["", ...summaryLines(summary, terminal)] : []),
  ];
}

const monthMs = 30 * 24 * 60 * 60_000;

/** Old ones by their day: "9mo ago" tells none of them apart. */
const whenActive = (time: number, now: number) =>
  now - time < monthMs ? ago(time, now) : dateTime(time).slice(0, 10);

function listLines(found: readonly Session[], { colors, now, width }: Terminal): string[] {
  const { bold, cyan, dim, green } = colors;
  const rows = found.map((session) => [
    cyan(session.id.slice(0, 8)),
    session.status === "active" ? green("●") : " ",
    whenActive(session.lastActiveAt, now()),
    `${session.project.name}${inClient(session.client)}`,
    plural(session.prompts, "prompt"),
    `${session.observations} obs`,
    session.title ? titled(session.title) : dim("untitled"),
  ]);
  const heads = ["session", "", "active", "project", "prompts", "found", "what came of it"];
  // A pipe gets the rows alone.
  const [first = "", ...rest] = columns(width === undefined ? rows : [heads, ...rows]);
  const shown = width === undefined ? first : bold(first);
  return [shown, ...rest, dim("\nmemoir sessions <id> shows what happened in it.")];
}

// `memoir memory timeline`

type Item = Answer<"/api/timeline">["items"][number];

/** Prints the timeline, oldest first; around `id` when one is given. */
export async function timeline(
  id: string | undefined,
  options: Options<"timeline">,
  terminal: Terminal,
): Promise<number> {
  const centre = id === undefined ? undefined : await fetchRecord(id);
  const filter = await inputsFrom(memory.timeline.takes, options, terminal);
  const query = { ...filter, around: centre?.record.id };
  const page = await server.get("/api/timeline", { query });
  const isNew = page.items.length > 0 ? [] : await refuseUnknown(query, terminal);
  return answer(terminal, options, page, () => {
    if (page.items.length > 0)
      return itemLines(printableMemory(page.items), query.around, terminal);
    const narrowed = filterWords(query);
    return [
      ...(isNew.length > 0
        ? isNew
        : [narrowed ? `Nothing happened ${narrowed}.` : "Memory is empty."]),
      terminal.colors.dim("`memoir sessions` lists what there is."),
    ];
  });
}

/** Each day's name once, above its entries. */
function itemLines(
  items: readonly Item[],
  centre: string | undefined,
  terminal: Terminal,
): string[] {
  const { cyan, dim, bold } = terminal.colors;
  const room = roomOf(items, terminal);
  const rows = columns(
    items.map((item) => {
      const { id } = item.record;
      return [
        item.parts.some((part) => part.id === centre) ? bold(`→ ${id}`) : `  ${cyan(id)}`,
        ...described(item, room, terminal),
      ];
    }),
  );
  let day = "";
  return items.flatMap((item, at) => {
    const time = item.kind === "turn" ? item.record.startedAt : item.record.time;
    const [date = "", clock = ""] = dateTime(time).split(" ");
    const line = `${dim(clock)} ${rows[at]}`;
    if (date === day) return [line];
    day = date;
    return [bold(date), line];
  });
}

/** What clock, marks and gaps take of a line. */
const around = 12;

/** Columns that the texts may have beside ids and kinds. */
function roomOf(items: readonly Item[], { width }: Terminal): number | undefined {
  if (width === undefined) return undefined;
  const longest = (of: (item: Item) => string) => Math.max(...items.map((item) => of(item).length));
  return Math.max(20, width - around - longest(({ record }) => record.id) - longest(kindOf));
}

function kindOf(item: Item): string {
  return namesTurn(item.parts)?.type ?? typeOf(item);
}

/** What came of a turn is its observation's title; else what was asked and answered. */
function described(item: Item, room: number | undefined, { colors }: Terminal): [string, string] {
  const { dim } = colors;
  const named = namesTurn(item.parts);
  const parts = dim(partIds(item.parts, item.record.id));
  const left = room && parts !== "" ? Math.max(20, room - parts.length - 2) : room;
  const line = named ? observationLine(named, left) : momentLine(item, left);
  const type = named ? paintType(named.type, colors) : dim(typeOf(item));
  return [type, [line, parts].filter(Boolean).join("  ")];
}

function momentLine(item: Item, room: number | undefined): string {
  if (item.kind === "turn") return turnLine(item.record, room);
  if (item.kind === "prompt") return `“${fit(item.record.text, room && room - 2)}”`;
  return titled(firstWords(item), room);
}

/** What holds no more says by which record it was superseded. */
function observationLine(
  { title, supersededBy }: Pick<RecordPart, "title" | "supersededBy">,
  room: number | undefined,
): string {
  if (supersededBy === undefined) return titled(title, room);
  const newer = ` (superseded by ${supersededBy})`;
  return `${titled(title, room && Math.max(20, room - newer.length))}${newer}`;
}

// `memoir memory related`

/** Prints what belongs to the record, best first. Throws `record_not_found`. */
export async function related(
  id: string,
  options: Options<"related">,
  terminal: Terminal,
): Promise<number> {
  const { record } = await fetchRecord(id);
  const query = await inputsFrom(memory.related.takes, options, terminal);
  const { related } = await server.get("/api/related/:id", { params: { id: record.id }, query });
  if (related.length === 0) await refuseUnknown(query, terminal);
  return answer(terminal, options, { related }, () =>
    related.length === 0
      ? [`${["Nothing is related to", id, filterWords(query)].join(" ").trimEnd()}.`]
      : relatedLines(printableMemory(related), terminal),
  );
}

function relatedLines(
  related: Answer<"/api/related/:id">["related"],
  { colors, now, width }: Terminal,
): string[] {
  const { bold, cyan, dim } = colors;
  const heads = columns(
    related.map(({ id, kind, type, title, createdAt, ...of }) => {
      const where = `${projectNameOf(of)} · ${ago(createdAt, now())}`;
      const room = width && Math.max(20, width - 30 - where.length);
      const painted = paintType(plainType({ kind, type }), colors);
      return [cyan(shownId({ id, kind })), painted, `${bold(titled(title, room))}  ${dim(where)}`];
    }),
  );
  return related.flatMap(({ because, supersededBy }, index) => {
    const signs = because.map(({ kind, what }) => `${kind} ${what}`).join(", ");
    return [
      heads[index] ?? "",
      ...(supersededBy === undefined ? [] : [`    superseded by ${cyan(supersededBy)}`]),
      `    ${dim(fit(signs, width && width - 4))}`,
    ];
  });
}

// `memoir context`

/** Prints the context, or says that there is none. */
export async function context(options: Options<"context">, terminal: Terminal): Promise<number> {
  const cwd = resolve(terminal.cwd, options.cwd ?? ".");
  const { source, prompt } = options;
  if (prompt?.trim() === "") throw new MemoirError("usage", "The prompt is empty.");
  const { context: text, omitted = [] } = await server.get("/api/context", {
    query: { cwd, source, prompt, omitted: options.why ? "true" : undefined },
  });
  // Of a folder that is gone memory may still know something.
  if (text === "" && options.cwd !== undefined && !(await isThere(cwd)))
    throw new MemoirError("usage", `There is no folder ${cwd}.`, {
      fix: "Pass the folder of a project to `--cwd`.",
    });
  const report = {
    ...{ cwd, context: text, characters: text.length },
    ...(options.why && { omitted }),
  };
  return answer(terminal, options, report, () => {
    const left = omittedLines(omitted, terminal);
    if (text !== "") return [printable(text), ...left];
    return [
      prompt === undefined
        ? `A session in ${cwd} would get no context: memory has nothing on its project.`
        : "This prompt would get no context: no earlier session says enough about this.",
      terminal.colors.dim("`memoir sessions` lists what there is."),
      ...left,
    ];
  });
}

/** Of each reason so many are listed. */
const mostOmitted = 5;

function omittedLines(
  omitted: NonNullable<Answer<"/api/context">["omitted"]>,
  { colors, width }: Terminal,
): string[] {
  const { bold, cyan, dim } = colors;
  return omitted.flatMap(({ why, count, records }) => {
    const shown = printableMemory(records).slice(0, mostOmitted);
    const rows = columns(
      shown.map(({ id, words }) => [`  ${cyan(id)}`, titled(words)]),
      width,
    );
    const rest = count - shown.length;
    return [
      `\n${bold(`Left out: ${why}`)}  ${dim(String(count))}`,
      ...rows,
      ...(rest > 0 ? [dim(`  and ${rest} more`)] : []),
    ];
  });
}

// `memoir memory reindex`: rebuilds the search index; the records stay as they are.

const pollMs = 200;

/** Shows the progress until it is done; the server continues if this command is ended. */
export async function reindex(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const line = drawnLine(terminal, options);
  let state = await server.post("/api/reindex");
  while (!state.isWhole) {
    const { indexed, records } = state;
    line.show(() => `${indexed} of ${plural(records, "record")}`);
    await pause(pollMs);
    state = await indexState();
  }
  line.end();
  return answer(terminal, options, state, () => [
    `${terminal.colors.green("✓")} ${plural(state.records, "record")} can be found.`,
  ]);
}

async function indexState() {
  const { storage } = await server.get("/api/status");
  if (!("error" in storage) && storage.index) return storage.index;
  const why = "error" in storage ? storage.error : "it keeps no index of its own";
  throw new MemoirError("storage_unanswered", `The storage does not report its progress: ${why}.`);
}
