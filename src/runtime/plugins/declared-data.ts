// What a plugin declares beside its hooks: schedules, rules of redaction, data of its own. What is wrong with each, and how each crosses to the host.
import * as v from "valibot";
import { type OpenData, openPluginData } from "../../home/database/plugin-data.ts";
import { memoirPaths } from "../../home/paths.ts";
import { readFileText } from "../../home/read-file.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { unknownWord } from "../config/problems.ts";
import { lineOfHook } from "../isolation/thrown.ts";
import { whenFault } from "../schedules/when.ts";

const texts = v.pipe(v.array(v.string()), v.readonly());

/** What of it crosses from a worker to the host, by its field in a plugin. */
export const declaredEntries = {
  schedules: v.exactOptional(
    v.record(
      v.string(),
      v.object({
        at: v.exactOptional(v.string()),
        every: v.exactOptional(v.string()),
        idle: v.exactOptional(v.string()),
        deadlineMs: v.exactOptional(v.number()),
      }),
    ),
  ),
  redactions: v.exactOptional(
    v.record(
      v.string(),
      v.object({
        pattern: v.string(),
        keyword: v.exactOptional(v.string()),
        removes: texts,
        keeps: v.exactOptional(texts),
      }),
    ),
  ),
  data: v.exactOptional(
    v.object({
      migrations: texts,
      forget: v.exactOptional(v.record(v.string(), v.string())),
    }),
  ),
};

const words = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const hourMs = 3_600_000;

/** Everything wrong with them that can be seen without running anything, each fault behind its field's path. */
export function declaredFaults(plugin: Record<string, unknown>): string[] {
  return [
    ...named("schedules", plugin.schedules, scheduleFaults),
    ...named("redactions", plugin.redactions, ruleFaults),
    ...dataFaults(plugin.data),
  ];
}

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function named(
  field: string,
  value: unknown,
  faultsOf: (place: string, entry: Fields) => string[],
): string[] {
  if (value === undefined) return [];
  if (!isFields(value)) return [`${field}: must be an object`];
  return Object.entries(value).flatMap(([name, entry]) => {
    const place = `${field}.${name}`;
    if (!words.test(name)) return [`${place}: must be a name of lower-case words joined by dashes`];
    return isFields(entry) ? faultsOf(place, entry) : [`${place}: must be an object`];
  });
}

function unknownIn(place: string, entry: Fields, known: readonly string[]): string[] {
  return Object.keys(entry).flatMap((key) =>
    known.includes(key) ? [] : [`${place}.${key}: ${unknownWord("field", key, known)}`],
  );
}

function scheduleFaults(place: string, entry: Fields): string[] {
  const { run, deadlineMs } = entry;
  const when = whenFault(entry);
  const isFitting = typeof deadlineMs === "number" && deadlineMs > 0 && deadlineMs <= hourMs;
  return [
    ...unknownIn(place, entry, ["at", "every", "idle", "run", "deadlineMs"]),
    ...(when === undefined ? [] : [`${place}${when.startsWith(".") ? when : `: ${when}`}`]),
    ...(typeof run === "function" ? [] : [`${place}.run: must be a function`]),
    ...(deadlineMs === undefined || isFitting
      ? []
      : [`${place}.deadlineMs: must be a number of milliseconds, at most an hour`]),
  ];
}

function ruleFaults(place: string, entry: Fields): string[] {
  const { pattern, keyword, removes, keeps } = entry;
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
  return [
    ...unknownIn(place, entry, ["pattern", "keyword", "removes", "keeps"]),
    ...(isText(pattern) ? [] : [`${place}.pattern: must be an expression, as a string`]),
    ...(keyword === undefined || isText(keyword) ? [] : [`${place}.keyword: must be a word`]),
    ...(areTexts(removes) && (removes as unknown[]).length > 0
      ? []
      : [`${place}.removes: must be a list of at least one string: they are the rule's tests`]),
    ...(keeps === undefined || areTexts(keeps)
      ? []
      : [`${place}.keeps: must be a list of strings`]),
  ];
}

/** Rules that cannot be used or do not do what their examples say. */
export async function exampleFaults({ redactions = {} }: AnyPlugin): Promise<string[]> {
  // Only here: what compiles them is large.
  const { redactionFaults } = await import("../../privacy/redact/own-rules.ts");
  const faults = await Promise.all(
    Object.entries(redactions).map(async ([name, rule]) =>
      (await redactionFaults(rule)).map((fault) => `redactions.${name}${fault}`),
    ),
  );
  return faults.flat();
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What would end the transaction that a migration runs in, or reach outside of the file. */
const forbidden =
  /(?:^|;)\s*(begin|commit|end|rollback|savepoint|release|attach|detach|vacuum|pragma)\b/i;
/** The same where `END` may end a trigger. */
const forbiddenBesideTriggers = new RegExp(forbidden.source.replace("end|", ""), "i");

function dataFaults(data: unknown): string[] {
  if (data === undefined) return [];
  if (!isFields(data)) return ["data: must be an object"];
  const { migrations, forget = {} } = data;
  const faults = unknownIn("data", data, ["migrations", "forget"]);
  if (!Array.isArray(migrations) || migrations.length === 0)
    faults.push("data.migrations: must be a list of at least one SQL string");
  else
    for (const [at, sql] of migrations.entries()) {
      if (typeof sql !== "string" || sql.trim() === "")
        faults.push(`data.migrations: must be a string as migration ${at + 1}`);
      else if (forbiddenIn(sql) !== undefined)
        faults.push(
          `data.migrations: migration ${at + 1} says ${forbiddenIn(sql)}, which memoir does itself`,
        );
    }
  if (!isFields(forget)) return [...faults, "data.forget: must be an object"];
  for (const [table, column] of Object.entries(forget))
    if (!identifier.test(table) || typeof column !== "string" || !identifier.test(column))
      faults.push(`data.forget.${table}: must be the name of a column`);
  return faults;
}

function forbiddenIn(sql: string): string | undefined {
  const plain = sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, " ");
  const words = /\btrigger\b/i.test(plain) ? forbiddenBesideTriggers : forbidden;
  return words.exec(plain)?.[1]?.toUpperCase();
}

/** The plugin's database, where it declares one; `source` is its module, to name a line of. */
export async function openData(
  { name, data }: AnyPlugin,
  home: string,
  source: string | undefined,
): Promise<OpenData | undefined> {
  if (!data) return undefined;
  const text = source === undefined ? "" : await readFileText(source).catch(() => "");
  return openPluginData(data, {
    paths: memoirPaths(home),
    plugin: name,
    placeOf: (sql) => placeOfText(text, sql, source),
  });
}

/** ` (file:line)` of the first line of a text that has one, in a module that holds it as it is. */
function placeOfText(module: string, text: string, source: string | undefined): string {
  const first = text.split("\n").find((line) => line.trim() !== "");
  const lines = module.split("\n");
  const at = first === undefined ? -1 : lines.findIndex((line) => line.includes(first.trim()));
  const line = at === -1 ? lineOfHook(module, "data") : at + 1;
  return line === undefined ? "" : ` (${source}:${line})`;
}
