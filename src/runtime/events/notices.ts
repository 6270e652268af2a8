// What the person has to hear once, where they read it: faults of model calls, of memoir's own files, of storage and of config.
import {
  findingsChangedAt,
  findingText,
  type KnownFinding,
  markShown,
  openFindings,
  pruneFindings,
} from "../../home/findings.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { cut, dropOldest } from "../../text/text.ts";
import type { ConfigFile } from "../config/parse.ts";
import { problemText } from "../config/problems.ts";

export type Notices = ReturnType<typeof createNotices>;

/** An empty list. */
export function createNotices() {
  let waiting: Array<{ text: string; session: string | undefined }> = [];
  return {
    /** Keeps a sentence; with `session`, for that session's user only. */
    add(text: string, session?: string): void {
      waiting.push({ text, session });
    },
    /** What this event's answer is to say, or undefined; said once. */
    take(event: ClientEvent): string | undefined {
      if (waiting.length === 0) return undefined;
      const mine = (session: string | undefined) =>
        session === undefined || session === event.session;
      const said = waiting.filter(({ session }) => mine(session));
      waiting = waiting.filter(({ session }) => !mine(session));
      return said.length > 0 ? said.map(({ text }) => text).join("\n") : undefined;
    },
  };
}

// Says at the next prompt what was found out about memoir's own files; twice, so that it is not overlooked.

/** What there is to say with the answer to an event that the person reads. */
export type FindingNotice = (event: ClientEvent) => string | undefined;

/** The list is read again only when its file has changed. */
export function createFindingNotice(home: string): FindingNotice {
  // A list that cannot be shortened is read as it is.
  pruneFindings(home).catch(() => undefined);
  let known: KnownFinding[] = [];
  let readAt = 0;
  /** Sessions that it was shown in, by finding. */
  const shown = new Map<string, Set<string>>();

  function reread(): void {
    const changedAt = findingsChangedAt(home);
    if (changedAt === readAt) return;
    readAt = changedAt;
    known = changedAt === 0 ? [] : openFindings(home);
  }

  return (event) => {
    if (event.name === "Stop") return undefined;
    reread();
    const fresh = known.filter(({ id }) => !shown.get(id)?.has(event.session));
    if (fresh.length === 0) return undefined;
    for (const { id } of fresh) shown.set(id, (shown.get(id) ?? new Set()).add(event.session));
    markShown(
      home,
      fresh.map(({ id }) => id),
    );
    return fresh.map((finding) => `memoir: ${findingText(finding)}`).join("\n");
  };
}

// Says that memory cannot be used where its storage plugin did not start: once in each session, for as long as that lasts.

const mostKept = 500;

/** What there is to say with the answer to an event. `why`: the reason why nothing is stored, as it is now. */
export function createStorageNotice(
  why: () => string | undefined,
): (event: ClientEvent) => string | undefined {
  const given = new Map<string, true>();
  return (event) => {
    if (event.name === "Stop" || given.has(event.session)) return undefined;
    const reason = why();
    if (reason === undefined) return undefined;
    given.set(event.session, true);
    dropOldest(given, mostKept);
    return `memoir: memory cannot be used, and this session gets none of it. ${reason} What happens meanwhile is kept, and stored once that is mended; \`memoir doctor\` says more.`;
  };
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
  if (broken) return "The previous settings stay in effect until it is fixed.";
  return "The rest of it is in force.";
}
