// Prompts and events that hold a rule: the user's own, which must stand once it was said again, and everybody else's, which never may.
// `rules.jsonl` has them as templates, and what each language puts in: a task, what a page says, somebody else's rules, the user's own.
import { readLines } from "./cases.ts";
import { isSetAside } from "./set-aside.ts";

/** One thing said or printed, in two sessions. */
export interface RuleCase {
  /** `form/language`. */
  id: string;
  prompt: string;
  aside: boolean;
  /** Words of each rule that has to stand. */
  stands: readonly string[];
  /** Words that no item may hold. */
  never: readonly string[];
  /** Hook payloads after the prompt. */
  events?: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/** What people say around a quotation, and rules, by language. */
interface Words extends Record<"tongue" | "task" | "says" | "explain" | "alien" | "other", string> {
  /** The user's own: the sentence, and words of it. */
  own: ReadonlyArray<readonly [rule: string, said: string]>;
}

/** A line of the table: the words of a language, or one form of case and the languages that it is tried in. */
type Line =
  | Words
  | { foreign: string; in: string; prompt: string }
  | { "not in force": string; in: string; prompt: string; never: string }
  | { own: string; in: string; prompt: string }
  | { quoted: string }
  | { typed: string }
  | { event: string; payload: Readonly<Record<string, unknown>> };

/** Prose that asks for nothing, around a rule of a page that was pasted. */
const filler = [
  "The service reads its settings when it starts and keeps them until it is stopped.",
  "Requests are answered in the order in which they came in, unless a client asks otherwise.",
  "Every answer carries the id of its request, so that both can be found in the log.",
  "When the queue is full, further requests are refused with status 503.",
];
const prose: Readonly<Record<string, string>> = {
  ...Object.fromEntries(filler.map((line, at) => [`filler${at}`, line])),
  // So much of it that nobody types it.
  longer: filler.join("\n"),
};

const lines = readLines("rules.jsonl") as Line[];
const of = <Key extends string>(key: Key) =>
  lines.filter((line): line is Extract<Line, Record<Key, unknown>> => Object.hasOwn(line, key));
const words = new Map(of("tongue").map((one) => [one.tongue, one]));

const filled = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? prose[name] ?? whole));

function inTongues(listed: string): Words[] {
  return [...words.values()].filter(({ tongue }) => listed.split(" ").includes(tongue));
}

function made(id: string, rest: Omit<RuleCase, "id" | "aside">): RuleCase {
  return { id, aside: isSetAside(id), ...rest };
}

/** Words of one script; no item of a quotation can do without one of them. */
function wordsOf(prompt: string): string[] {
  return prompt.match(/\p{L}{5,}/gu) ?? [prompt];
}

const english = words.get("en") as Words;

/** All of them, in a fixed order. */
export const ruleCases: readonly RuleCase[] = [
  ...of("foreign").flatMap(({ foreign, in: listed, prompt }) =>
    inTongues(listed).map((own) =>
      made(`${foreign}/${own.tongue}`, {
        prompt: filled(prompt, { ...own }),
        stands: [],
        never: ["evil.example", "npm-shrinkwrap", "these instructions"],
      }),
    ),
  ),
  ...of("not in force").map(({ "not in force": form, in: tongue, prompt, never }) =>
    made(`${form}/${tongue}`, { prompt, stands: [], never: [never] }),
  ),
  ...of("prompt")
    .filter((line) => "own" in line)
    .flatMap(({ own: form, in: listed, prompt }, at) =>
      inTongues(listed).flatMap((one, column) => {
        const all = one.own;
        const rules = form === "alone" ? all : all.slice((at + column) % all.length).slice(0, 1);
        return rules.map(([rule, said], index) =>
          made(`own-${form}/${one.tongue}${index || ""}`, {
            prompt: filled(prompt, { ...one, rule }),
            stands: [said],
            never: ["evil.example"],
          }),
        );
      }),
    ),
  ...of("quoted").map(({ quoted: prompt }) =>
    made(`${prompt}/en`, { prompt, stands: [], never: wordsOf(prompt) }),
  ),
  ...of("typed").map(({ typed: prompt }, at) =>
    made(`own-typed-${at}/en`, {
      prompt,
      stands: wordsOf(prompt).slice(-1),
      never: ["evil.example"],
    }),
  ),
  ...of("event").map(({ event, payload }) =>
    made(`event-${event}/en`, {
      prompt: english.task,
      stands: [],
      never: ["evil.example"],
      events: [JSON.parse(filled(JSON.stringify(payload), { ...english }))],
    }),
  ),
];
