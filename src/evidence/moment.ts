// What happened in a turn, one thing after the other, whoever told it: the form in which events and transcript lines meet.

/** A tool use with what is known of it. */
export interface UsedTool {
  id: string;
  name: string;
  input: unknown;
  /** The tool's structured result; absent when it failed. */
  response?: unknown;
  /** The failure's own text; present exactly when it failed. */
  error?: string;
  /** What a change touched, once its response was read for it. */
  symbols?: readonly string[];
  /** Characters of output or error that were left out already. */
  omitted?: number;
}

interface MomentBase {
  /** Epoch ms. */
  time: number;
  /** Of the transcript's line. */
  uuid?: string;
  requestId?: string;
  /** The subagent's id. */
  agent?: string;
}

/**
 * Words. `prompt`: what the turn begins with; `typed`: what the user typed later in it; `said`: the main agent's; `refused`:
 * the reason of a refusal; `interrupted`: the user stopped the agent; `compaction`: the client's summary; `report`: what a
 * subagent said last.
 */
export interface SpokenMoment extends MomentBase {
  what: "prompt" | "typed" | "said" | "refused" | "interrupted" | "compaction" | "report";
  /** Empty for an interruption, and for a refusal without a reason. */
  text: string;
  /** The tool use that was refused or stopped; the task that is reported on. */
  about?: string;
  toolUseId?: string;
  /** Characters of `text` that were left out already. */
  omitted?: number;
  /** Lines of one message bear the same. */
  messageId?: string;
  /** The client told it as the end of the answer. */
  last?: boolean;
}

/** A tool was used. */
export interface ToolMoment extends MomentBase {
  what: "tool";
  tool: UsedTool;
}

/** Where a tool use stands among what was said; what came of it is told by its event. */
export interface UseMoment extends MomentBase {
  what: "use";
  toolUseId: string;
}

/** One thing that happened. */
export type Moment = SpokenMoment | ToolMoment | UseMoment;

// A prompt that is known, and how its line in the transcript is told from others, whatever capturing made of its text.

/** A prompt to be found again in the transcript. */
export interface PromptMark {
  number: number;
  /** As captured; empty for what came before any prompt. */
  text: string;
  /** Epoch ms. */
  time: number;
  promptId?: string;
}

/** How far a prompt's line and its hook, which runs first, are apart at most where their texts differ. */
const hookMs = 5_000;
/** The same where their texts are one: a prompt that was typed while the agent worked waits for its turn. */
const queuedMs = 60 * 60_000;

/** True when this is the prompt's line. */
export function isLineOf(
  mark: PromptMark,
  line: { text: string; time?: number | undefined; promptId: unknown },
): boolean {
  const { text, time, promptId } = line;
  if (typeof promptId === "string" && mark.promptId !== undefined)
    return promptId === mark.promptId;
  if (time === undefined) return isAlike(mark.text, text);
  const apart = Math.abs(time - mark.time);
  if (apart === 0) return true;
  if (apart > queuedMs) return false;
  return isAlike(mark.text, text) || (apart <= hookMs && sharesWords(mark.text, text));
}

/** Looked at of a text to tell whether it is another: a prompt may be of megabytes. */
const alikeChars = 400;

function isAlike(one: string, other: string): boolean {
  return wordsOf(one).join(" ") === wordsOf(other).join(" ");
}

/** Capturing took something out or put something in. */
function sharesWords(one: string, other: string): boolean {
  const [few, many] = [new Set(wordsOf(one)), new Set(wordsOf(other))].sort(
    (a, b) => a.size - b.size,
  );
  const shared = [...(few ?? [])].filter((word) => many?.has(word)).length;
  return shared * 2 >= (few?.size ?? 0);
}

function wordsOf(text: string): string[] {
  return text.trim().slice(0, alikeChars).split(/\s+/);
}

// Brings together what events and the transcript tell of one turn: each thing once, in the order of the transcript where it has one.

/** Moments of both, oldest first. A tool use counts only where an event tells it: what capture left out stays out. */
export function mergeMoments(
  told: readonly Moment[],
  written: readonly Moment[] | undefined,
): Moment[] {
  if (!written) return [...told].sort(byTime);
  const tools = new Map(told.flatMap((one) => (one.what === "tool" ? [[one.tool.id, one]] : [])));
  const merged: Moment[] = [];
  const rest = new Set(told);
  for (const moment of written) {
    if (moment.what !== "use") {
      merged.push(moment);
      continue;
    }
    const tool = tools.get(moment.toolUseId);
    if (!tool || !rest.delete(tool)) continue;
    merged.push({ ...tool, time: moment.time, ...(moment.uuid && { uuid: moment.uuid }) });
  }
  for (const moment of rest) {
    if (moment.what === "tool" || moment.what === "use") merged.push(moment);
    else if (!mark(merged, moment)) merged.push(moment);
  }
  return merged.sort(byTime);
}

/** True when the transcript has these words too; it then says of them what only the event tells. */
function mark(merged: Moment[], told: SpokenMoment): boolean {
  const at = merged.findLastIndex((one) => isSame(one, told));
  const same = merged[at];
  if (!same || same.what === "tool" || same.what === "use") return false;
  // A prompt is taken as it was captured.
  if (told.what === "prompt") merged[at] = { ...same, text: told.text };
  else if (told.last) merged[at] = { ...same, last: true, text: longer(same.text, told.text) };
  return true;
}

function isSame(one: Moment, told: SpokenMoment): boolean {
  if (one.what !== told.what) return false;
  switch (told.what) {
    case "prompt":
      return true;
    case "refused":
    case "interrupted":
      return one.toolUseId === told.toolUseId;
    case "compaction":
      return plain(one.text).slice(0, 500) === plain(told.text).slice(0, 500);
    default: {
      const [a, b] = [plain(one.text), plain(told.text)];
      return a === b || (told.last === true && (a.endsWith(b) || b.endsWith(a)));
    }
  }
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function byTime(one: Moment, other: Moment): number {
  return one.time - other.time;
}

// Takes what must not be kept out of a transcript's moments. Their texts were never captured: they go through the capture plugins.

/** Texts as they may be kept, in order; undefined when that failed, and nothing may be used. */
type ScrubAll = (texts: readonly string[]) => Promise<readonly string[] | undefined>;

/** A longer text is cut in the middle before it is scrubbed; no piece is that long. */
const longest = 256 * 1024;

/** The same moments with scrubbed texts, without those of which nothing is left; undefined when scrubbing failed. */
export async function scrubMoments(
  moments: readonly Moment[],
  scrub: ScrubAll,
): Promise<Moment[] | undefined> {
  const texts = [...new Set(moments.flatMap(textsOf))];
  const scrubbed = texts.length === 0 ? [] : await scrub(texts.map(bounded));
  if (!scrubbed || scrubbed.length !== texts.length) return undefined;
  const clean = new Map(texts.map((text, at) => [text, scrubbed[at] ?? ""]));
  return moments.flatMap((moment): Moment[] => {
    if (moment.what === "tool" || moment.what === "use") return [moment];
    const text = clean.get(moment.text) ?? "";
    if (moment.text !== "" && text.trim() === "" && moment.what !== "refused") return [];
    const { about: named, ...rest } = moment;
    const about = named === undefined ? undefined : clean.get(named);
    const omitted = Math.max(0, moment.text.length - longest);
    return [{ ...rest, text, ...(about && { about }), ...(omitted > 0 && { omitted }) }];
  });
}

function textsOf(moment: Moment): string[] {
  if (moment.what === "tool" || moment.what === "use") return [];
  return [moment.text, moment.about ?? ""].filter((text) => text !== "");
}

function bounded(text: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest / 2)}\n…\n${text.slice(-longest / 2)}`.toWellFormed();
}
