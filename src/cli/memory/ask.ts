// `memoir ask`: a question answered from memory, with its sources; without a model, what plain search finds.

import { memory } from "../../features/memory.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { AskAnswer } from "../../server/memory/ask.ts";
import { plural } from "../../text/text.ts";
import { askingSession, server } from "../server/client.ts";
import { printableMemory } from "../terminal/layout.ts";
import { answer, drawnLine } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterWords, inputsFrom, refuseUnknown } from "./filter.ts";
import { resultLines } from "./look.ts";

/** Longer than the server waits for its model. */
const timeoutMs = 120_000;
const nearest = 5;

/** Prints the answer. Gives 0, also where memory has nothing or no model is set; 1 where a model was asked in vain. */
export async function ask(
  words: readonly string[],
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const question = words.join(" ").trim();
  if (question === "")
    throw new MemoirError("usage", "There is no question.", {
      fix: 'Ask it in quotation marks: `memoir ask "why do tokens live a day?"`.',
    });
  const filter = await inputsFrom(memory.ask.takes, options, terminal);
  const asking = askingSession(terminal.env);
  const body = { ...filter, question, cwd: terminal.cwd, ...(asking && { asking }) };
  const answered = await watched(options, terminal, () =>
    server.post("/api/ask", { body, timeoutMs }),
  );
  const exit = answered.problem && answered.problem.code !== "provider_none" ? 1 : 0;
  const narrowed = filterWords(filter);
  const isNew = answered.results.length > 0 ? [] : await refuseUnknown(filter, terminal);
  const lines = () => [...answerLines(printableMemory(answered), narrowed, terminal), ...isNew];
  return answer(terminal, options, answered, lines, exit);
}

/** Says how long it has taken for as long as it does. */
async function watched<Answer>(
  options: { json?: boolean },
  terminal: Terminal,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const line = drawnLine(terminal, options);
  const began = terminal.now();
  const show = () =>
    line.show(() => `Looking it up … ${Math.round((terminal.now() - began) / 1_000)} s`);
  const ticking = setInterval(show, 1_000);
  show();
  try {
    return await work();
  } finally {
    clearInterval(ticking);
    line.end();
  }
}

function answerLines(
  { sentences, results, spent, model, problem }: AskAnswer,
  narrowed: string,
  terminal: Terminal,
): string[] {
  const { cyan, dim, bold } = terminal.colors;
  const where = narrowed === "" ? "" : ` ${narrowed}`;
  const tokens = `${plural(spent.calls, "call")}, ${plural(spent.tokens, "token")}`;
  const cost = spent.cost === null ? "at a price that is not known" : `$${spent.cost.toFixed(4)}`;
  const took =
    spent.calls === 0 ? [] : [dim(`\n${[tokens, cost, model].filter(Boolean).join(" · ")}`)];
  const shown = (hits: AskAnswer["results"]) =>
    hits.length === 0 ? [] : ["", ...resultLines(hits, undefined, terminal)];
  if (sentences.length > 0) {
    const cited = new Set(sentences.flatMap(({ sources }) => sources));
    const said = sentences.map(
      ({ text, sources }) => `${bold(text)} ${cyan(`[${sources.join(", ")}]`)}`,
    );
    return [said.join("\n"), ...shown(results.filter(({ id }) => cited.has(id))), ...took];
  }
  const found = results.length === 0 ? ` Nothing was found${where}.` : "";
  const lead = problem
    ? `${problem.message}${found} ${problem.fix}`
    : `Memory has nothing on that${where}.${results.length > 0 ? " Nearest:" : ""}`;
  return [lead, ...shown(problem ? results : results.slice(0, nearest)), ...took];
}
