// Built-in plugin `heuristic`: observations without a model, quoted from the evidence of a turn.

import type {
  NewTurn,
  ObservationBatch,
  ObservationDraft,
  ObservationResult,
  ToolUse,
} from "../../src/sdk/index.ts";
import { definePlugin } from "../../src/sdk/index.ts";
import { endsTurn, outcomeOf, touchedFiles } from "../../src/strategy/index.ts";
import {
  baseName,
  bestOf,
  cleanText,
  cut,
  failureLine,
  isSupposed,
  oneLine,
  pathsFrom,
  requestOf,
  tellings,
  textField,
  titleOf,
} from "../../src/text/index.ts";
import {
  describeWork,
  fileFacts,
  type Known,
  mostFacts,
  mostFiles,
  mostNarrative,
  placesOf,
  plainText,
  type Reported,
  type Work,
} from "./describe-work.ts";
import { conceptsOf, kindOf } from "./kind.ts";

// A batch of tool uses as observations: one of the turn, or one for each of its commits, and one for each subagent that reported.

/** Observes a batch. Pure: the same batch always gives the same answer; never throws on odd payloads. */
export function observe(batch: ObservationBatch): ObservationResult {
  const uses = batch.toolUses.filter(({ withheld }) => !withheld);
  const { turn, session } = batch;
  const paths = pathsFrom(
    session.project.root,
    uses.slice(0, 1).map(({ cwd }) => cwd),
  );
  const known: Known = { turn: turn ?? turnOf(batch), prompt: batch.prompt?.text ?? "", paths };
  const isEnd = endsTurn(batch);
  const observations = batch.waiting
    ? uses.flatMap((use) => describeUse(use, known) ?? [])
    : [...ofWork(uses, known, isEnd), ...ofReports(batch, uses, known)];
  const used = new Set(observations.flatMap(({ toolUseIds }) => toolUseIds));
  const skipped = batch.toolUses.flatMap(({ id, withheld }) =>
    used.has(id) ? [] : [[id, withheld ? "withheld" : "routine"] as const],
  );
  return { observations, skipped: Object.fromEntries(skipped), model: null, observerTokens: 0 };
}

function ofWork(uses: readonly ToolUse[], known: Known, isEnd: boolean): ObservationDraft[] {
  const own = uses.filter(({ agent }) => agent === undefined);
  return splitAtCommits(own, known, isEnd).flatMap((work) => describeWork(work, known) ?? []);
}

/** Each commit closes a piece of work, made in this turn or before it; what follows the last belongs to it, and the turn's end with it. */
function splitAtCommits(uses: readonly ToolUse[], { turn, paths }: Known, isEnd: boolean): Work[] {
  const commits = new Map(
    turn.pieces.flatMap((piece, at) =>
      piece.kind === "commit" && piece.toolUseId !== undefined ? [[piece.toolUseId, at]] : [],
    ),
  );
  const works: Work[] = [];
  let current: ToolUse[] = [];
  for (const use of uses) {
    current.push(use);
    const commit = commits.get(use.id);
    if (commit === undefined) continue;
    works.push({ uses: current, commit, last: false });
    current = [];
  }
  const before = works.at(-1);
  if (before && touchedFiles(current, paths).modified.length === 0) before.uses.push(...current);
  else if (current.length > 0) works.push({ uses: current, last: isEnd });
  const last = works.at(-1);
  if (last) last.last = isEnd;
  return works;
}

function ofReports(
  { agentMessages = [] }: ObservationBatch,
  uses: readonly ToolUse[],
  known: Known,
): ObservationDraft[] {
  const agents = new Map(uses.flatMap(({ agent }) => (agent ? [[agent.id, agent] as const] : [])));
  return [...agents.values()].flatMap((agent) => {
    const said = agentMessages.findLast((message) => message.agent.id === agent.id)?.text;
    const own = uses.filter((use) => use.agent?.id === agent.id);
    return describeReport({ agent, uses: own, ...(said !== undefined && { said }) }, known) ?? [];
  });
}

/** What the batch itself tells, for a storage that keeps no turns. */
function turnOf(batch: ObservationBatch): NewTurn {
  const { session, prompt, lastAssistantMessage: said, toolUses } = batch;
  const time = toolUses[0]?.time ?? 0;
  return {
    session: session.id,
    client: session.client,
    project: session.project.id,
    promptNumber: prompt?.number ?? 0,
    startedAt: time,
    time: toolUses.at(-1)?.time ?? time,
    end: said === undefined ? "open" : "closed",
    pieces: [
      ...(prompt ? [{ kind: "prompt" as const, text: prompt.text }] : []),
      ...(said === undefined ? [] : [{ kind: "closing" as const, text: said }]),
    ],
    files: [],
    gaps: true,
  };
}

// One tool use by itself, for somebody who waits on it.

/** Undefined for what tells nothing alone: a look, or a command that printed nothing. */
export function describeUse(use: ToolUse, { turn, paths }: Known): ObservationDraft | undefined {
  const { read, modified: changed, made } = touchedFiles([use], paths);
  const text = (value: string) => paths.inText(cleanText(value));
  const command = oneLine(text(textField(use.input, "command")));
  const described = oneLine(text(textField(use.input, "description")));
  const [path] = changed;
  const title = titleOf(
    path === undefined ? described || command : `${use.name} ${paths.inText(path)}`,
  );
  const output = text(
    textField(use.response, "stdout") || (typeof use.response === "string" ? use.response : ""),
  );
  const last = output.split("\n").map(oneLine).filter(Boolean).at(-1) ?? "";
  const facts =
    path !== undefined
      ? fileFacts(turn.files, changed).map(({ text }) => text)
      : use.error === undefined
        ? [
            command === "" || last === ""
              ? ""
              : `\`${cut(command, 120)}\` printed last: ${cut(last, 200)}`,
          ]
        : [`\`${cut(command || use.name, 120)}\` failed: ${text(failureLine(use.error))}`];
  if (path !== undefined && facts.length === 0)
    facts.push(`${made.length > 0 ? "Made" : "Changed"} ${paths.inText(path)} with ${use.name}`);
  const known = facts.filter((fact) => fact !== "");
  if (title === "" || known.length === 0) return undefined;
  const type = path === undefined ? "discovery" : made.length > 0 ? "feature" : "change";
  const piece = turn.pieces.findIndex(({ toolUseId }) => toolUseId === use.id);
  return {
    type,
    title,
    subtitle: path === undefined ? "" : described || baseName(path),
    facts: known,
    narrative: known.join(" "),
    concepts: conceptsOf(type, [...changed, ...read]),
    filesRead: read,
    filesModified: changed,
    toolUseIds: [use.id],
    ...(use.agent && { agent: use.agent }),
    observerTokens: 0,
    time: use.time,
    evidence: placesOf(turn, [piece, turn.pieces.findIndex(({ kind }) => kind === "prompt")]),
  };
}

// What a subagent found out or did, in the words of its report.

const least = 2.5;
/** A report of fewer characters tells nothing. */
const substance = 60;

/** Undefined where it said nothing and changed nothing. */
export function describeReport(
  { agent, uses, said }: Reported,
  { turn, paths, prompt }: Known,
): ObservationDraft | undefined {
  const reportAt = turn.pieces.findLastIndex(
    (piece) =>
      piece.kind === "report" &&
      (piece.agent === agent.id || (said !== undefined && piece.text.trim() === said.trim())),
  );
  const report = paths.inText(said ?? turn.pieces[reportAt]?.text ?? "");
  const { read, modified: changed, made } = touchedFiles(uses, paths);
  if (report.length < substance && changed.length === 0) return undefined;
  const taskAt = turn.pieces.findIndex(
    ({ kind, about }) =>
      kind === "task" && about !== undefined && about === turn.pieces[reportAt]?.about,
  );
  const task = turn.pieces[taskAt];
  const asked = requestOf(task?.text ?? "");
  const all = tellings(report, { names: [...changed, ...read].map(baseName), asked });
  const stated = all.filter(({ statement }) => !isSupposed(statement));
  const facts = bestOf(stated, mostFacts - 1, least).map(({ text }) => text);
  const outcome = outcomeOf(
    {
      ...turn,
      pieces: [
        { kind: "prompt", text: task?.text ?? "" },
        { kind: "closing", text: report },
      ],
      files: changed.map((path) => ({ path, changed: true })),
    },
    paths.inText,
  );
  const title = outcome.title || titleOf(requestOf(prompt));
  if (title === "") return undefined;
  if (facts.length < 3)
    facts.push(
      ...fileFacts(turn.files, changed)
        .map(({ text }) => text)
        .slice(0, 3),
    );
  const type = kindOf(
    {
      changed: changed.length,
      made: made.length,
      committed: false,
      repaired: false,
      words: [asked],
    },
    { ...turn, pieces: [] },
  );
  return {
    type,
    title,
    subtitle: titleOf(task?.about ?? "", 220),
    facts,
    narrative: cut(plainText(report), mostNarrative) || facts.join(" "),
    concepts: conceptsOf(type, changed.length > 0 ? changed : read),
    filesRead: read.slice(0, mostFiles),
    filesModified: changed,
    toolUseIds: uses.map(({ id }) => id),
    agent,
    observerTokens: 0,
    time: uses.at(-1)?.time ?? turn.time,
    evidence: placesOf(turn, reportAt < 0 && taskAt < 0 ? [0] : [reportAt, taskAt]),
  };
}

export default definePlugin({
  name: "heuristic",
  description: "Quotes what a turn came to as typed observations, without a model.",
  sdk: 1,
  slot: "observation",
  events: [
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
    "SessionEnd",
  ],
  hooks: {
    observe: (batch) => observe(batch),
  },
});
