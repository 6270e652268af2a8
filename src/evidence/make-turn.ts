// Makes a turn of its moments: pieces in the order things happened, files, and how it ended. Pure; live and afterwards the same.
import { lookingTools } from "../sdk/tool-names.ts";
import { type Evidence, type EvidenceKind, evidenceKinds, type NewTurn } from "../sdk/turn.ts";
import { handedPlan } from "../text/prose/plain.ts";
import { shorten, stripAnsi } from "../text/text.ts";
import type { Moment, SpokenMoment } from "./moment.ts";
import { choices, commandEvidence, createFiles, plan, readTodos, subagent } from "./tools.ts";

/** What a turn bears beside its evidence. */
interface TurnFrame {
  session: string;
  client: string;
  project: string;
  branch?: string;
  promptNumber: number;
  startedAt: number;
  /** The transcript was not read. */
  gaps?: boolean;
}

/** What stands in these is the output itself. */
const logKinds: ReadonlySet<string> = new Set(["failure", "passed", "ran"]);

/** Undefined when nothing happened. `relative` shortens paths. */
export function makeTurn(
  frame: TurnFrame,
  moments: readonly Moment[],
  relative: (path: string) => string,
): NewTurn | undefined {
  const pieces: Evidence[] = [];
  const files = createFiles(relative);
  const commands = commandEvidence(relative, files.changes);
  const todos = readTodos();
  const spoken = joinStops(joinMessages(moments));
  const closing = closingOf(spoken);

  for (const moment of spoken) {
    if (moment.what === "use") continue;
    const at = {
      time: moment.time,
      ...(moment.agent && { agent: moment.agent }),
      ...(moment.uuid && { uuid: moment.uuid }),
      ...(moment.requestId && { requestId: moment.requestId }),
    };
    if (moment.what === "tool") {
      const { tool } = moment;
      files.add(tool);
      todos.add(tool, moment.time);
      const found = [...choices(tool), ...plan(tool), ...subagent(tool), ...commands.add(tool)];
      for (const piece of found)
        pieces.push({
          ...piece,
          ...at,
          toolUseId: tool.id,
          ...(tool.omitted && logKinds.has(piece.kind) && { shortened: tool.omitted }),
        });
      continue;
    }
    if (moment.what === "report" && findSame(pieces, ["report"], moment.text)) continue;
    const sent = moment.what === "typed" && sentBefore(pieces, moment.text);
    // Stopped, and sent again as it was.
    if (sent) {
      sent.times = (sent.times ?? 1) + 1;
      continue;
    }
    const handed = handedBy(moment, at);
    const own = handed ?? [
      {
        kind: kindOf(moment, closing),
        text: moment.text,
        ...at,
        ...(moment.about && { about: moment.about }),
        ...(moment.omitted && { shortened: moment.omitted }),
        ...(moment.toolUseId && { toolUseId: moment.toolUseId }),
      },
    ];
    if (moment.what === "prompt") pieces.unshift(...own);
    else pieces.push(...own);
  }
  const list = todos.piece();
  if (list) pieces.push(list);
  const { kept, leftOut } = fitPieces(pieces);
  const touched = files.list();
  if (touched.leftOut > 0) leftOut.files = touched.leftOut;
  if (kept.length === 0 && touched.files.length === 0) return undefined;
  const prompt = spoken.find(({ what }) => what === "prompt");
  const startedAt = prompt?.time ?? frame.startedAt;
  return {
    ...frame,
    startedAt,
    time: spoken.reduce((last, { time }) => Math.max(last, time), startedAt),
    end: endOf(spoken, closing),
    pieces: kept,
    files: touched.files,
    ...(Object.keys(leftOut).length > 0 && { leftOut }),
  };
}

/** A plan that is handed over is typed by nobody: it stands in its prompt's place, with what the user said to it. */
function handedBy(
  { what, text }: SpokenMoment,
  at: Pick<Evidence, "time" | "uuid" | "requestId" | "agent">,
): Evidence[] | undefined {
  const handed = what === "prompt" || what === "typed" ? handedPlan(text) : undefined;
  if (!handed?.plan) return undefined;
  const { plan, feedback } = handed;
  return [
    { kind: "plan", text: plan, ...at },
    ...(feedback === "" ? [] : [{ kind: "typed" as const, text: feedback, ...at }]),
  ];
}

/** One message may stand in several lines; with tool uses between them they are said at different moments. */
function joinMessages(moments: readonly Moment[]): Moment[] {
  const joined: Moment[] = [];
  for (const moment of moments) {
    const before = joined.at(-1);
    if (
      moment.what === "said" &&
      before?.what === "said" &&
      moment.messageId !== undefined &&
      moment.messageId === before.messageId
    )
      joined[joined.length - 1] = {
        ...before,
        text: `${before.text}\n${moment.text}`,
        ...(moment.last && { last: true }),
      };
    else joined.push(moment);
  }
  return joined;
}

/** A message that only answers a report is so much shorter than the one it comes after. */
const muchShorter = 3;

/**
 * What the agent said last, when nothing was done after it but by subagents. What it said to a late report of something
 * in the background is not what the turn came to, where that had been said before.
 */
function closingOf(moments: readonly Moment[]): SpokenMoment | undefined {
  let last: SpokenMoment | undefined;
  let reported = false;
  for (const moment of moments.toReversed()) {
    if (moment.what === "said") {
      if (!last) last = moment;
      else if (!reported) return last;
      else if (moment.text.length >= last.text.length * muchShorter) return moment;
      reported = false;
    } else if (moment.what === "report") reported = last !== undefined;
    else if (moment.what === "interrupted" || moment.what === "refused") return last;
    else if (moment.what === "tool" && moment.agent === undefined) {
      const isLook = last !== undefined && !reported && lookingTools.has(moment.tool.name);
      if (!isLook) return last;
    }
  }
  return last;
}

function endOf(moments: readonly Moment[], closing: Moment | undefined): NewTurn["end"] {
  if (closing) return "closed";
  const last = moments.findLast(
    ({ what, agent }) => agent === undefined && what !== "use" && what !== "compaction",
  );
  return last?.what === "interrupted" || last?.what === "refused" ? "interrupted" : "open";
}

function kindOf(moment: SpokenMoment, closing: SpokenMoment | undefined): Evidence["kind"] {
  if (moment === closing) return "closing";
  return moment.what === "refused" ? "refusal" : moment.what;
}

/** The client says of one press of Esc that tools were refused, that they were interrupted, and that the request was. */
function joinStops(moments: readonly Moment[]): Moment[] {
  const joined: Moment[] = [];
  let run: SpokenMoment[] = [];
  const close = () => {
    const named = run.filter(({ what, about }) => what === "refused" || about !== undefined);
    const stops = new Map<string | undefined, SpokenMoment>();
    for (const one of named.length > 0 ? named : run.slice(0, 1))
      if (one.what === "refused" || !stops.has(one.toolUseId)) stops.set(one.toolUseId, one);
    joined.push(...stops.values());
    run = [];
  };
  for (const moment of moments) {
    if (moment.what === "refused" || moment.what === "interrupted") run.push(moment);
    else if (moment.what !== "use") {
      close();
      joined.push(moment);
    }
  }
  close();
  return joined;
}

/** The prompt, the plan or the words that this text is once more. */
function sentBefore(pieces: readonly Evidence[], text: string): Evidence | undefined {
  const plan = handedPlan(text)?.plan;
  return plan ? findSame(pieces, ["plan"], plan) : findSame(pieces, ["prompt", "typed"], text);
}

function findSame(
  pieces: readonly Evidence[],
  kinds: ReadonlyArray<Evidence["kind"]>,
  text: string,
): Evidence | undefined {
  return pieces.find((piece) => kinds.includes(piece.kind) && piece.text.trim() === text.trim());
}

// Fits a turn's pieces to their bounds: each text, the pieces of a kind, and all of them together; says what was left out.

// How much of a turn is kept: characters of each kind of piece, and how many pieces of it.

/** Bounds of one kind. */
interface KindLimit {
  /** Characters of a piece's text. */
  text: number;
  /** Pieces in a turn; of more, the first and the last are kept. */
  pieces: number;
  /** Whether a long one reads like a log: its end tells more than its beginning. */
  log?: boolean;
}

/** By kind, in the order in which kinds give way when a turn is too large: what matters least first. */
export const kindLimits: Readonly<Record<EvidenceKind, KindLimit>> = {
  ran: { text: 300, pieces: 100, log: true },
  passed: { text: 300, pieces: 200, log: true },
  failure: { text: 2_000, pieces: 100, log: true },
  todo: { text: 8_000, pieces: 1 },
  task: { text: 4_000, pieces: 100 },
  said: { text: 8_000, pieces: 300 },
  report: { text: 16_000, pieces: 100 },
  repair: { text: 2_000, pieces: 50 },
  commit: { text: 8_000, pieces: 100 },
  published: { text: 8_000, pieces: 50 },
  interrupted: { text: 500, pieces: 50 },
  choice: { text: 8_000, pieces: 100 },
  plan: { text: 32_000, pieces: 20 },
  compaction: { text: 48_000, pieces: 20 },
  typed: { text: 32_000, pieces: 100 },
  refusal: { text: 8_000, pieces: 200 },
  closing: { text: 64_000, pieces: 1 },
  prompt: { text: 64_000, pieces: 1 },
};

/** Characters of what a piece is about, and of the agent's words for it. */
export const aboutLimit = 1_500;
/** Of a tool use that was refused or of a plan: it may be all there is to see of it. */
export const refusedLimit = 4_000;
/** Characters of all pieces of a turn. */
export const turnLimit = 400_000;

/** Pieces within their bounds, in the same order, and how many of each kind are not among them. */
interface Fitted {
  kept: Evidence[];
  leftOut: Record<string, number>;
}

/** Of too many of a kind the first and the last stay; of too large a turn the kinds that matter least give way. */
export function fitPieces(pieces: readonly Evidence[]): Fitted {
  const short = mergeRepeats(pieces).map(shortenPiece);
  const most = new Map<EvidenceKind, number>(
    evidenceKinds.map((kind) => [kind, kindLimits[kind].pieces]),
  );
  let kept = ends(short, most);
  for (const kind of Object.keys(kindLimits) as EvidenceKind[]) {
    const spare = sizeOf(kept) - turnLimit;
    if (spare <= 0) break;
    most.set(kind, fewer(kept, kind, spare));
    kept = ends(kept, most);
  }
  const leftOut: Record<string, number> = {};
  for (const kind of evidenceKinds) {
    const missing = count(short, kind) - count(kept, kind);
    if (missing > 0) leftOut[kind] = missing;
  }
  return { kept, leftOut };
}

const commandKinds: ReadonlySet<EvidenceKind> = new Set(["passed", "ran", "failure"]);

/** A command run again and again is kept once, where it ran last. */
function mergeRepeats(pieces: readonly Evidence[]): Evidence[] {
  const last = new Map<string, number>();
  const times = new Map<string, number>();
  const keyOf = ({ kind, about }: Evidence) =>
    commandKinds.has(kind) && about !== undefined ? `${kind} ${about}` : undefined;
  for (const [at, piece] of pieces.entries()) {
    const key = keyOf(piece);
    if (key === undefined) continue;
    last.set(key, at);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return pieces.flatMap((piece, at): Evidence[] => {
    const key = keyOf(piece);
    if (key === undefined) return [piece];
    if (last.get(key) !== at) return [];
    const often = times.get(key) ?? 1;
    return [often > 1 ? { ...piece, times: often } : piece];
  });
}

function shortenPiece(piece: Evidence): Evidence {
  const { text: limit, log } = kindLimits[piece.kind];
  const { text, leftOut } = shorten(log ? stripAnsi(piece.text) : piece.text, limit, log);
  const made: Evidence = { ...piece, text };
  if (leftOut > 0) made.shortened = (piece.shortened ?? 0) + leftOut;
  const most = piece.kind === "refusal" ? refusedLimit : aboutLimit;
  if (piece.about !== undefined) made.about = shorten(piece.about, most).text;
  if (piece.described !== undefined) made.described = shorten(piece.described, aboutLimit).text;
  return made;
}

function ends(pieces: readonly Evidence[], most: ReadonlyMap<EvidenceKind, number>): Evidence[] {
  const totals = new Map<EvidenceKind, number>();
  for (const { kind } of pieces) totals.set(kind, (totals.get(kind) ?? 0) + 1);
  const seen = new Map<EvidenceKind, number>();
  return pieces.filter(({ kind }) => {
    const at = seen.get(kind) ?? 0;
    seen.set(kind, at + 1);
    const limit = most.get(kind) ?? 0;
    const first = Math.ceil(limit / 2);
    return at < first || at >= (totals.get(kind) ?? 0) - (limit - first);
  });
}

/** How many of a kind may stay so that about `spare` characters go. */
function fewer(pieces: readonly Evidence[], kind: EvidenceKind, spare: number): number {
  const own = pieces.filter((piece) => piece.kind === kind);
  const size = sizeOf(own);
  // Without them nothing would be smaller.
  if (size === 0) return own.length;
  return Math.max(1, Math.floor(own.length * Math.max(0, 1 - spare / size)));
}

function sizeOf(pieces: readonly Evidence[]): number {
  return pieces.reduce(
    (sum, { text, about = "", described = "" }) =>
      sum + text.length + about.length + described.length,
    0,
  );
}

function count(pieces: readonly Evidence[], kind: EvidenceKind): number {
  return pieces.reduce((sum, piece) => sum + (piece.kind === kind ? 1 : 0), 0);
}
