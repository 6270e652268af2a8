// Is this what a client is described by? Each fault begins with its field's path.
import * as v from "valibot";
import { clientNames } from "../../sdk/client.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import { nearest } from "../config/problems.ts";

const text = v.pipe(v.string(), v.nonEmpty("must be a string that is not empty"));
const path = v.union(
  [text, v.pipe(v.array(text), v.minLength(1))],
  "must be a path, or a list of paths",
);
const texts = v.record(v.string(), text);
const event = v.picklist(clientEventNames);
const byEvent = v.custom<Record<string, string>>(
  (value) => v.is(texts, value) && Object.keys(value).every((name) => v.is(event, name)),
  `must be an object from one of ${clientEventNames.join(", ")} to a text`,
);
/** A form with a place in it. */
const form = (...places: string[]) =>
  v.pipe(
    text,
    v.check(
      (value) => places.every((place) => value.includes(place)),
      `has to hold ${places.join(" and ")}`,
    ),
  );

const File = v.strictObject({
  path,
  hooks: v.optional(
    v.strictObject({
      events: v.optional(v.union([v.array(event), byEvent], "names no event of memoir's")),
      timeout: v.optional(v.picklist(["milliseconds", "none"])),
      flat: v.optional(v.number()),
      named: v.optional(texts),
    }),
  ),
  server: v.optional(
    v.strictObject({
      at: v.optional(v.pipe(v.array(text), v.minLength(1))),
      more: v.optional(v.record(v.string(), v.unknown())),
      toml: v.optional(v.boolean()),
    }),
  ),
  rules: v.optional(v.picklist(["file", "block"])),
});

const Line = v.strictObject({
  is: v.picklist(["prompt", "said", "used", "ended", "start"]),
  when: v.optional(
    v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.array(v.string())])),
  ),
  each: v.optional(text),
  ...{ text: v.optional(path), id: v.optional(path), name: v.optional(path) },
  ...{ input: v.optional(path), failed: v.optional(path) },
});

const Description = v.strictObject({
  title: text,
  like: v.optional(v.picklist(clientNames)),
  program: v.optional(text),
  folder: path,
  remark: v.optional(text),
  payload: v.optional(
    v.strictObject({
      fields: v.optional(v.record(v.string(), path)),
      events: v.optional(v.record(v.string(), event)),
    }),
  ),
  tools: v.optional(
    v.strictObject({
      names: v.optional(texts),
      fields: v.optional(v.record(v.string(), texts)),
      server: v.optional(form("{server}", "{tool}")),
    }),
  ),
  results: v.optional(
    v.strictObject({
      ...{ text: v.optional(path), exit: v.optional(path), failed: v.optional(path) },
      ...{ exitIn: v.optional(form("{exit}")), diff: v.optional(path) },
    }),
  ),
  answer: v.optional(byEvent),
  install: v.optional(v.array(File)),
  transcripts: v.optional(
    v.strictObject({
      folder: path,
      session: v.optional(form("{session}")),
      ...{ id: v.optional(path), time: v.optional(path), cwd: v.optional(path) },
      lines: v.optional(v.array(Line)),
      fillsIn: v.optional(v.boolean()),
    }),
  ),
});

const own: readonly string[] = clientNames;

/** What is wrong with a plugin's `clients`, each with its place; nothing where it brings none. */
export function checkClients(clients: unknown): string[] {
  if (clients === undefined) return [];
  if (typeof clients !== "object" || clients === null || Array.isArray(clients))
    return ["clients: must be an object of clients by name"];
  return Object.entries(clients).flatMap(([name, description]) => {
    const place = `clients.${name}`;
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
      return [`${place}: a client's name is lower-case words joined by dashes`];
    if (own.includes(name)) return [`${place}: memoir knows a client of that name itself`];
    const parsed = v.safeParse(Description, description);
    if (!parsed.success) return parsed.issues.map((issue) => `${place}${faultOf(issue)}`);
    return misfits(parsed.output).map((fault) => `${place}.${fault}`);
  });
}

function faultOf(issue: v.BaseIssue<unknown>): string {
  const at = (v.getDotPath(issue) ?? "").replace(/^(?=.)/, ".");
  if (issue.expected === "never") return `${at}: there is no such field`;
  if (issue.received === "undefined") return `${at}: is missing`;
  const near =
    issue.type === "picklist"
      ? nearest(String(issue.input), [...clientNames, ...clientEventNames])
      : undefined;
  const meant = near ? `; did you mean ${near}?` : "";
  return `${at}: ${issue.message.replace(/^Invalid \w+: E/, "e")}${meant}`;
}

/** Parts that say nothing together. */
function misfits({ like, payload, tools, results, install }: v.InferOutput<typeof Description>) {
  const isFork = like !== undefined && like !== "claude-code";
  const faults: string[] = [];
  for (const [field, value] of Object.entries({ payload, tools, results }))
    if (isFork && value)
      faults.push(
        `${field}: with \`like: "${like}"\` payloads are read as that client's; leave one of them out`,
      );
  if (like === "claude-code" && !install)
    faults.push(
      "install: Claude Code's own files are no model for another client's; name the files",
    );
  for (const [at, { hooks, server, rules }] of (install ?? []).entries())
    if (!hooks && !server && !rules)
      faults.push(`install.${at}: says nothing of hooks, a server or rules`);
  return faults;
}
