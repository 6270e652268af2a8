// Commands that correct memory: records are edited, pinned, hidden, merged, or deleted for good.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memory } from "../../features/memory.ts";
import { saidOf } from "../../health/sizes.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { commandOf, editorOf, startProgram } from "../../host/programs.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { firstWords, type Texts, textsOf } from "../../sdk/record-texts.ts";
import type { RecordKind, StoredRecord } from "../../sdk/storage.ts";
import type { AnswerOf, AskedOf, RoutesOf } from "../../server/route-types.ts";
import { cut, localClock, nameWords, plural } from "../../text/text.ts";

import { camel, type OptionsOf } from "../commands/declared.ts";
import type { correctCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { columns, printable, printableMemory, titled } from "../terminal/layout.ts";
import { agreed, answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inputsFrom, refuseUnknown } from "./filter.ts";
import { fetchRecord, recordLines } from "./show.ts";

type MarkOptions = OptionsOf<(typeof correctCommands)["pin"]>;

/** What each verb does, and says that it did. */
const markVerbs = {
  pin: { what: { pinned: true }, mark: "pinned", said: ["Pinned", "Already pinned"] },
  unpin: { what: { pinned: false }, mark: "pinned", said: ["Unpinned", "Was not pinned"] },
  hide: { what: { hidden: true }, mark: "hidden", said: ["Hidden", "Already hidden"] },
  unhide: {
    what: { hidden: false },
    mark: "hidden",
    said: ["Shown to agents again", "Was not hidden"],
  },
  confirm: {
    what: { set: { state: "standing" } },
    mark: "edited",
    said: ["Confirmed", "Already confirmed"],
  },
} as const;
/** The name of one. */
type MarkVerb = keyof typeof markVerbs;

/** `memoir memory pin`, `unpin`, `hide`, `unhide`, `confirm`: marks the records, or lists what is marked. Throws `record_not_found` before anything is changed. */
export async function mark(
  verb: MarkVerb,
  ids: readonly string[],
  options: MarkOptions,
  terminal: Terminal,
): Promise<number> {
  const { what, mark, said } = markVerbs[verb];
  if (ids.length > 0) return marked({ ids: [...ids], ...what }, said, options, terminal);
  const { project } = await inputsFrom({ project: memory.search.takes.project }, options, terminal);
  const { records } = await server.get("/api/marked", { query: { mark, project } });
  if (records.length === 0) await refuseUnknown({ project }, terminal);
  return answer(terminal, options, { records }, () =>
    records.length === 0 ? [`Nothing is ${mark}.`] : lines(records, terminal),
  );
}

/** `memoir memory merge`: hides `ids`, which name `into` from then on. */
export function merge(
  into: string,
  ids: readonly string[],
  options: MarkOptions,
  terminal: Terminal,
): Promise<number> {
  return marked({ ids: [...ids], merged: into }, [`Merged into ${into}`], options, terminal);
}

async function marked(
  body: AskedOf<RoutesOf<"post">["/api/amend"]>["body"],
  [said, saidBefore = said]: readonly string[],
  options: MarkOptions,
  terminal: Terminal,
): Promise<number> {
  const done = await server.post("/api/amend", { body });
  const { records, unchanged, along, derived, withheld } = done;
  const isNews = ({ record: { id } }: StoredRecord) => !unchanged.includes(id);
  const news = records.filter(isNews);
  const same = records.filter((one) => !isNews(one) && !withheld.includes(one.record.id));
  const rest = [
    [along, `Also what was made from it: ${along.join(", ")}.`],
    [derived, `May repeat it and is not hidden; to hide: memoir memory hide ${derived.join(" ")}`],
    [
      withheld,
      `Still hidden, because its session or what it was made from is: ${withheld.join(", ")}.`,
    ],
  ] as const;
  return answer(terminal, options, done, () => [
    ...headed(`${said}:`, lines(news, terminal)),
    ...headed(`${saidBefore}:`, lines(same, terminal)),
    ...rest.flatMap(([ids, line]) => (ids.length > 0 ? [terminal.colors.dim(line)] : [])),
  ]);
}

const headed = (head: string, under: readonly string[]) =>
  under.length === 0 ? [] : [head, ...under.map((line) => `  ${line}`)];

function lines(records: readonly StoredRecord[], { colors }: Terminal): string[] {
  return printableMemory(records).map(
    (stored) => `${colors.cyan(stored.record.id)}  ${titled(firstWords(stored), 120)}`,
  );
}

// Editing, by options or in an editor.

type EditOptions = OptionsOf<(typeof correctCommands)["edit"]>;

/** Lets a person change a text; resolves with it as it is then. */
type OpenEditor = (form: string, terminal: Terminal) => Promise<Draft>;

/** What somebody wrote, and where it lies until it is stored. */
interface Draft {
  form: string;
  path: string;
  done(): Promise<void>;
}

/** `memoir memory edit`: prints the record as it is then. Throws `usage` and `record_not_found`; what was written in an editor stays then, and is named. */
export async function edit(
  id: string,
  options: EditOptions,
  terminal: Terminal,
  open: OpenEditor = openEditor,
): Promise<number> {
  const stored = await fetchRecord(id);
  const ids = [stored.record.id];
  const given = givenTexts(stored, options);
  if (options.undo && Object.keys(given).length > 0)
    throw new MemoirError("usage", "`--undo` restores the old text and takes no words.");
  if (options.undo) return await amended({ ids, undo: true }, options, terminal);
  if (Object.keys(given).length > 0) return await amended({ ids, set: given }, options, terminal);
  if (!terminal.interactive || options.json)
    throw new MemoirError("usage", "Nothing to write.", {
      fix: `Pass a text: ${names(stored)}.`,
    });
  const before = textsOf(stored);
  if (Object.keys(before).length === 0) return await amended({ ids, set: {} }, options, terminal);
  const draft = await open(formOf(id, printable(before)), terminal);
  const set = changesIn(draft.form, printable(before));
  if (Object.keys(set).length === 0) {
    await draft.done();
    terminal.print("Nothing was changed.");
    return 0;
  }
  try {
    const code = await amended({ ids, set }, options, terminal);
    await draft.done();
    return code;
  } catch (error) {
    terminal.warn(`What you wrote is kept in ${draft.path}.`);
    throw error;
  }
}

async function amended(
  body: { ids: string[]; set?: Texts; undo?: boolean },
  options: EditOptions,
  terminal: Terminal,
): Promise<number> {
  const { records } = await server.post("/api/amend", { body });
  return answer(terminal, options, { records }, () =>
    printableMemory(records).flatMap((record) => recordLines(record, terminal)),
  );
}

/** What `--text` means of each kind. */
const mainText: Partial<Record<RecordKind, string>> = {
  observation: "narrative",
  summary: "completed",
  memory: "content",
};

function givenTexts(stored: StoredRecord, options: EditOptions): Texts {
  const { title, subtitle, text, fact, context, set = [] } = options;
  const named: Record<string, string | string[] | undefined> = { title, subtitle, context };
  named.facts = fact;
  if (text !== undefined) named[mainText[stored.kind] ?? "text"] = text;
  for (const pair of set) {
    const [, name, words] = /^([\w-]+)=([\s\S]*)$/.exec(pair) ?? [];
    if (name === undefined || words === undefined)
      throw new MemoirError("usage", `\`--set ${pair.slice(0, 60)}\` is no field=text.`, {
        fix: 'Write for example `--set next-steps="Ask Ada"`.',
      });
    named[camel(name)] = words;
  }
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function names(stored: StoredRecord): string {
  const all = Object.keys(textsOf(stored)).map((name) => `\`--set ${name}=…\``);
  return all.length > 0 ? all.join(", ") : "this kind can't be edited";
}

/** The user's own, on a file that only they can read. */
async function openEditor(form: string, { env, platform }: Terminal): Promise<Draft> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-edit-"));
  const path = join(folder, "record.md");
  await writeFile(path, form, { mode: 0o600 });
  const editor = editorOf(platform, env);
  const done = () => rm(folder, { recursive: true, force: true });
  try {
    const [program, options] = commandOf(platform, editor);
    await run(program, [...options, path]);
  } catch (error) {
    await done();
    throw new MemoirError("usage", `The editor \`${editor}\` failed: ${errorMessage(error)}.`, {
      fix: "Name another one in EDITOR, or write the words as options. Nothing was changed.",
    });
  }
  return { form: await readFile(path, "utf8"), path, done };
}

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = startProgram(program, args, { stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`it ended with ${code}`)),
    );
  });
}

// A record's texts as a form in an editor, and back: a heading for each, its text below. Pure.

const heading = (name: string) => `## ${nameWords(name)}`;

/** The form; a line of a text that reads like one of its headings is moved in by a blank. */
export function formOf(id: string, texts: Texts): string {
  const headings = new Set(Object.keys(texts).map(heading));
  const parts = Object.entries(texts).map(([name, text]) => {
    const lines = typeof text === "string" ? text.split("\n") : text.map(asFact);
    const safe = lines.map((line) => (headings.has(line.trimEnd()) ? ` ${line}` : line));
    return `${heading(name)}\n${safe.join("\n")}\n`;
  });
  return [`# ${id}: change the text below the headings, save and close.\n`, ...parts].join("\n");
}

function asFact(fact: string): string {
  return `- ${fact.replace(/\s*\n\s*/g, " ")}`;
}

/** What a person changed; a heading that is gone leaves its text as it was. */
export function changesIn(form: string, before: Texts): Texts {
  const byHeading = new Map(Object.keys(before).map((name) => [heading(name), name]));
  const found = new Map<string, string[]>();
  let under: string[] | undefined;
  for (const line of form.split(/\r?\n/)) {
    const name = byHeading.get(line.trimEnd());
    if (name === undefined) under?.push(line);
    else {
      under = [];
      found.set(name, under);
    }
  }
  const changes: Texts = {};
  for (const [name, lines] of found) {
    const was = before[name] ?? "";
    const text = lines.join("\n").trim();
    const now = Array.isArray(was) ? factsIn(lines) : text;
    const same = Array.isArray(was) ? factsIn(was.map(asFact)) : was.trim();
    if (JSON.stringify(now) !== JSON.stringify(same)) changes[name] = now;
  }
  return changes;
}

function factsIn(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.replace(/^\s*[-*·]?\s*/, "").trim())
    .filter((line) => line !== "");
}

// Commands that delete: `memoir memory forget`, of what a person names, and `memoir memory prune`, of what the retention policy no longer keeps. Both show it and ask first.

type Options<Name extends keyof typeof memory> = OptionsOf<(typeof memory)[Name]>;

const fix = "Pass `--yes` to confirm; `--dry-run` shows what would be deleted.";
/** More ids are only counted. */
const mostNamed = 30;

/** Gives 1 when the person said no. Throws `record_not_found` when nothing matches. */
export async function forget(
  ids: readonly string[],
  options: Options<"forget">,
  terminal: Terminal,
): Promise<number> {
  const { yes = false, json = false, dryRun = false } = options;
  const selection: Selection = {
    ...(await inputsFrom(memory.forget.takes, options, terminal)),
    ...(ids.length > 0 && { ids: [...ids] }),
  };
  const look = async () => server.post("/api/forget", { body: { ...selection, dryRun: true } });
  if (dryRun) {
    const found = await look();
    return answer(terminal, options, found, () => goingLines(printable(found), selection));
  }
  if (selection.query !== undefined && selection.ids === undefined) {
    if (!terminal.interactive || json)
      throw new MemoirError("usage", "Can't choose among what the words find without a terminal.", {
        fix: "List it with `--dry-run`, and pass the ids to delete.",
      });
    selection.ids = await choose(printable(await look()), terminal);
  }
  if (selection.ids?.length === 0) return unchanged(terminal);
  if (!yes) {
    const found = await look();
    if (!json) for (const line of goingLines(printable(found), selection)) terminal.print(line);
    if (!(await agreed("Delete it?", options, terminal, { fix }))) return unchanged(terminal);
    if (found.derived.length > 0 && !selection.derived)
      selection.derived = await terminal.confirm("Also delete what was made from it?", false);
  }
  const gone = await server.post("/api/forget", { body: selection });
  const { deleted, derived, repeats, named: lines, copies } = gone;
  return answer(terminal, options, { deleted, derived, repeats, copies }, () => {
    const { dim } = terminal.colors;
    const more = deleted.length - mostNamed;
    const named = deleted.slice(0, mostNamed).join(", ");
    return [
      `Deleted ${named}${more > 0 ? `, and ${plural(more, "record")} more` : ""}.`,
      ...(derived.length > 0
        ? [dim(`Made from it and kept; to delete: memoir memory forget ${derived.join(" ")}`)]
        : []),
      ...namedLines("May repeat it and was kept:", repeats, printable(lines)).map(dim),
      ...(copies.length > 0
        ? [dim(`Copies that still hold it: ${copies.join(", ")}. \`--backups\` deletes them too.`)]
        : []),
    ];
  });
}

type Selection = NonNullable<AskedOf<RoutesOf<"post">["/api/forget"]>["body"]>;
type Going = AnswerOf<RoutesOf<"post">["/api/forget"]>;

function unchanged(terminal: Terminal): number {
  terminal.print("Nothing was changed.");
  return 1;
}

function goingLines({ going, derived, repeats, named, copies }: Going, more: Selection): string[] {
  const derivedToo = `What was made from it would ${more.derived ? "go too" : "stay"}:`;
  const copiesToo = `These copies would ${more.backups ? "go as a whole" : "still hold it"}`;
  return [
    "This would be deleted permanently:",
    ...going.map((line) => `  ${line}`),
    ...namedLines(derivedToo, derived, named),
    ...namedLines("What may repeat it would stay:", repeats, named),
    ...(copies.length > 0 ? [`${copiesToo}: ${copies.join(", ")}.`] : []),
  ];
}

function namedLines(said: string, ids: readonly string[], named: Going["named"]): string[] {
  if (ids.length === 0) return [];
  const more = ids.length - mostNamed;
  return [
    said,
    ...ids.slice(0, mostNamed).map((id) => `  ${named[id] ?? id}`),
    ...(more > 0 ? [`  and ${plural(more, "record")} more`] : []),
  ];
}

/** Hits with numbers; nothing is taken that was not named. */
async function choose({ going, ids }: Going, terminal: Terminal): Promise<string[]> {
  for (const [at, line] of going.entries())
    terminal.print(`${String(at + 1).padStart(3)}  ${line}`);
  const chosen = await terminal.ask("Which of these? Numbers, or `all`; Enter for none: ");
  if (chosen.trim().toLowerCase() === "all") return ids;
  const numbers = chosen.match(/\d+/g)?.map(Number) ?? [];
  return ids.filter((_, at) => numbers.includes(at + 1));
}

// By the retention policy.

export type Plan = AnswerOf<RoutesOf<"get">["/api/retention"]>;

const shownSessions = 20;

/** Gives 1 when the person said no. */
export async function prune(options: Options<"prune">, terminal: Terminal): Promise<number> {
  const plan = await server.get("/api/retention", { timeoutMs: 60_000 });
  if (options.dryRun) return answer(terminal, options, plan, () => planLines(plan, terminal));
  if (!options.json) for (const line of planLines(plan, terminal)) terminal.print(line);
  const gone = { sessions: 0, records: 0, left: plan.sessions.length };
  if (gone.left === 0) return answer(terminal, options, gone, () => []);
  if (!(await agreed("Delete it permanently?", options, terminal, { fix })))
    return unchanged(terminal);
  while (gone.left > 0) {
    const step = await server.post("/api/retention", { timeoutMs: 300_000 });
    gone.sessions += step.sessions;
    gone.records += step.records;
    gone.left = step.sessions === 0 ? 0 : step.left;
  }
  return answer(terminal, options, gone, () => [
    `Deleted ${plural(gone.sessions, "session")} with ${plural(gone.records, "record")}.`,
  ]);
}

function planLines(plan: Plan, { width }: Terminal): string[] {
  if (!plan.isBound)
    return [
      "Memory is kept forever.",
      "To change that: `memoir config set retention.memory.days 365`; see docs/operating.md.",
    ];
  const said = saidOf(plan);
  if (said === undefined) return ["Nothing to delete: all of it is within `retention.memory`."];
  const shown = plan.sessions.slice(0, shownSessions);
  const left = plan.sessions.length - shown.length;
  const rows = shown.map(({ id, project, lastActiveAt, prompts, rule }) => [
    localClock.day(lastActiveAt),
    printable(cut(project.name, 30)),
    printable(id.slice(0, 8)),
    plural(prompts, "prompt"),
    rule,
  ]);
  const stays = plan.sessions.reduce((sum, session) => sum + session.stays, 0);
  const stay = `${plural(stays, "record")} of them ${stays === 1 ? "stays" : "stay"}`;
  return [
    `Would delete ${said}:`,
    ...columns(rows, width && width - 2).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … and ${left} more; \`--json\` lists them all`] : []),
    ...(stays > 0 ? [`${stay}: pinned, edited, or also said in later sessions.`] : []),
  ];
}
