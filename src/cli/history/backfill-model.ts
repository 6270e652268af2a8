// Whether a backfill would ask a model, which one, and about what that would take.
import { estimateModelTokens, type TokenEstimate } from "../../backfill/estimate.ts";
import type { BackfillPlan } from "../../backfill/plan.ts";
import { estimateCost } from "../../runtime/budget/prices.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { server } from "../server/client.ts";
import { currentPaths } from "../server/reach.ts";

/** No provider: nothing leaves the machine and nothing is spent. */
export interface ModelUse {
  provider: string | null;
  tokens: TokenEstimate;
  /** US dollars; null where the model's price is not known. */
  cost: number | null;
}

const free: ModelUse = { provider: null, tokens: { input: 0, output: 0 }, cost: 0 };

/** `wanted` is `none`, the provider in force, or undefined: the one in force, about which is asked. Throws `usage`. */
export async function modelUse(wanted: string | undefined, plan: BackfillPlan): Promise<ModelUse> {
  if (wanted === "none") return free;
  const { subscriptions } = await server.get("/api/plugins");
  const inForce = subscriptions
    .filter(({ hook, plugin }) => hook === "complete" && plugin !== "none")
    .map(({ plugin }) => plugin);
  const provider = inForce[0];
  if (wanted !== undefined && !inForce.includes(wanted))
    throw new MemoirError("usage", `The provider ${wanted} is not in force.`, {
      fix:
        provider === undefined
          ? `Set it with \`memoir config set slots.provider ${wanted}\`, or use --provider none.`
          : `Use --provider ${provider} or --provider none.`,
    });
  if (provider === undefined) return free;
  const { config } = await readConfig(currentPaths().home);
  const model = config.plugins[provider]?.model;
  const tokens = estimateModelTokens(plan.sessions);
  const usage = { ...tokens, cacheRead: 0, cacheWrite: 0 };
  const cost = typeof model === "string" ? estimateCost(model, usage, config.budget.prices) : null;
  return { provider: wanted ?? provider, tokens, cost };
}
