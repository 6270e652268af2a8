// What a plugin brings beside its hooks, part by part: `operations.flaky`, `routes`, `panels.main`. A part is called by its name, and as hooks are: with a deadline, a guard, a clock and somebody to blame. A new kind of part is one more entry in `kinds`, in what `BringsSchema`, `checkParts` and `collectParts` read, in `ContributionSchema` (../status-schema.ts) and, for workers, in `standIns` (../isolation/isolated-plugin.ts).
import * as v from "valibot";
import { MemoirError } from "../../sdk/errors.ts";
import type { OperationCaller } from "../../sdk/operation.ts";
import type { AnyPlugin, Due } from "../../sdk/plugin.ts";
import { explain, problemText } from "../config/problems.ts";
import { type AskedAtDoor, atDoor } from "../own-operation.ts";
import { declaredEntries } from "../plugins/declared-data.ts";
import type { Contribution } from "../status-schema.ts";
import type { AnyHandler, RunningPlugin, Subscription } from "./subscription.ts";
import { timingOf } from "./subscription.ts";

/** A part as it is called: its answer is wrapped, as every answer of a hook is an object. */
interface Part {
  /** `operations.<name>`, `routes`, `panels.<name>`. */
  part: string;
  deadlineMs: number;
  handler: AnyHandler;
}

interface Answered {
  answer: unknown;
}

/** The longest that a timer can wait: who asks memoir's own operations has a deadline already. */
export const asLongAsItTakes = 2 ** 31 - 1;

/** How each kind of part is found in a plugin, and what calling one does. */
const kinds: Readonly<Record<string, (plugin: AnyPlugin) => Part[]>> = {
  operations: ({ operations = {} }) =>
    Object.entries(operations).map(([name, { run, deadlineMs = 30_000 }]) => ({
      part: `operations.${name}`,
      deadlineMs: run === atDoor ? asLongAsItTakes : deadlineMs,
      async handler(asked, ctx): Promise<Answered> {
        if (run === atDoor) return { answer: await (asked as AskedAtDoor).work() };
        const { input, caller } = asked as {
          input: Record<string, unknown>;
          caller: OperationCaller;
        };
        return { answer: await run(input, { ...(ctx as Parameters<typeof run>[1]), caller }) };
      },
    })),
  routes: ({ routes }) =>
    routes
      ? [
          {
            part: "routes",
            deadlineMs: 30_000,
            async handler(asked, ctx): Promise<Answered> {
              const { request } = asked as { request: Request };
              return { answer: await routes(request, ctx as Parameters<typeof routes>[1]) };
            },
          },
        ]
      : [],
  panels: ({ panels = {} }) =>
    Object.entries(panels).map(([name, { html, deadlineMs = 10_000 }]) => ({
      part: `panels.${name}`,
      deadlineMs,
      async handler(_, ctx): Promise<Answered> {
        const made = html;
        return {
          answer: typeof made === "string" ? made : await made(ctx as Parameters<typeof made>[0]),
        };
      },
    })),
  schedules: ({ schedules = {} }) =>
    Object.entries(schedules).map(([name, { run, deadlineMs = 60_000 }]) => ({
      part: `schedules.${name}`,
      deadlineMs,
      async handler(due, ctx): Promise<Answered> {
        await run(due as Due, ctx as Parameters<typeof run>[1]);
        return { answer: null };
      },
    })),
};

/** All parts of a plugin. */
export function partsOf(plugin: AnyPlugin): Part[] {
  return Object.values(kinds).flatMap((found) => found(plugin));
}

const text = v.string();
const door = v.picklist(["command", "route", "tool", "panel"]);
const InputSchema = v.strictObject({
  says: text,
  is: v.exactOptional(v.picklist(["filled", "phrasing", "count", "time", "switch", "stdin"])),
  most: v.exactOptional(v.number()),
  choices: v.exactOptional(v.pipe(v.array(text), v.nonEmpty(), v.readonly())),
  many: v.exactOptional(v.literal(true)),
  required: v.exactOptional(v.literal(true)),
  isWord: v.exactOptional(v.literal(true)),
  typed: v.exactOptional(
    v.pipe(
      text,
      v.regex(
        /^(?:-\w, )?--[a-z][a-z-]*(?: <[a-z-]+>)?$/,
        "must have the form `-n, --limit <count>`",
      ),
    ),
  ),
  default: v.exactOptional(v.union([text, v.number()])),
});
const partName = v.pipe(
  text,
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by dashes"),
);

const partDeadline = v.exactOptional(v.pipe(v.number(), v.minValue(1), v.maxValue(600_000)));

/** What a plugin brings, as data: it crosses from a worker, and is known without running anything. */
export const BringsSchema = v.object({
  operations: v.exactOptional(
    v.record(
      partName,
      v.strictObject({
        does: v.pipe(
          text,
          v.nonEmpty("is empty"),
          v.maxLength(300, "has more than 300 characters"),
        ),
        takes: v.exactOptional(
          v.record(
            v.pipe(text, v.regex(/^[a-z]\w*$/i, "must be letters, digits and _")),
            InputSchema,
          ),
        ),
        more: v.exactOptional(v.pipe(text, v.maxLength(2_000, "has more than 2000 characters"))),
        examples: v.exactOptional(v.pipe(v.array(text), v.nonEmpty("is empty"), v.readonly())),
        /** As JSON Schema, which crosses from a worker. */
        answers: v.exactOptional(v.record(text, v.unknown())),
        for: v.pipe(v.array(door), v.nonEmpty("names no door"), v.readonly()),
        changes: v.exactOptional(v.picklist(["adds", "deletes"])),
        deadlineMs: partDeadline,
      }),
    ),
  ),
  routes: v.exactOptional(v.literal(true)),
  panels: v.exactOptional(
    v.record(
      partName,
      v.strictObject({
        title: v.pipe(text, v.nonEmpty("is empty"), v.maxLength(60, "has more than 60 characters")),
        deadlineMs: partDeadline,
      }),
    ),
  ),
  ...declaredEntries,
});
export type Brings = v.InferOutput<typeof BringsSchema>;

/** The data of a plugin's parts, without its functions. */
export function bringsOf(plugin: AnyPlugin): Brings {
  const { operations, routes, panels, schedules, redactions, data: ownData } = plugin;
  const data = <Of extends object>(all: Readonly<Record<string, Of>>, read: (one: Of) => object) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, read(one)]));
  return {
    ...(operations && {
      operations: data(operations, ({ run: _run, answers, ...rest }) => ({
        ...rest,
        ...(answers && !("~standard" in answers) && { answers }),
      })),
    }),
    ...(routes && { routes: true }),
    ...(panels && { panels: data(panels, ({ html: _html, ...rest }) => rest) }),
    ...(schedules && { schedules: data(schedules, ({ run: _run, ...rest }) => rest) }),
    ...(redactions && { redactions }),
    ...(ownData && { data: ownData }),
  } as Brings;
}

/** What is wrong with what a plugin brings, each fault with its field's path first. */
export function checkParts(plugin: Readonly<Record<string, unknown>>): string[] {
  const { operations, routes, panels } = plugin;
  const wanted = (field: string, value: unknown, what: string, fits: boolean) =>
    value === undefined || fits ? [] : [`${field}: must be ${what}`];
  const entries = (value: unknown): Array<[string, Record<string, unknown>]> =>
    isObject(value)
      ? Object.entries(value).map(([name, one]) => [name, isObject(one) ? one : {}])
      : [];
  const parsed = v.safeParse(
    BringsSchema,
    bringsOf({
      operations: Object.fromEntries(entries(operations)),
      panels: Object.fromEntries(entries(panels)),
    } as unknown as AnyPlugin),
  );
  return [
    ...wanted("operations", operations, "an object", isObject(operations)),
    ...wanted("routes", routes, "a function", typeof routes === "function"),
    ...wanted("panels", panels, "an object", isObject(panels)),
    ...(parsed.success ? [] : explain(BringsSchema, parsed.issues)).map(problemText),
    ...entries(operations).flatMap(([name, { run, answers }]) => [
      ...(typeof run === "function" ? [] : [`operations.${name}.run: must be a function`]),
      ...wanted(
        `operations.${name}.answers`,
        answers,
        "a valibot schema",
        isObject(answers) && "~standard" in answers,
      ),
    ]),
    ...entries(panels).flatMap(([name, { html }]) =>
      ["string", "function"].includes(typeof html)
        ? []
        : [`panels.${name}.html: must be a string or a function`],
    ),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Everything that running plugins bring, and how to call it. */
export interface Parts {
  /** In the plugins' order; what is refused says why. */
  list(): Contribution[];
  /**
   * Calls a part of a plugin. Rejects with `plugin_not_found` where there is none (any more), `plugin_paused`, or the call's own
   * error, blamed.
   */
  call(plugin: string, part: string, asked: object, signal?: AbortSignal): Promise<unknown>;
}

/** Subscriptions to parts, by plugin and part. */
interface PartTable {
  find(plugin: string, part: string): Subscription | undefined;
  list(): Contribution[];
}

/** The name of an operation's tool. */
export const toolName = (plugin: string, operation: string): string =>
  `${plugin}_${operation}`.replaceAll("-", "_");

/** All parts of running plugins. The second of two that want the same tool is refused. */
export function collectParts(plugins: readonly RunningPlugin[]): PartTable {
  const byName = new Map<
    string,
    { subscription: Subscription; brought: Pick<Contribution, "kind"> }
  >();
  const tools = new Map<string, string>();
  for (const { plugin, context, state, guard } of plugins) {
    const brings = bringsOf(plugin);
    for (const { part, deadlineMs, handler } of partsOf(plugin)) {
      const [kind = "", name = ""] = part.split(".");
      const { operations, panels, schedules } = brings;
      const isOwn = kind === "operations" && plugin.operations?.[name]?.run === atDoor;
      const data = { ...{ operations, panels, schedules }[kind]?.[name] };
      const clash =
        kind === "operations" && brings.operations?.[name]?.for.includes("tool")
          ? claim(tools, toolName(plugin.name, name), `${plugin.name} (${name})`)
          : undefined;
      byName.set(`${plugin.name} ${part}`, {
        brought: {
          kind: kind as Contribution["kind"],
          ...(name && { name }),
          ...data,
          // Its doors have names of their own: it is not offered where others' operations are.
          ...(isOwn && { for: [], ownDoors: brings.operations?.[name]?.for }),
          ...(clash && { refused: clash }),
        },
        subscription: {
          ...{ hook: part, kind: "first", handler, order: "normal", deadlineMs },
          ...{ plugin: plugin.name, part, standby: false, guard, isOwn, wants: undefined },
          context: { ...context, state },
          timing: timingOf(context, part),
          lastError: undefined,
          ...placeIn(plugin, part),
        } as Subscription,
      });
    }
  }
  return {
    find: (plugin, part) => byName.get(`${plugin} ${part}`)?.subscription,
    list: () =>
      [...byName.values()].map(({ brought, subscription }) => {
        const { plugin, part, deadlineMs, timing, lastError, place } = subscription;
        return {
          ...brought,
          ...{ plugin, part, deadlineMs, calls: timing.calls, failures: timing.failures },
          ...{ p50: timing.percentile(0.5), p99: timing.percentile(0.99) },
          ...(lastError !== undefined && { lastError }),
          ...(place !== undefined && { place }),
        };
      }),
  };
}

/** Why a name cannot be had; it is the first one's. */
function claim(names: Map<string, string>, name: string, who: string): string | undefined {
  const first = names.get(name);
  if (first === undefined) names.set(name, who);
  return first && `its tool ${name} is already ${first}'s; rename the operation of ${who}`;
}

/** `file:line` of a part in a user's plugin, which its worker found. */
function placeIn(plugin: AnyPlugin, part: string): { place?: string } {
  const places = (plugin as { places?: Record<string, string> }).places;
  return places?.[part] === undefined ? {} : { place: places[part] };
}

export function noSuchPart(plugin: string, part: string): MemoirError {
  return new MemoirError("plugin_not_found", `No running plugin ${plugin} has ${part}.`, {
    fix: "`memoir plugin list` shows what runs.",
  });
}
