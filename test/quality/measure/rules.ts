// Whose rules stand: each case said in two sessions of a project of its own, over the shipped path; what is kept of it afterwards.
import { type RuleCase, ruleCases } from "../rules.ts";
import { type Kept, type Memory, openMemory } from "./memory.ts";
import { type Figure, figure, share } from "./report.ts";

/** What became of a case. */
export interface RuleFate {
  rule: RuleCase;
  /** All that has to stand does, with its words as the quotation. */
  stands: boolean;
  /** Items that hold what none may, and whether one of them stands. */
  wrong: readonly string[];
  wrongStands: boolean;
}

const start = Date.UTC(2026, 10, 1, 9);
const minute = 60_000;
const last: RuleCase = {
  id: "last",
  aside: false,
  prompt: "From now on, write changelog entries in English.",
  stands: [],
  never: [],
};
const edit = {
  hook_event_name: "PostToolUse",
  tool_use_id: "edit",
  tool_name: "Edit",
  tool_input: { file_path: "src/login.ts", old_string: "retry = 3", new_string: "retry = 5" },
  tool_response: {
    filePath: "src/login.ts",
    oldString: "retry = 3",
    newString: "retry = 5",
    originalFile: "retry = 3",
    structuredPatch: [],
  },
};
const closing = "The retry in src/login.ts is 5 now instead of 3, and the login test passes.";

/** Says every case twice, in one memory. */
export async function sayRules(cases: readonly RuleCase[] = ruleCases): Promise<RuleFate[]> {
  const memory = await openMemory();
  try {
    for (const [at, rule] of [...cases, last].entries())
      for (const session of [1, 2]) await say(memory, rule, at, session);
    const items = await itemsAfter(memory, cases.length);
    return cases.map((rule, at) => {
      const own = items.filter(({ record }) => record.project === folderOf(at));
      const text = ({ record }: (typeof own)[number]) =>
        [record.content, record.context, record.quote].join("\n");
      const wrong = own.filter((item) => rule.never.some((never) => text(item).includes(never)));
      return {
        rule,
        stands: rule.stands.every((said) =>
          own.some(
            ({ record }) => record.state === "standing" && String(record.quote).includes(said),
          ),
        ),
        wrong: wrong.map((item) => `${item.record.state} ${item.record.content}`),
        wrongStands: wrong.some(({ record }) => record.state === "standing"),
      };
    });
  } finally {
    await memory.close();
  }
}

/** Sessions are kept one after the other: once the last one's rule stands, all others are done. */
async function itemsAfter(memory: Memory, at: number): Promise<Kept[]> {
  const folder = folderOf(at);
  for (let tries = 0; tries < 600; tries++) {
    const items = (await memory.everything()).filter(({ kind }) => kind === "memory");
    const isLast = ({ record }: Kept) => record.project === folder && record.state === "standing";
    if (items.some(isLast)) return items;
    await Bun.sleep(50);
  }
  throw new Error("the last session's rule did not come to stand within 30 seconds");
}

function folderOf(at: number): string {
  return `/home/dev/rules-${at}`;
}

async function say(memory: Memory, rule: RuleCase, at: number, number: number): Promise<void> {
  const session = `rule-${at}-${number}`;
  const begin = start + (number * 10_000 + at * 10) * minute;
  const payloads = [
    { hook_event_name: "UserPromptSubmit", prompt: rule.prompt },
    edit,
    ...(rule.events ?? []),
    { hook_event_name: "Stop", last_assistant_message: closing },
    { hook_event_name: "SessionEnd", reason: "prompt_input_exit" },
  ];
  for (const [step, payload] of payloads.entries()) {
    memory.setClock(begin + step * minute);
    await memory.hook({ session_id: session, cwd: folderOf(at), ...payload }, `${session}-${step}`);
  }
  await memory.settle(session);
}

/** Shares of the cases. */
export function ruleFigures(fates: readonly RuleFate[]): Figure[] {
  const aside = ({ rule }: RuleFate) => rule.aside;
  const wanted = fates.filter(({ rule }) => rule.stands.length > 0);
  const part = "rules";
  return [
    figure(
      part,
      "the user's own: stands",
      wanted,
      aside,
      share(({ stands }) => stands),
    ),
    figure(
      part,
      "not the user's: kept as an item",
      fates,
      aside,
      share(({ wrong }) => wrong.length > 0),
    ),
    figure(
      part,
      "not the user's: stands",
      fates,
      aside,
      share(({ wrongStands }) => wrongStands),
    ),
  ];
}

/** Of the development part, what is lost and what is kept that none may. */
export function ruleMisses(fates: readonly RuleFate[]): string[] {
  return fates
    .filter(({ rule }) => !rule.aside)
    .flatMap(({ rule, stands, wrong }) => [
      ...(stands ? [] : [`rule ${rule.id} is lost`]),
      ...wrong.map((item) => `rule ${rule.id} is kept: ${item}`),
    ]);
}
