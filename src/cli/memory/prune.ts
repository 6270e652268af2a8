// `memoir memory prune`: lets go now of what `retention.memory` no longer keeps, or shows it.

import { saidOf } from "../../health/to-go.ts";
import { localClock } from "../../text/amounts.ts";
import { cut, plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { agreed, answer } from "../terminal/agree.ts";
import { columns } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

type PruneOptions = OptionsOf<(typeof lookCommands)["prune"]>;

/** What `GET /api/retention` answers. */
export type Plan = Awaited<ReturnType<typeof askPlan>>;

const shownSessions = 20;

const askPlan = () => server.get("/api/retention", { timeoutMs: 60_000 });

/** Shows what would go, asks, and has it go; gives 1 when the person said no. */
export async function prune(options: PruneOptions, terminal: Terminal): Promise<number> {
  const { dryRun = false, json = false } = options;
  const plan = await askPlan();
  if (dryRun) return answer(terminal, options, plan, () => planLines(plan, terminal));
  if (!json) for (const line of planLines(plan, terminal)) terminal.print(line);
  const gone = { sessions: 0, records: 0, left: plan.sessions.length };
  if (gone.left === 0) return answer(terminal, options, gone, () => []);
  const fix = "Pass `--yes` to confirm; `--dry-run` prints what would go.";
  if (!(await agreed("Remove it for good?", options, terminal, { fix }))) {
    terminal.print("Nothing was changed.");
    return 1;
  }
  while (gone.left > 0) {
    const step = await server.post("/api/retention", { timeoutMs: 300_000 });
    gone.sessions += step.sessions;
    gone.records += step.records;
    gone.left = step.sessions === 0 ? 0 : step.left;
  }
  return answer(terminal, options, gone, () => [
    `Removed ${plural(gone.sessions, "session")} with ${plural(gone.records, "record")}.`,
  ]);
}

function planLines(plan: Plan, { width }: Terminal): string[] {
  if (!plan.isBound)
    return [
      "Memory is kept for ever.",
      "Say otherwise with `memoir config set retention.memory.days 365`; see docs/operating.md.",
    ];
  const said = saidOf(plan);
  if (said === undefined)
    return ["Everything is younger and smaller than `retention.memory` says."];
  const shown = plan.sessions.slice(0, shownSessions);
  const left = plan.sessions.length - shown.length;
  const rows = shown.map(({ id, project, lastActiveAt, prompts, rule }) => [
    localClock.day(lastActiveAt),
    printable(cut(project.name, 30)),
    printable(id.slice(0, 8)),
    plural(prompts, "prompt"),
    rule,
  ]);
  const stays = plan.sessions.reduce((sum, session) => sum + session.stays, 0);
  return [
    `Would remove ${said}:`,
    ...columns(rows, width && width - 2).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … and ${left} more; \`--json\` lists them all`] : []),
    ...(stays > 0
      ? [
          `${plural(stays, "record")} of them ${stays === 1 ? "stays" : "stay"}: pinned, edited, or said in later sessions too.`,
        ]
      : []),
  ];
}
