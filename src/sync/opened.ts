// What somebody sealed: held against the members and its place, opened, and given to memory.
import * as v from "valibot";
import { applyInAll } from "../runtime/hooks/ask-storage.ts";
import {
  type ApplyRequest,
  type ApplyResult,
  type Change,
  ChangeSchema,
  type Position,
  type TakenBack,
} from "../sdk/change.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { HubBatch } from "../sdk/hub.ts";
import type { ExchangeDeps } from "./ask-hub.ts";
import { authorOf, keyOfEpoch, type Member, type Placed } from "./charter.ts";
import { digestOf, type Header, Refused, readHeader, replicaOf, unseal } from "./seal.ts";
import { memberOfStream, type Space } from "./state.ts";

/** What is larger was made by nobody's memoir. */
const mostBatchBytes = 16 << 20;

/** What a batch holds, and a snapshot. */
const ContentSchema = v.object({
  replica: v.string(),
  from: v.number(),
  upTo: v.number(),
  /** What proves that the replica is the author's. */
  nonce: v.string(),
  changes: v.array(v.unknown()),
  /** What of this replica up to `upTo` its author shares no more: of these projects, or at all. */
  takesBack: v.optional(v.object({ projects: v.optional(v.array(v.string())) })),
  /** Of a snapshot: those of the batches it stands for. */
  digests: v.optional(v.array(v.string())),
});

/** What was sealed, with who may have. */
export interface Opened {
  header: Header;
  author: Member;
  changes: Change[];
  content: v.InferOutput<typeof ContentSchema>;
}

/**
 * Has the storage take changes in. In a team nobody says anything of records that did not come from the team and are not shared with it.
 * What the storage cannot take at all is the batch's fault; what a person is told of is not.
 */
export async function apply(
  { hooks, state, forget }: ExchangeDeps,
  space: Space,
  request: Pick<ApplyRequest, "changes" | "from" | "upTo" | "takenBack">,
): Promise<ApplyResult> {
  const back = state.othersBack(space.id);
  const isBack = ({ replica, number, project, kind }: Change) =>
    kind !== "forget" &&
    back.some(
      (one) =>
        one.replica === replica && number <= one.upTo && (one.projects?.includes(project) ?? true),
    );
  const changes = request.changes?.filter((one) => !isBack(one));
  const about = { replicas: state.heardIn(space.id), projects: space.projects };
  const asked = {
    ...{ ...request, ...(changes && { changes }) },
    ...(space.kind === "team" ? { about } : {}),
  };
  try {
    return await applyInAll(hooks, asked, forget);
  } catch (error) {
    if (!(error instanceof MemoirError) || error.code !== "record_invalid") throw error;
    throw new Refused("damaged", "memory cannot take it");
  }
}

/** What is expected of it; `before`: the digest of the batch before it, where that is known. */
interface Expected {
  before?: string;
  is?: Header["is"];
}

/** A batch, or what is sealed like one, as its author sealed it. Rejects with Refused. */
export async function open(
  space: Space,
  chain: readonly Placed[],
  { stream, number, bytes }: HubBatch,
  { before, is }: Expected = {},
): Promise<Opened> {
  if (bytes.byteLength > mostBatchBytes) throw new Refused("damaged", "it is too large");
  const header = readHeader(bytes);
  const { by, epoch, previous } = header;
  if (header.is !== is) throw new Refused("forged", "it is of another kind than its place says");
  if (header.space !== space.id || header.stream !== stream || header.number !== number)
    throw new Refused("forged", "it is another batch than its place says");
  if (before !== undefined && previous !== before)
    throw new Refused("forged", "it does not follow the batch before it");
  if (memberOfStream(stream) !== by) throw new Refused("forged", "its stream is another member's");
  // Who is gone could write a snapshot anew; their batches are known by where they ended.
  const author = authorOf(chain, by, stream, is ? Infinity : number);
  const end = chain.at(-1)?.charter.ended[stream];
  const isOther = end?.number === number && end.digest !== digestOf(bytes);
  if (!author || isOther) throw new Refused("forged", "its author may not write here");
  const key = keyOfEpoch(space.secrets, epoch);
  if (!key) throw new Refused("damaged", "the key it is sealed with is not known");
  const opened = await unseal(bytes, key, author.sign);
  const content = v.safeParse(ContentSchema, opened.content);
  if (!content.success) throw new Refused("damaged", "it holds no changes");
  const { replica, nonce } = content.output;
  if (replica !== replicaOf(author.id, nonce))
    throw new Refused("forged", "it gives out another member's changes as its own");
  // Who made a change is who sealed it, whatever the change says; in one's own space all are one person.
  const { names } = space.secrets;
  const { person } = names[memberOfStream(space.stream)] ?? {};
  const name = { ...names[author.id], ...(space.kind === "mine" && person && { person }) };
  const changes = content.output.changes.flatMap((one): Change[] => {
    const change = v.safeParse(ChangeSchema, one);
    if (!change.success || change.output.replica !== replica) return [];
    return [{ ...change.output, by: name }];
  });
  return { header, author, changes, content: content.output };
}

/** What an author takes back by a batch is not taken from now on. Answers what of it is to go; what another space brings, too, stays. */
export function noteBack(
  { state }: ExchangeDeps,
  space: Space,
  { content: { replica, upTo, takesBack } }: Opened,
): TakenBack[] {
  if (!takesBack) return [];
  const back = { replica, upTo, projects: takesBack.projects };
  state.noteBack(space.id, back);
  const others = state.spaces().filter(({ id }) => id !== space.id);
  return others.some(({ id }) => state.heardIn(id).includes(replica)) ? [] : [back];
}

/**
 * Gives all of it to memory, whose positions in the replicas move as far as nothing between is missing: `isBehind` where something is.
 */
export async function applyOpened(
  deps: ExchangeDeps,
  space: Space,
  opened: readonly Opened[],
): Promise<ApplyResult & { isBehind: boolean }> {
  const { state, log } = deps;
  const from: Position = {};
  const upTo: Position = {};
  for (const { author, content } of opened) {
    const { replica } = content;
    state.heard(space.id, replica, author.id);
    from[replica] ??= content.from;
    if (content.from <= (upTo[replica] ?? content.from)) upTo[replica] = content.upTo;
  }
  const changes = opened.flatMap((one) => one.changes);
  const takenBack = opened.flatMap((one) => noteBack(deps, space, one));
  const result = await apply(deps, space, { changes, from, upTo, takenBack });
  for (const one of result.refused) log.warn("a change was left out", { ...one });
  if (result.copied) log.warn("another home has the replica of this one", { space: space.id });
  await deps.arrived?.({ changed: result.changed, gone: result.gone });
  const isBehind = Object.entries(upTo).some(
    ([id, number]) => id !== result.replica && (result.position[id] ?? 0) < number,
  );
  return { ...result, isBehind };
}
