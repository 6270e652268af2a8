// `memoir memory redact --stored`: shows what today's rules find in what is stored, and takes it out for good.
import { isEmptyHome, readMark, writeMark } from "../../health/redaction.ts";
import { copiesOf, removeCopies } from "../../home/old-copies.ts";
import { rules } from "../../privacy/redact.ts";
import { backupPlaces } from "../../runtime/config/backup-places.ts";
import { lockOrThrow } from "../../server/life/lock.ts";
import {
  createKnownSecrets,
  type GoOver,
  goOverStored,
  repeatedRule,
  type StoredSecrets,
  undoLogsWithSecrets,
} from "../../stored/secrets.ts";
import { plural } from "../../text/text.ts";
import { startAndWait } from "../server/client.ts";
import { stopServer } from "../server/start-stop.ts";
import { agreed, sayDone } from "../terminal/agree.ts";
import { drawnLine } from "../terminal/drawn-line.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { setupOf } from "./setup.ts";

export interface StoredOptions {
  dryRun?: boolean;
  yes?: boolean;
  backups?: boolean;
  json?: boolean;
}

/** What would go, and where it would still be. */
interface Plan extends StoredSecrets {
  /** Paths, below the home, of backups and of files that were set aside. */
  copies: string[];
  undo: string[];
}

/** Gives 1 when the person said no, or something could not be read. The user's own rules are in force. */
export async function redactStored(options: StoredOptions, terminal: Terminal): Promise<number> {
  const { dryRun = false, json = false } = options;
  const { paths } = setupOf(terminal);
  const known = createKnownSecrets();
  const line = drawnLine(terminal, options);
  let read = 0;
  const how: GoOver = {
    ...{ paths, known, places: await backupPlaces(paths), removes: false, now: terminal.now() },
    progress(place) {
      read++;
      line.show(() => `${place}: ${plural(read, "text")} read`);
    },
  };
  // Twice, where there is a key: a text that was cut is known by another that is read later.
  let stored = await goOverStored(how);
  if (!known.isEmpty()) stored = await goOverStored(how);
  const hasFound = stored.found.length > 0;
  const plan: Plan = {
    ...stored,
    copies: hasFound ? await copiesOf(paths.home, stored.since) : [],
    undo: hasFound ? await undoLogsWithSecrets(paths.home, known) : [],
  };
  line.end();
  const isUnderWay = (await readMark(paths.home))?.isUnderWay === true;
  if (json && dryRun) terminal.print(jsonOf(plan, false));
  else if (!json) show(plan, options, isUnderWay, terminal);
  if (dryRun) {
    if (!json) terminal.print("Nothing was changed.");
    return plan.unread.length === 0 ? 0 : 1;
  }
  const hasToRemove = hasFound || isUnderWay;
  if (hasToRemove) {
    const fix = "Pass --yes to confirm; --dry-run only shows what would be removed.";
    if (!(await agreed("Remove it for good?", options, terminal, { fix }))) {
      terminal.print("Nothing was changed.");
      return 1;
    }
    plan.unread = await remove({ ...how, removes: true }, plan, options);
    line.end();
  }
  const isDone = plan.unread.length === 0;
  if (isDone && !isEmptyHome(paths)) await writeMark(paths.home, terminal.now());
  if (json) terminal.print(jsonOf(plan, isDone && hasToRemove));
  else if (!isDone)
    terminal.warn(
      "Not everything could be checked. `memoir server start` repairs what it can; then run the command again.",
    );
  else if (hasToRemove)
    sayDone("Removed. The files that memoir works with hold none of it now.", terminal);
  return isDone ? 0 : 1;
}

/** No server writes meanwhile: it is stopped, and none can start. It comes back where one ran. */
async function remove(
  how: GoOver,
  { since }: Plan,
  { backups }: StoredOptions,
): Promise<StoredSecrets["unread"]> {
  const { paths, now } = how;
  const wasServed = await stopServer(paths);
  const lock = await lockOrThrow(paths);
  try {
    // First: a crash in between leaves nothing unsaid.
    await writeMark(paths.home, now, true);
    const { unread } = await goOverStored(how);
    if (backups && Number.isFinite(since)) await removeCopies(paths.home, since);
    return unread;
  } finally {
    lock.release();
    if (wasServed) await startAndWait(paths);
  }
}

const shownIds = 6;

function show(
  plan: Plan,
  { backups }: StoredOptions,
  isUnderWay: boolean,
  { print, warn, colors }: Terminal,
): void {
  const { found, copies, undo, unread } = printable(plan);
  for (const { place, why } of unread) warn(`${place} could not be read: ${why}`);
  const count = sum(found);
  if (count > 0)
    print(`Today's rules would remove ${plural(count, "secret")} from what is stored:`);
  else if (isUnderWay)
    print("An earlier run was interrupted before its end; this one finishes it.");
  else if (unread.length > 0) print("What could be read holds no secret by today's rules.");
  else print("Nothing that is stored holds a secret by today's rules.");
  for (const [rule, ofRule] of Map.groupBy(found, (one) => `${one.rule}  ${one.kind}`)) {
    print(`  ${colors.yellow(rule)}  ${colors.dim(finds(ofRule[0]?.rule))}`);
    for (const [place, ones] of Map.groupBy(ofRule, (one) => one.place)) {
      const ids = [...new Set(ones.map(({ id }) => id).filter(Boolean))];
      const more = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : "";
      const where = ids.length > 0 ? `: ${ids.slice(0, shownIds).join(", ")}${more}` : "";
      print(`    ${String(sum(ones)).padStart(5)}  ${place}${where}`);
    }
  }
  if (copies.length > 0)
    print(
      backups
        ? `Removes these copies as a whole: ${copies.join(", ")}.`
        : `These copies still hold it: ${copies.join(", ")}. --backups removes them too.`,
    );
  if (undo.length > 0)
    print(
      `${undo.join(", ")} ${undo.length === 1 ? "keeps" : "keep"} the client's own transcript as it was, unredacted: \`memoir endless restore\` needs it. \`memoir memory forget\` with the session removes it.`,
    );
}

const sum = (found: StoredSecrets["found"]): number =>
  found.reduce((all, { count }) => all + count, 0);

const finds = (rule: string | undefined): string =>
  rule === repeatedRule
    ? "a part of a secret that another text holds as a whole"
    : (rules.find(({ id }) => id === rule)?.finds ?? "a rule of yours");

function jsonOf({ found, copies, undo, unread }: Plan, removed: boolean): string {
  return JSON.stringify({ secrets: sum(found), found, copies, undo, unread, removed });
}
