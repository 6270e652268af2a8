// May a model be asked, does one answer, and is there budget left?
import type { ModelStatus } from "../runtime/budget/model-calls.ts";
import { type Check, ok, warn } from "./check.ts";

/** Above this share of the day's tokens few calls find room. */
const nearlyAll = 0.95;

/** A provider that fails is a warning, not a failure: the heuristic does its work. */
export function checkModels({ providers, inForce, budget, error }: ModelStatus): Check[] {
  if (providers.length === 0) return [ok("models", "none is asked")];
  if (error) return [warn("models", error.message, error.fix)];
  const { dailyTokens, usedToday } = budget;
  const used = `${usedToday.toLocaleString("en")} of ${dailyTokens.toLocaleString("en")} tokens used today`;
  const checks: Check[] = [];
  if (inForce === null)
    for (const { name, error } of providers)
      if (error)
        checks.push(warn("models", `${name}: ${withoutName(error.message, name)}`, error.fix));
  if (usedToday >= dailyTokens * nearlyAll)
    checks.push(warn("models", used, "Raise `budget.dailyTokens`, or wait for tomorrow."));
  if (checks.length > 0) return checks;
  const names = providers.map(({ name }) => name).join(", ");
  return [ok("models", `${inForce ?? names} is asked; ${used}`)];
}

/** A provider's error where its name stands already: `anthropic (m) did not …` → `it did not …`. */
export function withoutName(message: string, name: string): string {
  const rest = message.startsWith(`${name} `) ? message.slice(name.length + 1) : undefined;
  return rest === undefined ? message : `it ${rest.replace(/^\([^)]*\) /, "")}`;
}
