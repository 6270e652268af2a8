// A batch of tool uses as observations: one of the turn, or one for each of its commits, and one for each subagent that reported.
import type {
  NewTurn,
  ObservationBatch,
  ObservationDraft,
  ObservationResult,
  ToolUse,
} from "../../src/sdk/index.ts";
import { touchedFiles } from "../../src/strategy/index.ts";
import { pathsFrom } from "../../src/text/index.ts";
import { describeReport } from "./describe-report.ts";
import { describeUse } from "./describe-use.ts";
import { describeWork } from "./describe-work.ts";
import type { Known, Work } from "./work.ts";

/** Observes a batch. Pure: the same batch always gives the same answer; never throws on odd payloads. */
export function observe(batch: ObservationBatch): ObservationResult {
  const uses = batch.toolUses.filter(({ withheld }) => !withheld);
  const { turn, session } = batch;
  const paths = pathsFrom(
    session.project.root,
    uses.slice(0, 1).map(({ cwd }) => cwd),
  );
  const known: Known = { turn: turn ?? turnOf(batch), prompt: batch.prompt?.text ?? "", paths };
  const observations = batch.waiting
    ? uses.flatMap((use) => describeUse(use, known) ?? [])
    : [...ofWork(uses, known), ...ofReports(batch, uses, known)];
  const used = new Set(observations.flatMap(({ toolUseIds }) => toolUseIds));
  const skipped = batch.toolUses.flatMap(({ id, withheld }) =>
    used.has(id) ? [] : [[id, withheld ? "withheld" : "routine"] as const],
  );
  return { observations, skipped: Object.fromEntries(skipped), model: null, observerTokens: 0 };
}

function ofWork(uses: readonly ToolUse[], known: Known): ObservationDraft[] {
  const own = uses.filter(({ agent }) => agent === undefined);
  return splitAtCommits(own, known).flatMap((work) => describeWork(work, known) ?? []);
}

/** Each commit closes a piece of work where something was changed before it; what follows the last belongs to it. */
function splitAtCommits(uses: readonly ToolUse[], { turn, paths }: Known): Work[] {
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
    if (commit === undefined || touchedFiles(current, paths).modified.length === 0) continue;
    works.push({ uses: current, commit, last: false });
    current = [];
  }
  const before = works.at(-1);
  if (before && touchedFiles(current, paths).modified.length === 0) before.uses.push(...current);
  else if (current.length > 0) works.push({ uses: current, last: true });
  const last = works.at(-1);
  if (last) last.last = true;
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
