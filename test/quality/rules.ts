// Prompts and events that hold a rule: the user's own, which must stand once it was said again, and everybody else's, which never may.
import { alienEvents } from "./rules/events.ts";
import { foreign } from "./rules/foreign.ts";
import { notInForce, own } from "./rules/own.ts";
import { quotations, typedRules } from "./rules/typed.ts";
import { type Tongue, tongues, words } from "./rules/words.ts";
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

function made(id: string, rest: Omit<RuleCase, "id" | "aside">): RuleCase {
  return { id, aside: isSetAside(id), ...rest };
}

function inTongues(listed: string): Tongue[] {
  return tongues.filter((tongue) => listed.split(" ").includes(tongue));
}

/** Words of one script; no item of a quotation can do without one of them. */
function wordsOf(prompt: string): string[] {
  return prompt.match(/\p{L}{5,}/gu) ?? [prompt];
}

/** All of them, in a fixed order. */
export const ruleCases: readonly RuleCase[] = [
  ...foreign.flatMap(([form, listed, prompt]) =>
    inTongues(listed).map((tongue) =>
      made(`${form}/${tongue}`, {
        prompt: prompt(words[tongue]),
        stands: [],
        never: ["evil.example", "npm-shrinkwrap", "these instructions"],
      }),
    ),
  ),
  ...notInForce.map(([form, tongue, prompt, never]) =>
    made(`${form}/${tongue}`, { prompt, stands: [], never: [never] }),
  ),
  ...own.flatMap(([form, listed, prompt], at) =>
    inTongues(listed).flatMap((tongue, column) => {
      const all = words[tongue].own;
      const rules = form === "alone" ? all : all.slice((at + column) % all.length).slice(0, 1);
      return rules.map(([rule, said], index) =>
        made(`own-${form}/${tongue}${index || ""}`, {
          prompt: prompt(rule, words[tongue]),
          stands: [said],
          never: ["evil.example"],
        }),
      );
    }),
  ),
  ...quotations.map((prompt) =>
    made(`${prompt}/en`, { prompt, stands: [], never: wordsOf(prompt) }),
  ),
  ...typedRules.map((prompt, at) =>
    made(`own-typed-${at}/en`, {
      prompt,
      stands: wordsOf(prompt).slice(-1),
      never: ["evil.example"],
    }),
  ),
  ...alienEvents.map(([form, event]) =>
    made(`event-${form}/en`, {
      prompt: words.en.task,
      stands: [],
      never: ["evil.example"],
      events: [event(words.en.alien)],
    }),
  ),
];
