// `memoir memory redact`: shows what redaction would remove from a text, and by which rule; with `--stored` what today's rules find in what
// is stored, and removes it permanently.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { isEmptyHome, readMark, writeMark } from "../../health/redaction.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { copiesOf, removeCopies } from "../../home/old-copies.ts";
import { hasPrivate, stripPrivate } from "../../privacy/marker.ts";
import { readPluginRules } from "../../privacy/own-rules-of-home.ts";
import { uncheckedRule } from "../../privacy/redact/runs.ts";
import { findSpans, redactText, rules, useOwnRedaction } from "../../privacy/redact.ts";
import { backupPlaces } from "../../runtime/config/backup-places.ts";
import { readConfigOrLast } from "../../runtime/config/config.ts";
import { MemoirError } from "../../sdk/errors.ts";
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
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { startAndWait } from "../server/client.ts";
import { stopServer } from "../server/start-stop.ts";
import { printable } from "../terminal/layout.ts";
import { agreed, answer, drawnLine, sayDone } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { setupOf } from "./setup.ts";

type RedactOptions = OptionsOf<(typeof setupCommands)["redact"]>;

/**
 * Prints what redaction finds in a file, or in stdin for `-` and where no file is named; with `text` what is left of it.
 * Gives 0. Asks no server. Throws `file_unusable` for what cannot be read as text.
 */
export async function redact(
  file: string,
  options: RedactOptions,
  terminal: Terminal,
): Promise<number> {
  const { home } = setupOf(terminal).paths;
  const { config } = await readConfigOrLast(home);
  const ofPlugins = await readPluginRules(home);
  for (const { at, why } of await useOwnRedaction({ ...config.privacy.redact, ofPlugins }))
    terminal.warn(`privacy.redact.${at} is not in effect: ${why}`);
  if (options.stored) {
    if (file !== "-" || options.text)
      throw new MemoirError("usage", "--stored checks memory itself, not a file.", {
        fix: "Leave out the file and --text.",
      });
    return redactStored(options, terminal);
  }
  if (options.backups || options.yes || options.dryRun)
    throw new MemoirError("usage", "--backups, --yes and --dry-run go with --stored.", {
      fix: "Add --stored to check memory itself.",
    });
  const given = await readText(file, terminal);
  const left = hasPrivate(given) ? stripPrivate(given) : given;
  const privateCharacters = given.length - left.length;
  const found = findSpans(left).map(({ start, end, kind, rule }) => {
    const before = left.slice(0, start).split("\n");
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return { ...place, rule, finds: findsOf(rule), kind, length: end - start };
  });
  const { text } = redactText(left);
  const report = { found, privateCharacters, ...(options.text && { text }) };
  return answer(terminal, options, report, () => {
    if (options.text) return [text];
    const { dim, yellow } = terminal.colors;
    const lines = found.map(
      ({ line, column, rule, kind, length, finds }) =>
        `${`${line}:${column}`.padEnd(8)} ${yellow(rule)}  ${length} characters become [redacted:${kind}]\n         ${dim(finds)}`,
    );
    if (privateCharacters === 0) return found.length > 0 ? lines : ["Nothing would be removed."];
    return [
      `${privateCharacters} characters between <private> and </private> are removed.`,
      ...lines,
      ...(found.length > 0 ? [dim("Lines are counted without the private passages.")] : []),
    ];
  });
}

/** What a rule finds, in words; the secret itself is never printed. */
function findsOf(rule: string | undefined): string {
  if (rule === repeatedRule) return "a part of a secret that another text holds as a whole";
  return [...rules, uncheckedRule].find(({ id }) => id === rule)?.finds ?? ownWords(rule);
}

/** A rule of the user's is called `own:<name>`, one of a plugin's `<plugin>:<name>`. */
function ownWords(rule: string | undefined): string {
  const [owner] = rule?.split(":") ?? [];
  return owner === undefined || owner === "own"
    ? "a rule of yours"
    : `a rule of the plugin ${owner}`;
}

async function readText(file: string, { cwd }: Terminal): Promise<string> {
  const bytes = await readBytes(file, cwd);
  if (bytes.includes(0))
    throw new MemoirError("file_unusable", `${name(file)} is not text: it contains zero bytes.`, {
      fix: "Name a text file.",
    });
  return new TextDecoder().decode(bytes);
}

async function readBytes(file: string, cwd: string): Promise<Uint8Array> {
  try {
    if (file !== "-") return await readFile(resolve(cwd, file));
    const pieces: Uint8Array[] = [];
    for await (const piece of process.stdin) pieces.push(piece as Uint8Array);
    return Buffer.concat(pieces);
  } catch (error) {
    throw new MemoirError("file_unusable", `${name(file)} can't be read: ${errorMessage(error)}`, {
      fix: "Name a text file, or `-` for standard input.",
    });
  }
}

const name = (file: string): string => (file === "-" ? "stdin" : file);

// `memoir memory redact --stored`: shows what today's rules find in what is stored, and takes it out for good.

/** What would be removed, and where it would still be. */
interface Plan extends StoredSecrets {
  /** Paths, below the home, of backups and of files that were set aside. */
  copies: string[];
  undo: string[];
}

/** Gives 1 when the person said no, or something could not be read. The user's own rules are in force. */
async function redactStored(options: RedactOptions, terminal: Terminal): Promise<number> {
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
  { backups }: RedactOptions,
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
  { backups }: RedactOptions,
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
    print(`  ${colors.yellow(rule)}  ${colors.dim(findsOf(ofRule[0]?.rule))}`);
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

function jsonOf({ found, copies, undo, unread }: Plan, removed: boolean): string {
  return JSON.stringify({ secrets: sum(found), found, copies, undo, unread, removed });
}
