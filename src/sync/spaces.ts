// What a person does with spaces: make one, invite into it, take an invitation up, share projects, remove somebody, leave.
import { randomBytes } from "node:crypto";
import { askStorage } from "../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../sdk/errors.ts";
import { askHub, type ExchangeDeps } from "./ask-hub.ts";
import {
  type Charter,
  follow,
  type Identity,
  type Member,
  newSpaceKey,
  type Placed,
  type Role,
  readChain,
  type Secrets,
  writeCharter,
} from "./charter.ts";
import type { HubPlace, Invitation } from "./invitation.ts";
import { charterName, readMembers, writerOf } from "./members.ts";
import { push } from "./push.ts";
import { digestOf, signingKey } from "./seal.ts";
import {
  memberOfStream,
  newIdentity,
  newStream,
  publicOf,
  type Self,
  type Space,
} from "./state.ts";

/** Makes a space with this home as its owner. Rejects as the hub does. */
export async function createSpace(
  deps: ExchangeDeps,
  kind: Secrets["kind"],
  self: Self,
): Promise<Space> {
  const { state, now } = deps;
  assertFirst(state, kind);
  const identity = await state.identity();
  const id = randomBytes(16).toString("hex");
  const secrets: Secrets = {
    kind,
    keys: { 1: newSpaceKey() },
    names: { [identity.id]: self },
  };
  const owner: Member = {
    ...{ id: identity.id, sign: identity.publicKey, seal: identity.recipient },
    ...{ role: "owner", kind: "home" },
  };
  const charter: Charter = {
    ...{ space: id, number: 1, previous: "", epoch: 1, members: [owner] },
    ...{ ended: {}, by: identity.id, at: now() },
  };
  const place = await publish(deps, charter, secrets, identity.sign);
  if (!place) throw changedMeanwhile();
  return begin(deps, { id, secrets, chain: [place], stream: newStream(identity.id) }, self);
}

/** A home is in one space of each kind. */
function assertFirst(state: ExchangeDeps["state"], kind: Secrets["kind"], id = ""): void {
  if (state.spaces().some((one) => one.kind === kind && !one.lost && one.id !== id))
    throw new MemoirError("sync_refused", `This home is in ${nameOf(kind)} already.`, {
      fix: "Run `memoir sync status`; `memoir sync leave` comes before another one.",
    });
}

/** What two kinds of space are called. */
function nameOf(kind: Secrets["kind"]): string {
  return kind === "mine" ? "a space of your own" : "a team's space";
}

/** Notes a space as one that this home is in, and its author in memory. */
async function begin(
  { state, hooks }: ExchangeDeps,
  made: {
    id: string;
    secrets: Secrets;
    chain: readonly Placed[];
    stream: string;
    invitation?: Space["invitation"];
  },
  self: Self,
): Promise<Space> {
  const { id, secrets, chain, stream, invitation } = made;
  const place = chain.at(-1);
  if (!place) throw new MemoirError("sync_refused", "The space has no members.");
  await askStorage(hooks, "storage.apply", { author: { ...self } });
  // What is left of a time in it before, or in another from which this home was removed.
  for (const one of state.spaces())
    if (one.id === id || (one.kind === secrets.kind && one.lost)) state.drop(one.id);
  const space: Space = {
    ...{ id, kind: secrets.kind, stream, number: 0, digest: "", sent: 0, secrets, projects: [] },
    ...{ former: [], replica: "" },
    charter: { number: place.charter.number, digest: place.digest },
    ...(invitation ? { invitation } : {}),
  };
  state.save(space);
  for (const one of chain) state.keep(id, one.charter.number, one.bytes);
  return space;
}

/** How often a change of the members is made again of what stands by then: homes renew keys by themselves, at any moment. */
const mostTries = 4;

/** Writes a charter to the hub; undefined where another was written meanwhile. */
async function publish(
  { hooks }: ExchangeDeps,
  charter: Charter,
  secrets: Secrets,
  sign: string,
): Promise<Placed | undefined> {
  const bytes = await writeCharter(charter, secrets, signingKey(sign));
  const digest = digestOf(bytes);
  // In a synced folder two of one number may come, and readers decide.
  const name = charterName(charter.number);
  const { written } = await askHub(hooks, "hub.write", {
    ...{ space: charter.space, name, bytes, isNew: true },
  });
  return written ? { charter, digest, bytes } : undefined;
}

function changedMeanwhile(): MemoirError {
  return new MemoirError("sync_refused", "Somebody changed the members at the same moment.", {
    fix: "Look with `memoir sync members`, then say it again.",
  });
}

/** The chain and what may be done in it; a member that is none any more is told so. */
async function current(deps: ExchangeDeps, id: string) {
  const chain = await readMembers(deps, id);
  const space = deps.state.space(id);
  const last = chain?.at(-1);
  if (!last || !space)
    throw new MemoirError("sync_refused", "This home is no member of that space any more.");
  return { space, last, chain: chain ?? [] };
}

async function change(
  deps: ExchangeDeps,
  id: string,
  how: (charter: Charter, secrets: Secrets) => { charter: Partial<Charter>; secrets?: Secrets },
  tries = mostTries,
): Promise<Placed> {
  const { space, last } = await current(deps, id);
  const writer = await writerOf(deps.state, space);
  const made = how(last.charter, space.secrets);
  const charter: Charter = {
    ...last.charter,
    ...made.charter,
    ...{ number: last.charter.number + 1, previous: last.digest },
    ...{ by: publicOf(writer.sign).id, at: deps.now() },
  };
  const placed = await publish(deps, charter, made.secrets ?? space.secrets, writer.sign);
  if (!placed) {
    if (tries > 1) return change(deps, id, how, tries - 1);
    throw changedMeanwhile();
  }
  deps.state.keep(id, charter.number, placed.bytes);
  const after = deps.state.space(id);
  if (after)
    deps.state.save({
      ...after,
      secrets: made.secrets ?? after.secrets,
      charter: { number: charter.number, digest: placed.digest },
    });
  return placed;
}

async function assertOwner(deps: ExchangeDeps, id: string): Promise<void> {
  const { last, space } = await current(deps, id);
  const me = publicOf((await writerOf(deps.state, space)).sign).id;
  if (last.charter.members.some((one) => one.id === me && one.role === "owner")) return;
  throw new MemoirError("sync_refused", "Only an owner of the space may do that.", {
    fix: "`memoir sync members` shows who is one.",
  });
}

/** What an invitation allows. */
export interface Invited {
  role: Role;
  /** For any number of short-lived homes, as long as nobody removes it. */
  isKey: boolean;
  /** How it is listed until somebody takes it up. */
  label: string;
  /** Epoch ms after which it is void. */
  until?: number;
}

/** Makes an invitation. `hub` says how the invited gets there. */
export async function invite(
  deps: ExchangeDeps,
  id: string,
  asked: Invited,
  hub: HubPlace,
): Promise<Invitation> {
  await assertOwner(deps, id);
  const { sign, seal, recipient } = await newIdentity();
  const { id: member, publicKey } = publicOf(sign);
  const added: Member = {
    ...{ id: member, sign: publicKey, seal: recipient, role: asked.role },
    kind: asked.isKey ? "key" : "invitation",
    ...(asked.until === undefined ? {} : { until: asked.until }),
  };
  const { charter, digest } = await change(deps, id, ({ members }, secrets) => ({
    charter: { members: [...members, added] },
    secrets: {
      ...secrets,
      names: { ...secrets.names, [member]: { person: asked.label, machine: "" } },
    },
  }));
  return { hub, space: id, sign, seal, number: charter.number, digest };
}

/** What came of an invitation: this home is new in the space, may do more there than before, or was there and did not use it. */
export type Joined = "new" | "raised" | "already";

/** Takes an invitation up. The hub has to be in force already. Rejects with `sync_invitation`. */
export async function join(
  deps: ExchangeDeps,
  invitation: Invitation,
  self: Self,
): Promise<Joined> {
  const { space: id } = invitation;
  const there = deps.state.space(id);
  if (!there || there.lost) {
    await enter(deps, invitation, self);
    return "new";
  }
  const last = (await readMembers(deps, id))?.at(-1);
  const role = (member: string) => last?.charter.members.find((one) => one.id === member)?.role;
  const me = (await deps.state.identity()).id;
  const [had, offered] = [role(me), role(publicOf(invitation.sign).id)];
  const isKey = there.invitation?.isKey;
  if (isKey || !had || !offered || ranks.indexOf(offered) <= ranks.indexOf(had)) return "already";
  // An invitation adds one home and changes none: whoever is to do more goes out by its own word, and comes in by the invitation's. How it
  // comes in is noted first: what breaks off in between is ended by the next round.
  const { sign, seal, number, digest } = invitation;
  const again = { identity: { sign, seal }, isKey: false, made: { number, digest }, self };
  deps.state.save({ ...there, invitation: again });
  await comeBack(deps, id);
  return "raised";
}

/** Goes out and comes in again as it was noted, from wherever that broke off; nothing where none was. What it shares stays as it was. */
export async function comeBack(deps: ExchangeDeps, id: string): Promise<void> {
  const there = deps.state.space(id);
  const { identity, made, self } = there?.invitation ?? {};
  if (!there || !identity || !made || !self) return;
  const me = (await deps.state.identity()).id;
  try {
    const members = (await readMembers(deps, id))?.at(-1)?.charter.members ?? [];
    const isListed = (member: string) => members.some((one) => one.id === member);
    if (isListed(me) && isListed(publicOf(identity.sign).id)) await depart(deps, there, me);
    await enter(deps, { space: id, ...identity, ...made }, self);
  } catch (error) {
    // It was withdrawn meanwhile, or this home may not go: it stays what it is then.
    const now = deps.state.space(id);
    const isOver = error instanceof MemoirError && error.code !== "hub_away";
    if (now && isOver) {
      const { invitation: _, ...out } = now;
      deps.state.save(out);
    }
    throw error;
  }
  const back = deps.state.space(id);
  if (back) deps.state.save({ ...back, projects: there.projects, former: there.former });
}

const ranks: readonly Role[] = ["reader", "writer", "owner"];

async function enter(
  deps: ExchangeDeps,
  invitation: Omit<Invitation, "hub">,
  self: Self,
  tries = mostTries,
): Promise<Space> {
  const { state, hooks, now } = deps;
  const { space: id, sign, seal } = invitation;
  const { files } = await askHub(hooks, "hub.files", { space: id, prefix: "charter/" });
  const chain = readChain(
    id,
    files.map(({ bytes }) => bytes),
    { number: invitation.number, digest: invitation.digest },
  );
  const last = chain.at(-1);
  const place = publicOf(sign);
  const me = await state.identity();
  const mine = last?.charter.members.find(({ id: member }) => member === place.id);
  const secrets = last && (await knownTo(chain, { sign, seal }, invitation.number));
  // It was taken up by this very home, which did not hear of it.
  if (last && secrets && last.charter.members.some((one) => one.id === me.id))
    return begin(deps, { id, secrets, chain, stream: newStream(me.id) }, self);
  if (!last || !mine)
    throw new MemoirError(
      "sync_invitation",
      last
        ? "This invitation was taken up or withdrawn."
        : "The hub does not know this invitation.",
      last ? {} : { fix: "A synced folder may still be on its way: wait, then try again." },
    );
  if (mine.until !== undefined && now() > mine.until)
    throw new MemoirError("sync_invitation", "This invitation is too old.");
  if (!secrets) throw new MemoirError("sync_invitation", "This invitation cannot be opened.");
  assertFirst(state, secrets.kind, id);
  if (mine.kind === "key") {
    const keyed = { identity: { sign, seal }, isKey: true };
    const made = { id, secrets, chain, stream: newStream(mine.id), invitation: keyed };
    return begin(deps, made, secrets.names[mine.id] ?? self);
  }
  const member: Member = {
    ...{ id: me.id, sign: me.publicKey, seal: me.recipient },
    ...{ role: mine.role, kind: "home" },
  };
  const { [mine.id]: _label, ...names } = secrets.names;
  const others = last.charter.members.flatMap(({ id: of }) =>
    of === me.id ? [] : (names[of] ?? []),
  );
  const named: Secrets = { ...secrets, names: { ...names, [me.id]: unlike(others, self) } };
  const charter: Charter = {
    ...last.charter,
    members: [...last.charter.members.filter((one) => one.id !== mine.id), member],
    ...{ number: last.charter.number + 1, previous: last.digest, by: mine.id, at: now() },
  };
  const placed = await publish(deps, charter, named, sign);
  if (!placed) {
    if (tries > 1) return enter(deps, invitation, self, tries - 1);
    throw changedMeanwhile();
  }
  const made = { id, secrets: named, chain: [...chain, placed], stream: newStream(me.id) };
  return begin(deps, made, named.names[me.id] ?? self);
}

/** Two machines of a person that are called the same are told apart: the second is `laptop 2`. */
function unlike(others: readonly Self[], self: Self): Self {
  const isTaken = (machine: string) =>
    others.some((one) => one.person === self.person && one.machine === machine);
  let { machine } = self;
  for (let number = 2; isTaken(machine); number++) machine = `${self.machine} ${number}`.trim();
  return { ...self, machine };
}

/** What an invitation's keys open, from the charter that it was made in. */
async function knownTo(chain: readonly Placed[], identity: Identity, from: number) {
  let secrets: Secrets | undefined;
  for (const [at, placed] of chain.entries())
    if (placed.charter.number >= from)
      secrets = await follow(chain[at - 1], placed, secrets, identity);
  return secrets;
}

/** A new key, for fewer members. */
function rekeyed(charter: Charter, secrets: Secrets, stays: (member: Member) => boolean) {
  const epoch = charter.epoch + 1;
  return {
    charter: { epoch, members: charter.members.filter(stays) },
    secrets: { ...secrets, keys: { ...secrets.keys, [epoch]: newSpaceKey() } },
  };
}

/**
 * What an owner's home does by itself: withdraws invitations that are over by its clock, for a taker may set theirs back, and gives the
 * members a new key once one was taken up or withdrawn, for whoever else had it would read on.
 */
export async function renewKey(
  deps: ExchangeDeps,
  id: string,
  chain: readonly Placed[],
): Promise<boolean> {
  const last = chain.at(-1)?.charter;
  const me = (await deps.state.identity()).id;
  const isOwner = last?.members.some((one) => one.id === me && one.role === "owner");
  if (!last || !isOwner) return false;
  const isOver = ({ kind, until }: Member) =>
    kind !== "home" && until !== undefined && until < deps.now();
  const wasTaken = chain.some(({ charter }, at) => {
    const author = chain[at - 1]?.charter.members.find((one) => one.id === charter.by);
    return charter.epoch === last.epoch && author?.kind === "invitation";
  });
  if (!wasTaken && !last.members.some(isOver)) return false;
  try {
    const renewed = (charter: Charter, secrets: Secrets) =>
      rekeyed(charter, secrets, (one) => !isOver(one));
    await change(deps, id, renewed, 1);
  } catch (error) {
    // Another owner did it at the same moment.
    if (!(error instanceof MemoirError) || error.code !== "sync_refused") throw error;
  }
  return true;
}

/** Removes a member and gives the others a new key. What the removed has read stays with them. */
export async function remove(deps: ExchangeDeps, id: string, member: string): Promise<void> {
  await assertOwner(deps, id);
  await change(deps, id, (charter, secrets) => {
    const streams = deps.state.streams(id).filter((one) => one.member === member);
    const ended = Object.fromEntries(
      streams.map(({ stream, number, digest }) => [stream, { number, digest }]),
    );
    const made = rekeyed(charter, secrets, (one) => one.id !== member);
    return {
      ...made,
      charter: { ...made.charter, ended: { ...charter.ended, ...ended } },
    };
  });
}

/** Nobody came by an invitation that is open. */
const isThere = ({ kind }: Member) => kind !== "invitation";

function assertOwnerIn(others: readonly Member[]): void {
  const isOwner = ({ role, kind }: Member) => role === "owner" && kind === "home";
  if (others.some(isThere) && !others.some(isOwner))
    throw new MemoirError("sync_refused", "This home is the space's only owner.", {
      fix: "Invite another owner first (`memoir sync invite --role owner`), or remove the others.",
    });
}

/** Takes this home out of the members. */
async function depart(deps: ExchangeDeps, space: Space, me: string): Promise<void> {
  await change(deps, space.id, ({ members, ended }) => {
    const others = members.filter((one) => one.id !== me);
    assertOwnerIn(others);
    const { stream, number, digest } = space;
    return {
      charter: {
        // A list is never empty: the last goes as the only one left, and takes open invitations along.
        members: others.some(isThere) ? others : members.filter((one) => one.id === me),
        ended: number > 0 ? { ...ended, [stream]: { number, digest } } : ended,
      },
    };
  });
}

/** Leaves a space. What came from it stays here, and what was sent stays there. */
export async function leave(deps: ExchangeDeps, id: string): Promise<void> {
  const space = deps.state.space(id);
  const isMember = space && !space.lost && !space.invitation?.isKey;
  if (isMember) await depart(deps, space, (await deps.state.identity()).id);
  deps.state.drop(id);
}

/** Takes back what this home said in a space, of these projects or at all: the others remove it with the next rounds. */
export async function takeBack(
  { state, hooks }: ExchangeDeps,
  id: string,
  projects?: string[],
): Promise<void> {
  const space = state.space(id);
  if (!space) throw new MemoirError("sync_refused", "This home is in no such space.");
  const { position } = await askStorage(hooks, "storage.changes", { limit: 1 });
  const mine = state.ownReplicas(memberOfStream(space.stream));
  const back = mine.map((replica) => ({ replica, upTo: position[replica] ?? 0, projects }));
  state.takeBack(id);
  state.addBack(
    id,
    back.filter(({ upTo }) => upTo > 0),
  );
}

/** All of it, for who leaves: rejects where the hub did not take it, and is done by the next round then. */
export async function takeBackAll(deps: ExchangeDeps, id: string): Promise<void> {
  const chain = await readMembers(deps, id);
  const me = (await deps.state.identity()).id;
  // Before anything goes: who may not leave keeps it there.
  assertOwnerIn(chain?.at(-1)?.charter.members.filter((one) => one.id !== me) ?? []);
  await takeBack(deps, id);
  if (chain) await push(deps, id, chain);
}

/** Shares a project in a team's space, or keeps one local in one's own; `isShared` false takes that back. What went out stays. */
export async function share(
  deps: ExchangeDeps,
  id: string,
  project: string,
  isShared: boolean,
): Promise<void> {
  const space = deps.state.space(id);
  if (!space) throw new MemoirError("sync_refused", "This home is in no such space.");
  const isTeam = space.kind === "team";
  const listed = (all: readonly string[], is: boolean) => {
    const others = all.filter((one) => one !== project);
    return is ? [...others, project].sort() : others;
  };
  const wasShared = isTeam && space.projects.includes(project);
  deps.state.save({
    ...space,
    projects: listed(space.projects, isTeam === isShared),
    former: listed(space.former, !isShared && (wasShared || space.former.includes(project))),
  });
  // What was passed over so far lies behind what was sent: it is given out anew.
  if (isShared) await askStorage(deps.hooks, "storage.apply", { again: [project] });
  // A batch that waits may hold it; what else is in it is sealed again.
  else deps.state.takeBack(id);
}
