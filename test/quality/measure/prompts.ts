// Prompts: are those told the answer whose answer is remembered, and the others nothing?
import { type PromptCase, readPromptCases } from "../cases.ts";
import type { Memory } from "./memory.ts";
import { type Figure, figure, share } from "./report.ts";
import { carries } from "./text.ts";
import { turnsOf } from "./turns.ts";

/** What one prompt was told. */
export interface PromptTold {
  prompt: PromptCase;
  context: string;
  /** The told text carries the answer. */
  answered: boolean;
  /** It names a record of the turn that answers. */
  named: boolean;
}

/** Types every prompt into a new session of its project. */
export async function tellPrompts(memory: Memory): Promise<PromptTold[]> {
  const turns = await turnsOf(memory);
  const sessions = await memory.sessions();
  const told: PromptTold[] = [];
  for (const prompt of readPromptCases()) {
    const cwd = sessions.get(prompt.projectOf)?.cwd;
    if (cwd === undefined) throw new Error(`no session ${prompt.projectOf} for ${prompt.id}`);
    const { context, records } = await memory.atPrompt(cwd, prompt.prompt);
    const named = await memory.get(records);
    told.push({
      prompt,
      context,
      answered: prompt.tokens !== undefined && carries(context, prompt.tokens),
      named: named.some((record) => turns.answers(record, prompt.answers ?? [])),
    });
  }
  return told;
}

/** The share told the answer, and the share told noise. */
export function promptFigures(told: readonly PromptTold[]): Figure[] {
  const right = told.filter(({ prompt }) => prompt.answers !== undefined);
  const other = told.filter(({ prompt }) => prompt.answers === undefined);
  const part = "prompts";
  const isAside = ({ prompt }: PromptTold) => prompt.aside;
  const over = (name: string, of: readonly PromptTold[], is: (one: PromptTold) => boolean) =>
    figure(part, name, of, isAside, share(is));
  return [
    over("answer remembered: told the answer", right, ({ answered }) => answered),
    over("answer remembered: told of its turn", right, ({ named }) => named),
    over("answer remembered: told something", right, ({ context }) => context !== ""),
    over("about something else: told noise", other, ({ context }) => context !== ""),
  ];
}

/** Prompts that were not told the answer, and noise: what to look at. Never those set aside. */
export function promptMisses(told: readonly PromptTold[]): string[] {
  return told
    .filter(({ prompt, answered, context }) =>
      prompt.aside ? false : prompt.answers ? !answered : context !== "",
    )
    .map(({ prompt, context }) => {
      const line = context.replaceAll(/\s+/g, " ").slice(0, 200);
      return `${prompt.id}: ${prompt.prompt} => ${line === "" ? "nothing" : line}`;
    });
}
