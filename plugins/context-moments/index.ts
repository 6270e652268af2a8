// Shows at the right moment: a failure that another session met and repaired, and what is not to be seen of a file that is changed.
import * as v from "valibot";
import { wrapContext } from "../../src/privacy/index.ts";
import {
  type ClientEvents,
  definePlugin,
  flagOption,
  type HookInput,
  isOwnTool,
  memoirCommand,
  type Reply,
} from "../../src/sdk/index.ts";
import {
  changingTools,
  createSaid,
  makerOf,
  readingTools,
  type Said,
  shellTools,
  type Uses,
  usesOf,
} from "../../src/strategy/index.ts";
import {
  asData,
  asQuoted,
  baseName,
  dropOldest,
  localClock,
  meaningOf,
  oneLine,
  pathBelow,
  pathsFrom,
  plainLine,
  sentencesOf,
  shorten,
  textField,
  toBmp,
} from "../../src/text/index.ts";
import type { Repaired } from "./failures.ts";
import type { Instead } from "./missing.ts";
import {
  createIndexes,
  type FileIndex,
  type FileNote,
  type ProjectIndexes,
} from "./project-index.ts";

const ConfigSchema = v.strictObject({
  failures: flagOption("Show how a failure was fixed when it comes back in a later session.", true),
  files: flagOption("Show your decisions about a file when a session first changes it.", true),
  elsewhere: flagOption("Also show fixes from other projects, if commands made them.", true),
  reads: flagOption("Show that when a file is first read.", false),
});
type Config = v.InferOutput<typeof ConfigSchema>;

interface State {
  writing: Writing;
  indexes: ProjectIndexes;
  said: Said;
  uses: Awaited<ReturnType<typeof usesOf>>;
  /** Hints by session, from the answer until it is known that they were shown. */
  given: Map<string, Hint[]>;
  /** Counted with the next answer. */
  pending: string[];
}

/** What a hint names. */
type Hint = Pick<Parameters<Uses["add"]>[0], "commands" | "files"> & {
  kind: "failure" | "file";
  ids: string[];
};

interface Call {
  config: Config;
  state: State;
}
type ToolEvent = ClientEvents["PostToolUse"] | ClientEvents["PostToolUseFailure"];
type AnyEvent = ToolEvent | ClientEvents["UserPromptSubmit"];

export default definePlugin<Config, State>({
  name: "context-moments",
  description:
    "Shows a session how a failure was repaired before, and what comes with a file it changes.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({
    writing: { command: await memoirCommand(ctx.home), day: localClock.day },
    indexes: createIndexes({
      storage: ctx.storage,
      now: () => ctx.now(),
      elsewhere: ctx.config.failures && ctx.config.elsewhere,
      failed: (error) => ctx.log.warn("moments were not read", { error }),
    }),
    said: createSaid(),
    uses: await usesOf(ctx.home),
    given: new Map(),
    pending: [],
  }),
  hooks: {
    SessionStart: ({ session, source, project }, ctx) => {
      if (source === "compact" || source === "clear") ctx.state.said.forget(session);
      if (project) ctx.state.indexes.wish(project.id, { session, begins: true });
    },
    UserPromptSubmit: (event, ctx) => {
      const { session, project, prompt, agent } = event;
      if (project) ctx.state.indexes.wish(project.id, { session, begins: false });
      if (agent) return undefined;
      // A log that was pasted is a failure; its tool is not known.
      const shown = showFailure(event, { about: "", text: prompt, hidden: false }, ctx);
      return answered(ctx.state, shown);
    },
    // What asks memoir is taken out there, and reaches no other hook.
    capture: {
      filter: { event: ["PostToolUse"] },
      order: "pre",
      handler: (event, ctx) => {
        if (event.name === "PostToolUse") lookUp(event, ctx.state);
        return undefined;
      },
    },
    PostToolUseFailure: (event, ctx) => {
      if (event.isInterrupt) return answered(ctx.state, undefined);
      const failed = { about: aboutOf(event), text: event.error, hidden: false };
      return answered(ctx.state, showFailure(event, failed, ctx));
    },
    PostToolUse: (event, ctx) => {
      follow(event, ctx.state);
      const text = printedBy(event);
      const failed = text === undefined ? undefined : { about: aboutOf(event), text, hidden: true };
      const failure = failed && showFailure(event, failed, ctx);
      return answered(ctx.state, failure ?? showFile(event, ctx));
    },
    shown: (notice, { state }) => noteShown(notice, state),
    stored: ({ project, session }, ctx) => ctx.state.indexes.outgrow(project, session),
    forgotten: async ({ ids }, { state }) => {
      state.indexes.clear();
      state.uses.forget(ids);
      await state.uses.keep();
    },
    // What is hidden or edited is read anew before any hint; what a person attends to begins anew.
    amended: ({ record }, { state }) => {
      state.indexes.clear();
      state.uses.forget([record.id]);
    },
    Stop: async ({ session, lastAssistantMessage = "" }, { state }) => {
      note(state, state.uses.note({ session, named: lastAssistantMessage }));
      await state.uses.keep();
      return answered(state, undefined);
    },
  },
  stop: async (state) => {
    await state?.uses.keep();
    await state?.indexes.stop();
  },
});

/** The answer with what there is to count. */
function answered(state: State, reply: Reply | undefined): Reply | undefined {
  const noted = [...state.pending, ...(reply?.noted ?? [])];
  state.pending.length = 0;
  return noted.length === 0 ? reply : { ...reply, noted };
}

/** A failure that was seen before; where the exit is hidden, by what was printed. */
function showFailure(
  event: AnyEvent,
  { about, text, hidden }: { about: string; text: string; hidden: boolean },
  { config, state }: Call,
): Reply | undefined {
  const { session, project } = event;
  if (!config.failures || !project || event.withheld || event.recovered) return undefined;
  const index = state.indexes.known.get(project.id);
  if (!index) state.indexes.wish(project.id);
  const failed = { session, about, text, hidden };
  const { inText } = pathsFrom(project.root);
  const instead = index?.missing.find({ session, about: inText(about), text: inText(text) });
  if (instead && state.said.isNew(session, `failure ${instead.fingerprint}`))
    return give(event, state, renderInstead(instead, state.writing), {
      ...{ kind: "failure", ids: [instead.turn], commands: [], files: [instead.path] },
    });
  const own = index?.failures.find(failed);
  const found = own ?? state.indexes.everywhere()?.find({ ...failed, notOf: project.id });
  if (!found || !state.said.isNew(session, `failure ${found.fingerprint}`)) return undefined;
  const commands = found.done.filter((one) => one.startsWith("`")).map((one) => one.slice(1, -1));
  return give(event, state, renderFailure(found, state.writing, found !== own), {
    ...{ kind: "failure", ids: [found.turn], commands, files: found.files },
  });
}

/** What stands about a file, the first time that it is touched. */
function showFile(event: ToolEvent, { config, state }: Call): Reply | undefined {
  const { session, project } = event;
  if (!config.files || !project || event.withheld || event.recovered) return undefined;
  const touched = fileOf(event);
  if (!touched || !(touched.changed || config.reads)) return undefined;
  const index = state.indexes.known.get(project.id);
  if (!index) state.indexes.wish(project.id);
  state.said.isNew(session, `touched ${touched.path}`);
  if (!index || !state.said.isNew(session, `file ${touched.path}`)) return undefined;
  const isNews = ({ id, file }: FileNote) =>
    !state.uses.wasShown(session, id) &&
    (file === undefined || !state.said.has(session, `touched ${file}`));
  const notes = notesOn(index.files, touched.path, session).filter(isNews);
  const rendered = renderFile(touched.path, notes, state.writing);
  if (!rendered) return undefined;
  const { context, ids, files } = rendered;
  return give(event, state, context, { kind: "file", ids, files, commands: [] });
}

/** What other sessions left, most pressing first. */
export function notesOn(files: FileIndex, path: string, session: string): FileNote[] {
  return (files.get(path) ?? []).filter((one) => one.session !== session);
}

function give(
  { session, project, cwd }: AnyEvent,
  state: State,
  context: string,
  hint: Hint,
): Reply | undefined {
  const place = project?.id ?? cwd;
  const { kind, ids } = hint;
  if (ids.every((id) => state.uses.rests(place, id))) return { noted: [`${kind}:silent`] };
  state.given.set(session, [...(state.given.get(session) ?? []), hint]);
  dropOldest(state.given, mostGiven);
  return { context, records: ids, noted: [`${kind}:told`] };
}

/** Sessions whose last hints are waited for. */
const mostGiven = 100;

/** A note for each hint, and one for what else a session got at its start or prompt. */
function noteShown({ session, project, event, time, ids }: HookInput<"shown">, state: State): void {
  const hints = (state.given.get(session) ?? []).filter((hint) =>
    hint.ids.every((id) => ids.includes(id)),
  );
  state.given.delete(session);
  for (const hint of hints) state.uses.add({ project, session, time, ...hint });
  const kind = event === "SessionStart" ? "start" : "prompt";
  const others = ids.filter((id) => !hints.some((hint) => hint.ids.includes(id)));
  if (others.length > 0) state.uses.add({ kind, project, session, time, ids: others });
}

/** Whether what was shown is acted on: the repair's command passes, its files are changed. */
function follow(event: ClientEvents["PostToolUse"], state: State): void {
  const command = printedBy(event) === undefined ? commandOf(event) : undefined;
  const file = fileOf(event);
  note(
    state,
    state.uses.note({
      session: event.session,
      ...(command !== undefined && { command }),
      ...(file?.changed && { file: file.path }),
    }),
  );
}

function lookUp(event: ClientEvents["PostToolUse"], state: State): void {
  const command = commandOf(event);
  const asked = isOwnTool(event.toolName)
    ? JSON.stringify(event.toolInput ?? "")
    : command?.includes("memoir")
      ? command
      : undefined;
  if (asked === undefined) return;
  note(state, state.uses.note({ session: event.session, named: asked }));
}

function note(state: State, signs: ReturnType<Uses["note"]>): void {
  for (const { kind, how } of signs) state.pending.push(`${kind}:${how}`);
}

// What a tool use says: its command line, the file it touched, and what a command printed whose exit is hidden. Pure.

function aboutOf(event: ToolEvent): string {
  const { toolName, toolInput, project } = event;
  const path = textField(toolInput, "file_path", "notebook_path", "path");
  const target = path === "" ? "" : ` ${pathBelow(project?.root ?? "", path) || path}`;
  return commandOf(event) ?? `${toolName}${target}`;
}

/** The command line of a shell. */
export function commandOf({ toolName, toolInput }: ToolEvent): string | undefined {
  return shellTools.has(toolName) ? textField(toolInput, "command") || undefined : undefined;
}

/** A file that was read or changed, relative to its project where it lies inside it. */
export function fileOf({
  toolName,
  toolInput,
  project,
}: ToolEvent): { path: string; changed: boolean } | undefined {
  const changed = changingTools.has(toolName);
  if (!changed && !readingTools.has(toolName)) return undefined;
  const path = textField(toolInput, "file_path", "notebook_path");
  if (path === "") return undefined;
  return { path: pathBelow(project?.root ?? "", path) || path, changed };
}

/** What a command printed whose exit code is not its own: of a pipe, or of what was tried instead. */
export function printedBy(event: ClientEvents["PostToolUse"]): string | undefined {
  const command = commandOf(event);
  if (command === undefined || !/\||;/.test(command)) return undefined;
  const { toolResponse: response } = event;
  if (typeof response === "string") return response;
  const printed = [textField(response, "stdout"), textField(response, "stderr")];
  return printed.filter(Boolean).join("\n") || undefined;
}

// What is given at the right moment, as text for the model.

/** Characters of a file's notes, without the mark around them. */
export const fileRoom = 300;
const filesNamed = 4;

/** How the lines are written. */
export interface Writing {
  /** How the agent calls memoir in a shell. */
  command: string;
  /** Writes epoch ms as a day. */
  day(time: number): string;
}

/** What failed then and what repaired it. */
export function renderFailure(
  repaired: Repaired,
  { command, day }: Writing,
  isElsewhere = false,
): string {
  const { turn, about, said, done, files } = repaired;
  const shown = done.slice(0, filesNamed).map((one) => clip(oneLine(asData(one)), 140));
  const more = done.length > filesNamed ? `, and ${done.length - filesNamed} more` : "";
  const what = `${shown.join(", ")}${more}${files.length > 0 ? " changed" : ""}`;
  // A command tells by itself what it did.
  const why = files.length === 0 ? "" : whyOf(repaired);
  const words = why === "" ? "" : ` The agent: “${fit(why, 140)}”.`;
  return wrapContext(
    [
      `Seen before${isElsewhere ? " in another project" : ""} (${placeOf(turn, repaired, day)}): \`${clip(oneLine(asData(about)).replaceAll("`", "'"), 80)}\` failed with “${fit(said, 140)}”.`,
      `It passed after ${what}.${words} \`${command} show ${turn}\` shows how.`,
    ].join("\n"),
    { source: "failure" },
  );
}

/** Of what the agent said at the end, the sentence about the failure or the files changed for it; "" where none is. One sentence alone is taken as it stands. */
function whyOf({ closing, said, files }: Repaired): string {
  const sentences = sentencesOf(plainLine(closing));
  const names = files.map(baseName).flatMap((name) => [name, name.replace(/\.\w+$/, "")]);
  const about = meaningOf([said, ...names].join("\n"));
  const shared = (sentence: string) => meaningOf(sentence).intersection(about).size;
  const best = sentences.toSorted((one, other) => shared(other) - shared(one))[0] ?? "";
  return sentences.length === 1 || shared(best) > 0 ? best : "";
}

/** `t12 · 2026-11-20`, with the name of who did it elsewhere. */
function placeOf(
  id: string,
  { time, ...of }: Pick<FileNote, "time" | "from">,
  day: Writing["day"],
): string {
  return [id, day(time), ...makerOf(of).map((name) => fit(name, 40))].join(" · ");
}

/** Where it is that was not found. */
function renderInstead({ missing, path, turn, time }: Instead, { day }: Writing): string {
  const place = `(${turn} · ${day(time)})`;
  const name = baseName(path);
  const folder = path.slice(0, -name.length) || "./";
  // Another file may be wanted: it is where that one is.
  const said = missing.endsWith("/")
    ? `was not there in earlier sessions either: what they sought in it was in ${fit(folder, 140)}, as ${fit(name, 80)} ${place}`
    : `is not there: earlier sessions worked with ${fit(path, 140)} ${place}`;
  return wrapContext(`\`${fit(missing, 140)}\` ${said}.`, { source: "failure" });
}

const heads = { decision: "decided", companion: "changed together with" };

/** The notes that fit, their ids and the files that they name; undefined where none does. */
export function renderFile(
  path: string,
  notes: readonly FileNote[],
  { day }: Writing,
): { context: string; ids: string[]; files: string[] } | undefined {
  const ids: string[] = [];
  const files: string[] = [];
  let text = `${fit(path, 80)}, from earlier sessions; check before use:`;
  for (const { kind, id, text: said, file, ...note } of notes) {
    const head = `\n- ${heads[kind]} (${placeOf(id, note, day)}): `;
    const room = fileRoom - text.length - head.length;
    if (room < 40) break;
    text += `${head}${file === undefined ? `“${fit(said, room - 2)}”` : fit(said, room)}`;
    ids.push(id);
    if (file !== undefined) files.push(file);
  }
  if (ids.length === 0) return undefined;
  return { context: wrapContext(text, { source: "file" }), ids: [...new Set(ids)], files };
}

function fit(text: string, most: number): string {
  const said = oneLine(shorten(toBmp(asQuoted(text)), most).text);
  return said.length <= most ? said : `${said.slice(0, most - 1)}…`;
}

/** A command says most at its beginning. */
function clip(text: string, most: number): string {
  const isCommand = text.startsWith("`");
  if (text.length <= most) return text;
  return `${toBmp(text).slice(0, most).trimEnd()}…${isCommand ? "`" : ""}`;
}
