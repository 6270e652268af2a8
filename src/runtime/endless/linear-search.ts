// Regular expressions whose search takes time in proportion to the text, whatever the expression: for patterns and texts of anybody's making.
import { errorMessage } from "../../home/describe-error.ts";
import { MemoirError } from "../../sdk/errors.ts";

/** True when the text holds a match; undefined once its searches took as long as they may together. */
export type Search = (text: string) => boolean | undefined;

const longestExpression = 500;
/** Others wait for the server meanwhile. */
const mostMs = 1_000;
/** Characters times steps of the expression in one text: about three seconds at the worst, and a few milliseconds as a rule. */
const mostWork = 200_000_000;
const special = /[\\^$.*+?()[\]{}|]/;

/** In RE2's syntax, and JavaScript's for characters and names. Throws `usage` for anything else. `now` is in milliseconds. */
export async function compileSearch(expression: string, now: () => number): Promise<Search> {
  if (expression === "" || expression.length > longestExpression)
    throw refused(expression, `it must have 1 to ${longestExpression} characters`);
  if (!special.test(expression)) return (text) => text.includes(expression);
  const compiled = await compile(expression);
  const size = compiled.programSize();
  const end = now() + mostMs;
  return (text) => (text.length * size > mostWork || now() > end ? undefined : compiled.test(text));
}

async function compile(expression: string) {
  // Only here: it is large, and few ever search.
  const { RE2JS } = await import("re2js");
  try {
    return RE2JS.compile(RE2JS.translateRegExp(expression));
  } catch (error) {
    const [, why = "it is not one"] =
      /regexp: (.*?)(?:: `[\s\S]*)?$/.exec(errorMessage(error)) ?? [];
    throw refused(expression, why);
  }
}

function refused(expression: string, why: string): MemoirError {
  const shown = expression.length > 80 ? `${expression.slice(0, 80)}…` : expression;
  return new MemoirError("usage", `The expression \`${shown}\` cannot be searched for: ${why}.`, {
    fix: "Write it as for ripgrep, without look-around and back-references, or search for a plain word.",
  });
}
