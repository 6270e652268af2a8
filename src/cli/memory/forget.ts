// `memoir memory forget`: takes records, whole sessions, or what fits a project, file, time or words, out of memory for good.

import { MemoirError } from "../../sdk/errors.ts";
import type { AskedOf, RoutesOf } from "../../server/route-types.ts";
import { plural } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { lookCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { filterQuery } from "./filter.ts";

type ForgetOptions = OptionsOf<(typeof lookCommands)["forget"]>;

/** What goes with it, beside what was asked for. */
interface More {
  derived?: boolean;
  backups?: boolean;
}

/** Says what would go and asks; gives 1 when the person said no. Throws `record_not_found` when nothing fits. */
export async function forget(
  given: readonly string[],
  options: ForgetOptions,
  terminal: Terminal,
): Promise<number> {
  const { yes = false, json = false, dryRun = false } = options;
  const selection = await selectionOf(given, options, terminal);
  const more: More = {
    ...(options.derived && { derived: true }),
    ...(options.backups && { backups: true }),
  };
  const isOpen = selection.query !== undefined && selection.ids === undefined;
  if (dryRun) return await showGoing(selection, more, json, terminal);
  const isAsked = terminal.interactive && !json;
  if (!yes && !isAsked)
    throw new MemoirError("usage", "Nobody is here to be asked whether to forget.", {
      fix: "Say `--yes`; `--dry-run` prints what would go.",
    });
  if (isOpen && !isAsked)
    throw new MemoirError("usage", "Nobody is here to choose among what the words find.", {
      fix: "Look at it with `--dry-run`, and name those to forget by their ids.",
    });
  if (isOpen) {
    const chosen = await choose(selection, terminal);
    if (chosen.length === 0) return unchanged(terminal);
    selection.ids = chosen;
  }
  if (!yes && !(await isAgreed(selection, more, terminal))) return unchanged(terminal);
  return await carryOut(selection, more, json, terminal);
}

type Body = NonNullable<AskedOf<RoutesOf<"post">["/api/forget"]>["body"]>;

async function selectionOf(
  given: readonly string[],
  { file, query, ...options }: ForgetOptions,
  terminal: Terminal,
): Promise<Body> {
  const { limit: _, ...place } = await filterQuery({ ...options, limit: 1 }, terminal);
  const said = { file, query, ...place };
  return {
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    ...(given.length > 0 && { ids: [...given] }),
  };
}

async function showGoing(
  selection: Body,
  more: More,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const found = await dry(selection);
  if (json) terminal.print(JSON.stringify(found));
  else for (const line of goingLines(printable(found), more)) terminal.print(line);
  return 0;
}

function dry(selection: Body) {
  return server.post("/api/forget", { body: { ...selection, dryRun: true } });
}

type Found = Awaited<ReturnType<typeof dry>>;

function goingLines({ going, derived, copies }: Found, more: More): string[] {
  const stays = more.derived
    ? "What was derived from it would go too"
    : "What was derived from it would stay";
  return [
    "This would go for good:",
    ...going.map((line) => `  ${line}`),
    ...(derived.length > 0 ? [`${stays}: ${derived.join(", ")}.`] : []),
    ...(copies.length > 0
      ? [
          `${more.backups ? "These copies would go as a whole" : "These copies would still hold it"}: ${copies.join(", ")}.`,
        ]
      : []),
  ];
}

/** Hits with numbers; nothing is taken that was not named. */
async function choose(selection: Body, terminal: Terminal): Promise<string[]> {
  const { going, ids } = printable(await dry(selection));
  for (const [at, line] of going.entries())
    terminal.print(`${String(at + 1).padStart(3)}  ${line}`);
  const answer = await terminal.ask("Which of these? Numbers, or `all`; Enter for none: ");
  if (answer.trim().toLowerCase() === "all") return ids;
  const numbers = answer.match(/\d+/g)?.map(Number) ?? [];
  return ids.filter((_, at) => numbers.includes(at + 1));
}

/** Asks, also for what was derived, where it was not said. */
async function isAgreed(selection: Body, more: More, terminal: Terminal): Promise<boolean> {
  const found = printable(await dry(selection));
  for (const line of goingLines(found, more)) terminal.print(line);
  if (!(await terminal.confirm("Forget it?", false))) return false;
  if (found.derived.length > 0 && !more.derived)
    more.derived = await terminal.confirm("And what was derived from it?", false);
  return true;
}

function unchanged(terminal: Terminal): number {
  terminal.print("Nothing was changed.");
  return 1;
}

/** So many ids are told one by one. */
const told = 30;

async function carryOut(
  selection: Body,
  more: More,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const { deleted, derived, copies } = await server.post("/api/forget", {
    body: { ...selection, ...more },
  });
  if (json) {
    terminal.print(JSON.stringify({ deleted, derived, copies }));
    return 0;
  }
  const rest = deleted.length > told ? `, and ${plural(deleted.length - told, "record")} more` : "";
  terminal.print(`Forgotten: ${deleted.slice(0, told).join(", ")}${rest}.`);
  const { dim } = terminal.colors;
  if (derived.length > 0)
    terminal.print(
      dim(`Derived from it, and still there: \`memoir memory forget ${derived.join(" ")}\``),
    );
  if (copies.length > 0)
    terminal.print(
      dim(
        `Copies that still hold it: ${copies.join(", ")}. \`--backups\` removes such copies too.`,
      ),
    );
  return 0;
}
