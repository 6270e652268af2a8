// What is plotted: the figures of `stats`, of model calls and of Endless Mode's books, by day. Pure.
import type { Answer } from "../../../server/route-types.ts";
import { addedUp, type Range, type Step, stepOf, stepsOf } from "./days.ts";

/** What one plot shows. */
export interface Plot {
  /** For file names and addresses. */
  id: string;
  title: string;
  /** What its figures are. */
  note: string;
  /** What stands there when all of it is 0. */
  step: Step;
  /** The first day of each step. */
  keys: string[];
  columns: Array<{ name: string; values: number[] }>;
  /** A bound that the steps are measured against. */
  bound?: { name: string; value: number };
}

/** What the plots are made from. */
export interface Figures {
  stats: Answer<"/api/stats">;
  usage: Answer<"/api/usage">;
  /** Absent where Endless Mode is switched off. */
  endless?: Answer<"/api/endless/metrics">;
  /** 0 for none. */
  dailyTokens: number;
}

/** What Endless Mode brought, as the books say it; undefined where it was on in no session. */
export function gainedWords({ endless }: Pick<Figures, "endless">): string | undefined {
  return endless?.gained.sessions ? `Endless Mode: ${endless.gained.words}` : undefined;
}

/** All plots of a range, in the order of the view. Long because it is their list. */
export function plotsOf({ stats, usage, endless, dailyTokens }: Figures, range: Range): Plot[] {
  const step = stepOf(range);
  const keys = stepsOf(range, step);
  const columns = <Row extends { key: string }>(
    rows: readonly Row[],
    values: Record<string, (row: Row) => number>,
  ) =>
    Object.entries(values).map(([name, value]) => ({
      name,
      values: addedUp(rows, range, keys, step, value),
    }));
  const { byDay } = stats;
  const plots: Array<Omit<Plot, "step" | "keys">> = [
    {
      id: "captured",
      title: "Captured",
      note: `Sessions by the ${step} they began, with the prompts of each.`,
      columns: columns(byDay, {
        Sessions: ({ sessions }) => sessions,
        Prompts: ({ prompts }) => prompts,
      }),
    },
    {
      id: "stored",
      title: "Stored",
      note: "Observations made from it, including those replaced since.",
      columns: columns(byDay, { Observations: ({ observations }) => observations }),
    },
    {
      id: "contexts",
      title: "Contexts",
      note: "Contexts that sessions got, and the times that a session used something of them.",
      columns: columns(byDay, {
        "Contexts given": ({ injections }) => injections,
        Uses: ({ used }) => used,
      }),
    },
    {
      id: "tokens",
      title: "Tokens spent",
      note: "What contexts cost in every request that carried them, and what writing took.",
      columns: columns(byDay, {
        "Given to sessions": ({ carried }) => carried,
        "Written by models": ({ observer }) => observer,
      }),
    },
    {
      id: "endless",
      title: "Endless Mode",
      note: "Estimated tokens that it removed from conversations, and those that were fetched back.",
      columns: columns(endless?.byDay ?? [], {
        Removed: ({ tokensOut }) => tokensOut,
        "Fetched back": ({ tokensBack }) => tokensBack,
      }),
    },
    {
      id: "models",
      title: "Tokens of model calls",
      note: "What memoir itself asked models for.",
      columns: columns(usage.byDay, { Tokens: ({ tokens }) => tokens }),
      ...(step === "day" && dailyTokens > 0
        ? { bound: { name: "Budget of a day", value: dailyTokens } }
        : {}),
    },
    {
      id: "calls",
      title: "Model calls",
      note: "Calls that were answered, and those that failed.",
      columns: columns(usage.byDay, {
        Answered: ({ calls, failed }) => calls - failed,
        Failed: ({ failed }) => failed,
      }),
    },
  ];
  return plots
    .filter(({ id }) => endless || id !== "endless")
    .map((plot) => ({ ...plot, step, keys }));
}

/** The sum of a column. */
export const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Whether anything of it is to be seen. */
export const isNothing = ({ columns }: Plot) =>
  columns.every(({ values }) => values.every((value) => value === 0));

/** As programs read it: a line a step, dates as `2026-11-21`. */
export function csvOf({ step, keys, columns, bound }: Plot): string {
  const names = [step, ...columns.map(({ name }) => name), ...(bound ? [bound.name] : [])];
  const lines = keys.map((key, at) =>
    [key, ...columns.map(({ values }) => values[at] ?? 0), ...(bound ? [bound.value] : [])].join(
      ",",
    ),
  );
  return `${[names.join(","), ...lines].join("\r\n")}\r\n`;
}
