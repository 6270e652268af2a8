// `memoir memory forget`: takes records, whole sessions, or what fits a project, file, time or words, out of memory for good.

import { MemoirError } from "../../sdk/errors.ts";
import type { AskedOf, RoutesOf } from "../../server/route-types.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/agree.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterQuery } from "./filter.ts";

type ForgetOptions = OptionsOf<(typeof lookCommands)["forget"]>;

/** Says what would go and asks; gives 1 when the person said no. Throws `record_not_found` when nothing fits. */
export async function forget(
  given: readonly string[],
  options: ForgetOptions,
  terminal: Terminal,
): Promise<number> {
  const { yes = false, json = false, dryRun = false } = options;
  const asked = await selectionOf(given, options, terminal);
  if (options.derived) asked.derived = true;
  if (options.backups) asked.backups = true;
  if (dryRun) {
    const found = await dry(asked);
    return answer(terminal, options, found, () => goingLines(printable(found), asked));
  }
  const isOpen = asked.query !== undefined && asked.ids === undefined;
  const isAsked = terminal.interactive && !json;
  if (!yes && !isAsked)
    throw new MemoirError("usage", "Can't ask for confirmation without a terminal.", {
      fix: "Pass `--yes` to confirm; `--dry-run` prints what would go.",
    });
  if (isOpen && !isAsked)
    throw new MemoirError("usage", "Nobody is here to choose among what the words find.", {
      fix: "Look at it with `--dry-run`, and name those to forget by their ids.",
    });
  if (isOpen) asked.ids = await choose(asked, terminal);
  if (asked.ids?.length === 0 || !(yes || (await isAgreed(asked, terminal)))) {
    terminal.print("Nothing was changed.");
    return 1;
  }
  const { deleted, derived, copies } = await server.post("/api/forget", { body: asked });
  return answer(terminal, options, { deleted, derived, copies }, () => {
    const { dim } = terminal.colors;
    const left = deleted.length - told;
    const more = left > 0 ? `, and ${plural(left, "record")} more` : "";
    return [
      `Forgotten: ${deleted.slice(0, told).join(", ")}${more}.`,
      ...(derived.length > 0
        ? [dim(`Derived from it, and still there: \`memoir memory forget ${derived.join(" ")}\``)]
        : []),
      ...(copies.length > 0
        ? [
            dim(
              `Copies that still hold it: ${copies.join(", ")}. \`--backups\` removes such copies too.`,
            ),
          ]
        : []),
    ];
  });
}

/** What is to go, and what goes with it. */
type Asked = NonNullable<AskedOf<RoutesOf<"post">["/api/forget"]>["body"]>;

async function selectionOf(
  given: readonly string[],
  { file, query, ...options }: ForgetOptions,
  terminal: Terminal,
): Promise<Asked> {
  const { limit: _, ...place } = await filterQuery({ ...options, limit: 1 }, terminal);
  return { file, query, ...place, ids: given.length > 0 ? [...given] : undefined };
}

function dry({ derived: _derived, backups: _backups, ...selection }: Asked) {
  return server.post("/api/forget", { body: { ...selection, dryRun: true } });
}

function goingLines(
  { going, derived, copies }: Awaited<ReturnType<typeof dry>>,
  more: Pick<Asked, "derived" | "backups">,
): string[] {
  const derivedToo = `What was derived from it would ${more.derived ? "go too" : "stay"}`;
  const copiesToo = `These copies would ${more.backups ? "go as a whole" : "still hold it"}`;
  return [
    "This would go for good:",
    ...going.map((line) => `  ${line}`),
    ...(derived.length > 0 ? [`${derivedToo}: ${derived.join(", ")}.`] : []),
    ...(copies.length > 0 ? [`${copiesToo}: ${copies.join(", ")}.`] : []),
  ];
}

/** Hits with numbers; nothing is taken that was not named. */
async function choose(asked: Asked, terminal: Terminal): Promise<string[]> {
  const { going, ids } = printable(await dry(asked));
  for (const [at, line] of going.entries())
    terminal.print(`${String(at + 1).padStart(3)}  ${line}`);
  const answer = await terminal.ask("Which of these? Numbers, or `all`; Enter for none: ");
  if (answer.trim().toLowerCase() === "all") return ids;
  const numbers = answer.match(/\d+/g)?.map(Number) ?? [];
  return ids.filter((_, at) => numbers.includes(at + 1));
}

/** Asks, also for what was derived, where it was not said. */
async function isAgreed(asked: Asked, terminal: Terminal): Promise<boolean> {
  const found = printable(await dry(asked));
  for (const line of goingLines(found, asked)) terminal.print(line);
  if (!(await terminal.confirm("Forget it?", false))) return false;
  if (found.derived.length > 0 && !asked.derived)
    asked.derived = await terminal.confirm("And what was derived from it?", false);
  return true;
}

/** So many ids are told one by one. */
const told = 30;
