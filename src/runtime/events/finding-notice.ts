// Says at the next prompt what was found out about memoir's own files; twice, so that it is not overlooked.
import {
  findingsChangedAt,
  findingText,
  type KnownFinding,
  markShown,
  openFindings,
  pruneFindings,
} from "../../home/findings.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { dropOldest } from "../../text/drop-oldest.ts";
import { cut } from "../../text/text.ts";
import { isShown } from "../budget/notices.ts";
import type { ConfigFile } from "../config/parse.ts";
import { problemText } from "../config/problems.ts";
import type { PluginInfo } from "../ports.ts";

/** What there is to say with the answer to an event; each finding once in a session. */
export type FindingNotice = (event: ClientEvent) => string | undefined;

/** The list is read again only when its file has changed. */
export function createFindingNotice(home: string): FindingNotice {
  // A list that cannot be shortened is read as it is.
  pruneFindings(home).catch(() => undefined);
  let known: KnownFinding[] = [];
  let readAt = 0;
  /** Sessions that were told, by finding. */
  const told = new Map<string, Set<string>>();

  function reread(): void {
    const changedAt = findingsChangedAt(home);
    if (changedAt === readAt) return;
    readAt = changedAt;
    known = changedAt === 0 ? [] : openFindings(home);
  }

  return (event) => {
    if (!isShown(event) || event.name === "Stop") return undefined;
    reread();
    const fresh = known.filter(({ id }) => !told.get(id)?.has(event.session));
    if (fresh.length === 0) return undefined;
    for (const { id } of fresh) told.set(id, (told.get(id) ?? new Set()).add(event.session));
    markShown(
      home,
      fresh.map(({ id }) => id),
    );
    return fresh.map((finding) => `memoir: ${findingText(finding)}`).join("\n");
  };
}

// Says that memory cannot be used where its storage plugin did not start: once in each session, for as long as that lasts.

const mostKept = 500;

/** What there is to say with the answer to an event. `plugins`: as they are now. */
export function createStorageNotice(
  plugins: () => readonly PluginInfo[],
): (event: ClientEvent) => string | undefined {
  const told = new Map<string, true>();
  return (event) => {
    if (!isShown(event) || event.name === "Stop" || told.has(event.session)) return undefined;
    const reason = whyNoStorage(plugins());
    if (reason === undefined) return undefined;
    told.set(event.session, true);
    dropOldest(told, mostKept);
    return `memoir: memory cannot be used, and this session is told nothing of it. ${reason} What happens meanwhile is kept, and stored once that is mended; \`memoir doctor\` says more.`;
  };
}

/** Why nobody fills the slot; undefined where somebody does, and where nobody is meant to. */
function whyNoStorage(plugins: readonly PluginInfo[]): string | undefined {
  if (plugins.some(({ fills }) => fills.includes("storage"))) return undefined;
  const meant = plugins.find(({ slots, state }) => state === "failed" && slots.includes("storage"));
  return meant?.error;
}

// What a person has to hear of a config that is not in force as written, at the start of a session.

/** Longer problems are whole in `memoir doctor`. */
const longestProblem = 200;

/** One line for the terminal, or undefined where nothing is wrong. */
export function configNotice(file: ConfigFile): string | undefined {
  const [first] = file.problems;
  if (!first) return undefined;
  const more = file.problems.length > 1 ? ` (and ${file.problems.length - 1} more)` : "";
  const what = `memoir: ${file.path}: ${cut(problemText(first), longestProblem)}${more}.`;
  return `${what} ${consequence(file)} \`memoir doctor\` says what to do.`;
}

function consequence({ broken, captureUnclear }: ConfigFile): string {
  if (captureUnclear)
    return "What is to be left out cannot be known, so nothing that is said is kept until it is corrected.";
  if (broken) return "The settings of before stay in force until it is corrected.";
  return "The rest of it is in force.";
}
