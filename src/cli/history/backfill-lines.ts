// What `memoir backfill` says: the plan, the progress, the end.
import type { BackfillProgress } from "../../backfill/job.ts";
import type { BackfillPlan, TokenEstimate } from "../../backfill/plan.ts";
import { estimateModelTokens } from "../../backfill/plan.ts";
import { estimateCost } from "../../runtime/budget/prices.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import { server } from "../server/client.ts";
import { currentPaths } from "../server/reach.ts";
import { columns, dateTime, grouped, size } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";

const shownProjects = 12;

/** The plan as data. */
export function planReport(plan: BackfillPlan, model: ModelUse) {
  return {
    ...sums(plan),
    alreadyRead: plan.alreadyRead,
    empty: plan.empty,
    model,
    sessions: plan.sessions.map(({ files: { main, agents }, ...session }) => ({
      ...session,
      path: main?.path ?? agents[0]?.path,
    })),
  };
}

/** The plan for people. */
export function planLines(plan: BackfillPlan, model: ModelUse, terminal: Terminal): string[] {
  const { bold, dim } = terminal.colors;
  const passed = [
    plan.alreadyRead > 0 ? `${plan.alreadyRead} read before` : "",
    plan.empty > 0 ? `${plan.empty} empty` : "",
  ].filter((part) => part !== "");
  const rest = passed.length > 0 ? dim(` (${passed.join(", ")})`) : "";
  if (plan.sessions.length === 0) return [`No session to read${rest}.`];
  const { prompts, toolUses, bytes, from, to } = sums(plan);
  const rows = projects(plan).slice(0, shownProjects);
  const more = projects(plan).length - rows.length;
  return [
    `${bold(plural(plan.sessions.length, "session"))}, ${plural(prompts, "prompt")}, ${plural(toolUses, "tool use")}, ${size(bytes)}, from ${dateTime(from)} to ${dateTime(to)}${rest}`,
    ...columns(
      rows.map(([cwd, count]) => [
        `  ${cwd}`,
        plural(count.sessions, "session"),
        plural(count.prompts, "prompt"),
        plural(count.toolUses, "tool use"),
      ]),
      terminal.width,
    ),
    ...(more > 0 ? [dim(`  and ${plural(more, "more folder")}`)] : []),
    modelLine(model),
  ];
}

function modelLine({ provider, tokens, cost }: ModelUse): string {
  if (provider === null) return "No model is asked: 0 tokens, $0; nothing leaves this machine.";
  const spent = `about ${grouped(tokens.input)} input and ${grouped(tokens.output)} output tokens`;
  const dollars = cost === null ? "at a price that is not known" : `about $${cost.toFixed(2)}`;
  return `${provider} would be asked: ${spent}, ${dollars} (estimates).`;
}

/** One line: a bar, what is done of what, and how fast. */
export function progressLine(progress: BackfillProgress, terminal: Terminal): string {
  const { sessions, bytes, startedAt, endedAt } = progress;
  const part = bytes.total > 0 ? Math.min(1, bytes.done / bytes.total) : 0;
  const seconds = Math.max(0.001, ((endedAt ?? terminal.now()) - startedAt) / 1_000);
  const room = 20;
  const full = Math.round(part * room);
  const bar = terminal.width === undefined ? "" : `${"█".repeat(full)}${"░".repeat(room - full)} `;
  return `${bar}${Math.floor(part * 100)} %  ${sessions.done} of ${plural(sessions.total, "session")}  ${size(bytes.done)}  ${(sessions.done / seconds).toFixed(1)} sessions/s`;
}

/** How it ended. */
export function resultLine(progress: BackfillProgress, terminal: Terminal): string {
  const { sessions, events, startedAt, endedAt, state, failures, unsettled } = progress;
  const { green, yellow } = terminal.colors;
  const seconds = (((endedAt ?? terminal.now()) - startedAt) / 1_000).toFixed(1);
  const lines = [
    state === "done"
      ? `${green("✓")} ${plural(sessions.done, "session")} read into memory in ${seconds} s`
      : `${yellow("!")} ${state} after ${sessions.done} of ${plural(sessions.total, "session")}; the same command goes on from there`,
    `  ${plural(events.committed, "new event")}, ${events.delivered} known from hooks or copies, ${events.recovered} from an earlier run, ${events.dropped} left out by capture`,
  ];
  if (unsettled > 0)
    lines.push(`  ${plural(unsettled, "session")} not worked off yet; \`memoir status\` tells why`);
  for (const { session, reason } of failures) lines.push(`  not read: ${session}: ${reason}`);
  return lines.join("\n");
}

function sums(plan: BackfillPlan) {
  const { sessions } = plan;
  const sum = (key: "prompts" | "toolUses" | "bytes") =>
    sessions.reduce((total, session) => total + session[key], 0);
  return {
    prompts: sum("prompts"),
    toolUses: sum("toolUses"),
    bytes: sum("bytes"),
    from: Math.min(...sessions.map(({ startedAt }) => startedAt)),
    to: Math.max(...sessions.map(({ lastAt }) => lastAt)),
  };
}

function projects(plan: BackfillPlan) {
  const found = new Map<string, { sessions: number; prompts: number; toolUses: number }>();
  for (const { cwd = "(unknown)", prompts, toolUses } of plan.sessions) {
    const known = found.get(cwd) ?? { sessions: 0, prompts: 0, toolUses: 0 };
    known.sessions++;
    known.prompts += prompts;
    known.toolUses += toolUses;
    found.set(cwd, known);
  }
  return [...found].sort((one, other) => other[1].toolUses - one[1].toolUses);
}

// Whether a backfill would ask a model, which one, and about what that would take.

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
