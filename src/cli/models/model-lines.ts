// Lines about models for people: how a provider fares, what is left of the budget, what calls took.

import { withoutName } from "../../health/server-checks.ts";
import type { ProviderState } from "../../runtime/budget/breaker.ts";
import type { UsageReport, UsageRow, UsageSum } from "../../runtime/budget/ledger.ts";
import type { ModelStatus } from "../../runtime/budget/model-calls.ts";
import { plural } from "../../text/text.ts";
import { ago, columns } from "../terminal/layout.ts";

/** `answered 3m ago`, `not asked yet`, `paused for 40 s`, … */
export function providerWord({ state, at, pausedUntil }: ProviderState, now: number): string {
  if (state === "untried") return "not asked yet";
  if (state === "works") return `answered ${ago(at ?? now, now)}`;
  if (state === "failing") return `failed ${ago(at ?? now, now)}`;
  return `paused for ${Math.max(1, Math.ceil(((pausedUntil ?? now) - now) / 1_000))} s`;
}

/** What `status` says: which provider, why, and the day's budget. Nothing where none is set. */
export function modelLines(status: ModelStatus, now: number): string[] {
  const { providers, inForce, budget } = status;
  if (providers.length === 0) return ["none asked (`memoir provider list`)"];
  const lines = providers.map((provider, at) => {
    const { name, model, error } = provider;
    const role = name === inForce ? (at === 0 ? "in force" : "in use, those before it fail") : "";
    const about = [model, providerWord(provider, now), role].filter(Boolean).join(", ");
    return `${name}: ${about}${error ? `; ${withoutName(error.message, name)}` : ""}`;
  });
  if (status.error) return [...lines, `none asked: ${status.error.message}`];
  const used = budget.usedToday.toLocaleString("en");
  lines.push(`${used} of ${budget.dailyTokens.toLocaleString("en")} tokens used today`);
  const { monthlyDollars, spentThisMonth = 0 } = budget;
  if (monthlyDollars !== undefined)
    lines.push(`$${spentThisMonth.toFixed(2)} of $${monthlyDollars} spent this month`);
  return lines;
}

/** `memoir memory stats`' part about model calls: tables by day, project, model and purpose. */
export function usageLines({ total, ...tables }: UsageReport, width?: number, most = 14): string[] {
  if (total.calls === 0) return ["  none"];
  const titles = {
    byDay: "day",
    byProject: "project",
    byModel: "model",
    byPurpose: "purpose",
  } as const;
  const header = ["calls", "failed", "input", "output", "cache read", "cache write", "cost"];
  const lines = [
    `  ${plural(total.calls, "call")}, ${total.tokens.toLocaleString("en")} tokens, ${money(total)} (estimated from list prices)`,
  ];
  for (const [name, title] of Object.entries(titles)) {
    const rows = tables[name as keyof typeof titles];
    lines.push(
      "",
      ...columns([[`By ${title}`, ...header], ...rows.slice(0, most).map(cells)], width),
    );
    if (rows.length > most) lines.push(`and ${rows.length - most} more`);
  }
  return lines;
}

function cells(row: UsageRow): string[] {
  const { calls, failed, input, output, cacheRead, cacheWrite } = row;
  const counts = [calls, failed, input, output, cacheRead, cacheWrite];
  return [row.key || "(none)", ...counts.map((count) => count.toLocaleString("en")), money(row)];
}

/** `$0.0123`; `at least` where the price of some calls is not known. */
export function money({ cost, unpriced }: Pick<UsageSum, "cost" | "unpriced">): string {
  if (unpriced > 0 && cost === 0) return "unknown";
  const tiny = cost > 0 && cost < 0.00005;
  const amount = tiny ? "<$0.0001" : `$${cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`;
  return unpriced > 0 ? `at least ${amount}` : amount;
}
