// Makes a turn of its moments: pieces in the order things happened, files, and how it ended. Pure; live and afterwards the same.

import { lookingTools } from "../sdk/tool-kinds.ts";
import type { Evidence, NewTurn } from "../sdk/turn.ts";
import { commandEvidence } from "./commands.ts";
import { choices, plan, readTodos, subagent } from "./dialogs.ts";
import { createFiles } from "./files.ts";
import { fitPieces } from "./fit.ts";
import type { Moment, SpokenMoment } from "./moment.ts";

/** What a turn bears beside its evidence. */
export interface TurnFrame {
  session: string;
  client: string;
  project: string;
  branch?: string;
  promptNumber: number;
  startedAt: number;
  /** The transcript was not read. */
  gaps?: boolean;
}

/** What is told in these is the output itself. */
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
    if (moment.what === "report" && isKnown(pieces, "report", moment.text)) continue;
    pieces.push({
      kind: kindOf(moment, closing),
      text: moment.text,
      ...at,
      ...(moment.about && { about: moment.about }),
      ...(moment.omitted && { shortened: moment.omitted }),
      ...(moment.toolUseId && { toolUseId: moment.toolUseId }),
    });
  }
  const list = todos.piece();
  if (list) pieces.push(list);
  promptFirst(pieces);
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
    const told = new Map<string | undefined, SpokenMoment>();
    for (const one of named.length > 0 ? named : run.slice(0, 1))
      if (one.what === "refused" || !told.has(one.toolUseId)) told.set(one.toolUseId, one);
    joined.push(...told.values());
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

function isKnown(pieces: readonly Evidence[], kind: Evidence["kind"], text: string): boolean {
  return pieces.some((piece) => piece.kind === kind && piece.text.trim() === text.trim());
}

function promptFirst(pieces: Evidence[]): void {
  const at = pieces.findIndex(({ kind }) => kind === "prompt");
  const [prompt] = at > 0 ? pieces.splice(at, 1) : [];
  if (prompt) pieces.unshift(prompt);
}
