// Commands that delete: `memoir memory forget`, of what a person names, and `memoir memory prune`, of what the retention policy no longer keeps. Both show it and ask first.
import { saidOf } from "../../health/sizes.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { operationInputs } from "../../server/inputs.ts";
import type { AnswerOf, AskedOf, RoutesOf } from "../../server/route-types.ts";
import { localClock } from "../../text/amounts.ts";
import { cut, plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { agreed, answer } from "../terminal/agree.ts";
import { columns } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { inputsFrom } from "./filter.ts";

type Options<Name extends keyof typeof lookCommands> = OptionsOf<(typeof lookCommands)[Name]>;

const fix = "Pass `--yes` to confirm; `--dry-run` shows what would be deleted.";
/** More ids are only counted. */
const mostNamed = 30;

/** Gives 1 when the person said no. Throws `record_not_found` when nothing matches. */
export async function forget(
  ids: readonly string[],
  options: Options<"forget">,
  terminal: Terminal,
): Promise<number> {
  const { yes = false, json = false, dryRun = false } = options;
  const selection: Selection = {
    ...(await inputsFrom(operationInputs.forget.takes, options, terminal)),
    ...(ids.length > 0 && { ids: [...ids] }),
  };
  const look = async () => server.post("/api/forget", { body: { ...selection, dryRun: true } });
  if (dryRun) {
    const found = await look();
    return answer(terminal, options, found, () => goingLines(printable(found), selection));
  }
  if (selection.query !== undefined && selection.ids === undefined) {
    if (!terminal.interactive || json)
      throw new MemoirError("usage", "Can't choose among what the words find without a terminal.", {
        fix: "List it with `--dry-run`, and pass the ids to delete.",
      });
    selection.ids = await choose(printable(await look()), terminal);
  }
  if (selection.ids?.length === 0) return unchanged(terminal);
  if (!yes) {
    const found = await look();
    if (!json) for (const line of goingLines(printable(found), selection)) terminal.print(line);
    if (!(await agreed("Delete it?", options, terminal, { fix }))) return unchanged(terminal);
    if (found.derived.length > 0 && !selection.derived)
      selection.derived = await terminal.confirm("Also delete what was made from it?", false);
  }
  const { deleted, derived, copies } = await server.post("/api/forget", { body: selection });
  return answer(terminal, options, { deleted, derived, copies }, () => {
    const { dim } = terminal.colors;
    const more = deleted.length - mostNamed;
    const named = deleted.slice(0, mostNamed).join(", ");
    return [
      `Deleted ${named}${more > 0 ? `, and ${plural(more, "record")} more` : ""}.`,
      ...(derived.length > 0
        ? [dim(`Made from it and kept; to delete: memoir memory forget ${derived.join(" ")}`)]
        : []),
      ...(copies.length > 0
        ? [dim(`Copies that still hold it: ${copies.join(", ")}. \`--backups\` deletes them too.`)]
        : []),
    ];
  });
}

type Selection = NonNullable<AskedOf<RoutesOf<"post">["/api/forget"]>["body"]>;
type Going = AnswerOf<RoutesOf<"post">["/api/forget"]>;

function unchanged(terminal: Terminal): number {
  terminal.print("Nothing was changed.");
  return 1;
}

function goingLines({ going, derived, copies }: Going, more: Selection): string[] {
  const derivedToo = `What was made from it would ${more.derived ? "go too" : "stay"}`;
  const copiesToo = `These copies would ${more.backups ? "go as a whole" : "still hold it"}`;
  return [
    "This would be deleted permanently:",
    ...going.map((line) => `  ${line}`),
    ...(derived.length > 0 ? [`${derivedToo}: ${derived.join(", ")}.`] : []),
    ...(copies.length > 0 ? [`${copiesToo}: ${copies.join(", ")}.`] : []),
  ];
}

/** Hits with numbers; nothing is taken that was not named. */
async function choose({ going, ids }: Going, terminal: Terminal): Promise<string[]> {
  for (const [at, line] of going.entries())
    terminal.print(`${String(at + 1).padStart(3)}  ${line}`);
  const chosen = await terminal.ask("Which of these? Numbers, or `all`; Enter for none: ");
  if (chosen.trim().toLowerCase() === "all") return ids;
  const numbers = chosen.match(/\d+/g)?.map(Number) ?? [];
  return ids.filter((_, at) => numbers.includes(at + 1));
}

// By the retention policy.

export type Plan = AnswerOf<RoutesOf<"get">["/api/retention"]>;

const shownSessions = 20;

/** Gives 1 when the person said no. */
export async function prune(options: Options<"prune">, terminal: Terminal): Promise<number> {
  const plan = await server.get("/api/retention", { timeoutMs: 60_000 });
  if (options.dryRun) return answer(terminal, options, plan, () => planLines(plan, terminal));
  if (!options.json) for (const line of planLines(plan, terminal)) terminal.print(line);
  const gone = { sessions: 0, records: 0, left: plan.sessions.length };
  if (gone.left === 0) return answer(terminal, options, gone, () => []);
  if (!(await agreed("Delete it permanently?", options, terminal, { fix })))
    return unchanged(terminal);
  while (gone.left > 0) {
    const step = await server.post("/api/retention", { timeoutMs: 300_000 });
    gone.sessions += step.sessions;
    gone.records += step.records;
    gone.left = step.sessions === 0 ? 0 : step.left;
  }
  return answer(terminal, options, gone, () => [
    `Deleted ${plural(gone.sessions, "session")} with ${plural(gone.records, "record")}.`,
  ]);
}

function planLines(plan: Plan, { width }: Terminal): string[] {
  if (!plan.isBound)
    return [
      "Memory is kept forever.",
      "To change that: `memoir config set retention.memory.days 365`; see docs/operating.md.",
    ];
  const said = saidOf(plan);
  if (said === undefined) return ["Nothing to delete: all of it is within `retention.memory`."];
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
  const stay = `${plural(stays, "record")} of them ${stays === 1 ? "stays" : "stay"}`;
  return [
    `Would delete ${said}:`,
    ...columns(rows, width && width - 2).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … and ${left} more; \`--json\` lists them all`] : []),
    ...(stays > 0 ? [`${stay}: pinned, edited, or also said in later sessions.`] : []),
  ];
}
