// Tells at the right moment: a failure that another session met and repaired, and what stands about a file that is worked on.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import {
  type ClientEvents,
  definePlugin,
  flagOption,
  isOwnTool,
  memoirCommand,
  type Reply,
} from "../../src/sdk/index.ts";
import {
  changingTools,
  createSaid,
  readingTools,
  type Said,
  shellTools,
} from "../../src/strategy/index.ts";
import { commandKey, localClock, textField } from "../../src/text/index.ts";
import type { Repaired } from "./failures.ts";
import {
  createIndexes,
  type FileIndex,
  type FileNote,
  type ProjectIndexes,
} from "./project-index.ts";
import { renderFailure, renderFile, type Writing } from "./render.ts";

// What became of hints: looked up, acted on, or neither; and which kind falls silent in a project for a while. Pure.

/** Kinds of hints. */
const momentKinds = ["failure", "file"] as const;
/** A kind of hint. */
type MomentKind = (typeof momentKinds)[number];

const HintSchema = v.object({
  kind: v.picklist(momentKinds),
  project: v.string(),
  session: v.string(),
  /** Epoch ms. */
  time: v.number(),
  /** Ids of the records that were named. */
  ids: v.array(v.string()),
  /** Commands whose passing, and files whose change, shows that it was acted on. */
  commands: v.array(v.string()),
  files: v.array(v.string()),
  lookedUp: v.boolean(),
  actedOn: v.boolean(),
});
/** A hint that was given. */
export type Hint = v.InferOutput<typeof HintSchema>;
/** As it is kept between runs. */
const KeptHintsSchema = v.array(HintSchema);

/** A tool use as it counts here. */
interface Used {
  session: string;
  /** It passed: a command line as it was written, or a file that was changed. */
  command?: string;
  file?: string;
  /** What memoir was asked for. */
  asked?: string;
}

/** Hints and what became of them. */
interface Outcomes {
  add(hint: Hint): void;
  /** The kinds for which this is the first sign of use. */
  used(use: Used): Array<{ kind: MomentKind; how: "lookedUp" | "actedOn" }>;
  isSilent(project: string, kind: MomentKind, now: number): boolean;
  /** What named one of these records goes; whether there was any. */
  forget(ids: readonly string[]): boolean;
  all(): readonly Hint[];
}

/** Of so many in a project, so many have to be of use; else the kind is silent for so long. */
const looked = 30;
const leastUsed = 3;
const silentMs = 7 * 24 * 60 * 60_000;
const kept = 1_000;

/** Goes on from what was kept. */
export function createOutcomes(before: readonly Hint[] = []): Outcomes {
  let hints: Hint[] = before.map((one) => ({ ...one }));
  return {
    add(one) {
      hints = [...hints, one].slice(-kept);
    },
    used({ session, command, file, asked }) {
      const own = hints.filter((one) => one.session === session);
      return own.flatMap((one) => {
        const asks = asked !== undefined && one.ids.some((id) => names(asked, id));
        const acts =
          (command !== undefined && one.commands.includes(commandKey(command))) ||
          (file !== undefined && one.files.includes(file));
        const signs: Array<{ kind: MomentKind; how: "lookedUp" | "actedOn" }> = [];
        if (asks && !one.lookedUp) signs.push({ kind: one.kind, how: "lookedUp" });
        if (acts && !one.actedOn) signs.push({ kind: one.kind, how: "actedOn" });
        one.lookedUp ||= asks;
        one.actedOn ||= acts;
        return signs;
      });
    },
    isSilent(project, kind, now) {
      const last = hints
        .filter((one) => one.project === project && one.kind === kind)
        .slice(-looked);
      if (last.length < looked || now - (last.at(-1)?.time ?? 0) > silentMs) return false;
      return last.filter(({ lookedUp, actedOn }) => lookedUp || actedOn).length < leastUsed;
    },
    forget(ids) {
      const gone = new Set(ids);
      const kept = hints.filter((one) => !one.ids.some((id) => gone.has(id)));
      const isLess = kept.length < hints.length;
      hints = kept;
      return isLess;
    },
    all: () => hints,
  };
}

function names(text: string, id: string): boolean {
  return text.split(/[^\p{L}\p{N}]+/u).includes(id);
}

const ConfigSchema = v.strictObject({
  failures: flagOption(
    "Tell how a failure was repaired when it comes back in a later session.",
    true,
  ),
  files: flagOption(
    "Tell what stands about a file when a session changes it for the first time.",
    true,
  ),
  elsewhere: flagOption("Tell also of repairs in other projects, where commands made them.", true),
  reads: flagOption("Tell that at the first reading already.", false),
});
type Config = v.InferOutput<typeof ConfigSchema>;

interface State {
  writing: Writing;
  indexes: ProjectIndexes;
  said: Said;
  outcomes: Outcomes;
  /** Counted with the next answer. */
  pending: string[];
  /** Outcomes that are not on disk yet. */
  unkept: boolean;
}

interface Call {
  config: Config;
  state: State;
  home: string;
  now(): number;
  log: { warn(message: string, fields?: Record<string, unknown>): void };
}
type ToolEvent = ClientEvents["PostToolUse"] | ClientEvents["PostToolUseFailure"];

const fileName = "moments.json";

export default definePlugin<Config, State>({
  name: "context-moments",
  description:
    "Tells a session how a failure was repaired before, and what stands about a file it changes.",
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
    outcomes: createOutcomes(await readKept(join(ctx.home, fileName))),
    pending: [],
    unkept: false,
  }),
  hooks: {
    SessionStart: ({ session, source, project }, ctx) => {
      if (source === "compact" || source === "clear") ctx.state.said.forget(session);
      if (project) ctx.state.indexes.wish(project.id, { session, begins: true });
    },
    UserPromptSubmit: ({ session, project }, ctx) => {
      if (project) ctx.state.indexes.wish(project.id, { session, begins: false });
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
      return answered(ctx.state, tellFailure(event, event.error, false, ctx));
    },
    PostToolUse: (event, ctx) => {
      follow(event, ctx.state);
      const printed = printedBy(event);
      const failure = printed === undefined ? undefined : tellFailure(event, printed, true, ctx);
      return answered(ctx.state, failure ?? tellFile(event, ctx));
    },
    stored: ({ project, session }, ctx) => ctx.state.indexes.outgrow(project, session),
    forgotten: async ({ ids }, { state, home }) => {
      state.indexes.clear();
      if (state.outcomes.forget(ids)) await keep(join(home, fileName), state.outcomes.all());
    },
    // What is hidden or edited is read anew before any hint.
    amended: (_record, { state }) => state.indexes.clear(),
    Stop: async (_event, ctx) => {
      const { state } = ctx;
      if (state.unkept) {
        state.unkept = false;
        await keep(join(ctx.home, fileName), state.outcomes.all());
      }
      return answered(state, undefined);
    },
  },
  stop: (state) => state?.indexes.stop(),
});

/** The answer with what there is to count. */
function answered(state: State, reply: Reply | undefined): Reply | undefined {
  const noted = [...state.pending, ...(reply?.noted ?? [])];
  state.pending.length = 0;
  return noted.length === 0 ? reply : { ...reply, noted };
}

/** A failure that was seen before; where the exit is hidden, by what was printed. */
function tellFailure(
  event: ToolEvent,
  text: string,
  hidden: boolean,
  { config, state, now, log }: Call,
): Reply | undefined {
  const { session, project, toolName } = event;
  if (!config.failures || !project || event.withheld || event.recovered) return undefined;
  const index = state.indexes.known.get(project.id);
  if (!index) state.indexes.wish(project.id);
  const about = commandOf(event) ?? toolName;
  const failed = { session, about, text, hidden };
  const own = index?.failures.find(failed);
  const found = own ?? state.indexes.everywhere()?.find({ ...failed, notOf: project.id });
  if (!found || !state.said.isNew(session, `failure ${found.fingerprint}`)) return undefined;
  return give(
    event,
    "failure",
    [found.turn],
    renderFailure(found, state.writing, found !== own),
    watch(found),
    {
      state,
      now,
      log,
    },
  );
}

function watch({ about, files }: Repaired): Pick<Hint, "commands" | "files"> {
  return { commands: [commandKey(about)], files };
}

/** What stands about a file, the first time that it is touched. */
function tellFile(event: ToolEvent, { config, state, now, log }: Call): Reply | undefined {
  const { session, project } = event;
  if (!config.files || !project || event.withheld || event.recovered) return undefined;
  const touched = fileOf(event);
  if (!touched || !(touched.changed || config.reads)) return undefined;
  const index = state.indexes.known.get(project.id);
  if (!index) state.indexes.wish(project.id);
  if (!index || !state.said.isNew(session, `file ${touched.path}`)) return undefined;
  const rendered = renderFile(
    touched.path,
    notesOn(index.files, touched.path, session),
    state.writing,
  );
  if (!rendered) return undefined;
  const none = { commands: rendered.commands, files: [] };
  return give(event, "file", rendered.ids, rendered.context, none, { state, now, log });
}

/** What other sessions left, most pressing first. */
export function notesOn(files: FileIndex, path: string, session: string): FileNote[] {
  return (files.get(path) ?? []).filter((one) => one.session !== session);
}

function give(
  { session, project, cwd }: ToolEvent,
  kind: MomentKind,
  ids: string[],
  context: string,
  watched: Pick<Hint, "commands" | "files">,
  { state, now, log }: Pick<Call, "state" | "now" | "log">,
): Reply | undefined {
  const place = project?.id ?? cwd;
  if (state.outcomes.isSilent(place, kind, now())) return { noted: [`${kind}:silent`] };
  const isNew = { lookedUp: false, actedOn: false };
  state.outcomes.add({ kind, project: place, session, time: now(), ids, ...watched, ...isNew });
  state.unkept = true;
  const falls = state.outcomes.isSilent(place, kind, now());
  if (falls) log.warn("a kind of hint is not used and falls silent for a week", { kind });
  return {
    ...{ context, records: ids },
    noted: [`${kind}:told`, ...(falls ? [`${kind}:fell-silent`] : [])],
  };
}

/** Whether a hint is acted on: its command passes, its files are changed. */
function follow(event: ClientEvents["PostToolUse"], state: State): void {
  const command = printedBy(event) === undefined ? commandOf(event) : undefined;
  const file = fileOf(event);
  note(
    state,
    state.outcomes.used({
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
  note(state, state.outcomes.used({ session: event.session, asked }));
}

function note(state: State, signs: ReturnType<Outcomes["used"]>): void {
  for (const { kind, how } of signs) {
    state.pending.push(`${kind}:${how === "lookedUp" ? "looked-up" : "acted-on"}`);
    state.unkept = true;
  }
}

/** What was kept; a file that is missing or torn counts as none. */
async function readKept(path: string): Promise<Hint[]> {
  try {
    const parsed = v.safeParse(KeptHintsSchema, JSON.parse(await readFile(path, "utf8")));
    return parsed.success ? parsed.output : [];
  } catch {
    return [];
  }
}

async function keep(path: string, hints: readonly Hint[]): Promise<void> {
  const draft = `${path}.tmp`;
  await writeFile(draft, JSON.stringify(hints), { mode: 0o600 });
  await rename(draft, path);
}

// What a tool use says: its command line, the file it touched, and what a command printed whose exit is hidden. Pure.

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
  const root = `${project?.root.replace(/[/\\]$/, "")}`;
  const inside = path.startsWith(`${root}/`) || path.startsWith(`${root}\\`);
  return { path: inside ? path.slice(root.length + 1) : path, changed };
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
