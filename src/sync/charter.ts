// Who is in a space: a chain of charters on the hub, each whole, signed by a member of the one before, naming it by its digest. The hub
// sees public keys and roles; names and the space's keys are encrypted to the members by age.

import { type KeyObject, randomBytes, sign } from "node:crypto";
import { Decrypter, Encrypter } from "age-encryption";
import * as v from "valibot";
import { digestOf, isSigned, memberOf } from "./seal.ts";

/**
 * - `owner`: invites, removes, and writes.
 * - `writer`: writes, and leaves.
 * - `reader`: reads, and leaves.
 */
export const roles = ["owner", "writer", "reader"] as const;
export type Role = (typeof roles)[number];

const base64 = v.pipe(v.string(), v.regex(/^[\w+/=-]{1,400}$/));
const hex = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const MemberSchema = v.strictObject({
  /** Of its signing key; see `memberOf`. */
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  /** Base64 of its Ed25519 key's SPKI. */
  sign: base64,
  /** Its age recipient. */
  seal: v.pipe(v.string(), v.regex(/^age1[0-9a-z]{50,4000}$/)),
  role: v.picklist(roles),
  /**
   * - `home`: one memoir.
   * - `invitation`: stands for somebody who takes it up once, under keys of their own.
   * - `key`: any number of short-lived homes write under it: containers, CI.
   */
  kind: v.picklist(["home", "invitation", "key"]),
  /** An invitation is void after this. Epoch ms. */
  until: v.optional(v.number()),
});
export type Member = v.InferOutput<typeof MemberSchema>;

const CharterSchema = v.strictObject({
  space: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  number: count,
  previous: v.union([hex, v.literal("")]),
  /** The key that is written under from now on. */
  epoch: count,
  members: v.pipe(v.array(MemberSchema), v.minLength(1), v.maxLength(5_000)),
  /** Streams of members that are gone: what they wrote up to this batch counts. */
  ended: v.record(v.string(), v.strictObject({ number: v.number(), digest: v.string() })),
  by: v.string(),
  at: v.number(),
});
export type Charter = v.InferOutput<typeof CharterSchema>;

/** On one line: it stands in contexts that agents read. */
const name = v.pipe(v.string(), v.maxLength(100), v.regex(/^[^\p{Cc}]*$/u));

const SecretsSchema = v.strictObject({
  kind: v.picklist(["mine", "team"]),
  /** By epoch, base64 of 32 bytes. */
  keys: v.record(v.string(), v.string()),
  /** By member's id. Of those who were removed too: what they wrote stays. */
  names: v.record(v.string(), v.strictObject({ person: name, machine: name })),
});
/** What only members can read of a charter. */
export type Secrets = v.InferOutput<typeof SecretsSchema>;

const long = v.pipe(v.string(), v.maxLength(4_000_000), v.regex(/^[\w+/=]+$/));
const FileSchema = v.strictObject({ charter: v.string(), secrets: long, signature: long });

/** A home's own keys, or those of an invitation. */
export interface Identity {
  /** Base64 of the PKCS #8. */
  sign: string;
  /** An age identity, `AGE-SECRET-KEY-1…`. */
  seal: string;
}

/** A charter with the place it has in the chain. */
export interface Placed {
  charter: Charter;
  digest: string;
  /** The file, whole. */
  bytes: Uint8Array;
}

/** Writes a charter: encrypts the secrets to all of its members, and signs. */
export async function writeCharter(
  charter: Charter,
  secrets: Secrets,
  secret: KeyObject,
): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  for (const { seal } of charter.members) encrypter.addRecipient(seal);
  const sealed = await encrypter.encrypt(JSON.stringify(v.parse(SecretsSchema, secrets)));
  const text = JSON.stringify(v.parse(CharterSchema, charter));
  const file = { charter: text, secrets: Buffer.from(sealed).toString("base64") };
  const signature = sign(null, toSign(file), secret).toString("base64");
  return new TextEncoder().encode(JSON.stringify({ ...file, signature }));
}

/** The secrets of a charter. Undefined where this identity is not among its members. */
export async function readSecrets(
  bytes: Uint8Array,
  identity: Identity,
): Promise<Secrets | undefined> {
  try {
    const { secrets } = v.parse(FileSchema, JSON.parse(new TextDecoder().decode(bytes)));
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity.seal);
    const text = await decrypter.decrypt(Buffer.from(secrets, "base64"), "text");
    return v.parse(SecretsSchema, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The end of a chain that this home has seen. */
export interface Pin {
  number: number;
  digest: string;
}

/**
 * The chain of a space's members, of all charters that a hub shows: the longest that holds and goes through `pin`; of two the one with the
 * smaller digest, for two homes may have written at once through a folder. Whatever does not hold is as if it were not there. Empty where
 * the hub shows nothing that goes on from what was seen: it went back, or shows another history.
 */
export function readChain(space: string, files: readonly Uint8Array[], pin?: Pin): Placed[] {
  // Each once, however often it is shown: every second copy would double the ways through all that follow.
  const placed = files.flatMap((bytes) => place(space, bytes) ?? []);
  const read = [...new Map(placed.map((one) => [one.digest, one])).values()];
  const after = Map.groupBy(read, ({ charter }) => charter.previous);
  const pinned = pin && read.find(({ digest }) => digest === pin.digest);
  let best: Placed[] = [];
  const grow = (chain: Placed[]): void => {
    const last = chain.at(-1);
    const next = (after.get(last?.digest ?? "") ?? [])
      .filter((one) => isNext(last, one) && isSeen(one, pin, pinned))
      // One that took a member out before one that did not know of it.
      .sort((a, b) => b.charter.epoch - a.charter.epoch || (a.digest < b.digest ? -1 : 1));
    if (chain.length > best.length) best = chain;
    for (const one of next) grow([...chain, one]);
  };
  grow([]);
  return best.length >= (pin?.number ?? 0) ? best : [];
}

/** Where this home has seen a charter, only that one counts, or one that was written beside it by somebody whom it did not remove. */
function isSeen(one: Placed, pin: Pin | undefined, pinned: Placed | undefined): boolean {
  if (one.charter.number !== pin?.number || one.digest === pin.digest) return true;
  if (!pinned || pinned.charter.previous !== one.charter.previous) return false;
  const stays = pinned.charter.members.some(({ id }) => id === one.charter.by);
  if (one.charter.epoch !== pinned.charter.epoch) return one.charter.epoch > pinned.charter.epoch;
  return one.digest < pinned.digest && (stays || pinned.charter.by === one.charter.by);
}

function place(space: string, bytes: Uint8Array): Placed | undefined {
  try {
    const file = v.parse(FileSchema, JSON.parse(new TextDecoder().decode(bytes)));
    const charter = v.parse(CharterSchema, JSON.parse(file.charter));
    const author = charter.number === 1 ? charter.members[0] : undefined;
    if (charter.space !== space) return undefined;
    if (author && !isBy(file, author)) return undefined;
    if (charter.members.some(({ id, sign }) => id !== memberOf(sign))) return undefined;
    return { charter, digest: digestOf(bytes), bytes };
  } catch {
    return undefined;
  }
}

const toSign = (file: { charter: string; secrets: string }) =>
  new TextEncoder().encode(`memoir charter\n${file.charter}\n${file.secrets}`);

function isBy(
  file: { charter: string; secrets: string; signature: string },
  member: Member,
): boolean {
  return isSigned(toSign(file), Buffer.from(file.signature, "base64"), member.sign);
}

/** May this charter follow? Its author has to be a member of the one before, and may only do what the role allows. */
function isNext(before: Placed | undefined, { charter, bytes }: Placed): boolean {
  if (!before) return charter.number === 1 && charter.members[0]?.role === "owner";
  const old = before.charter;
  const author = old.members.find(({ id }) => id === charter.by);
  const file = v.parse(FileSchema, JSON.parse(new TextDecoder().decode(bytes)));
  if (charter.number !== old.number + 1 || !author || !isBy(file, author)) return false;
  if (author.role === "owner" && author.kind === "home")
    return charter.epoch >= old.epoch && charter.members.some(({ role }) => role === "owner");
  if (charter.epoch !== old.epoch || !keepsEnds(old, charter, author.id)) return false;
  const added = charter.members.filter((one) => !old.members.some((was) => same(was, one)));
  const gone = old.members.filter((was) => !charter.members.some((one) => same(was, one)));
  const isSelfGone = gone.length === 1 && gone[0]?.id === author.id;
  if (author.kind !== "invitation") return isSelfGone && added.length === 0;
  const [taker] = added;
  const isInTime = author.until === undefined || charter.at <= author.until;
  return (
    isSelfGone &&
    isInTime &&
    added.length === 1 &&
    taker?.role === author.role &&
    taker.kind === "home"
  );
}

/** Whoever leaves says how far its own streams count, and nothing of others'. */
function keepsEnds(old: Charter, charter: Charter, leaver: string): boolean {
  const others = Object.entries(charter.ended).filter(
    ([stream]) => old.ended[stream] !== undefined || !stream.startsWith(`${leaver}-`),
  );
  return JSON.stringify(Object.fromEntries(others)) === JSON.stringify(old.ended);
}

const same = (a: Member, b: Member) => JSON.stringify(a) === JSON.stringify(b);

/** A new key of a space, base64. */
export const newSpaceKey = (): string => randomBytes(32).toString("base64");

/** Who wrote under a stream's number, and may have: undefined where it does not count. */
export function authorOf(
  chain: readonly Placed[],
  by: string,
  stream: string,
  number: number,
): Member | undefined {
  const now = chain.at(-1)?.charter;
  const writes = (member: Member) => member.role !== "reader" && member.kind !== "invitation";
  const current = now?.members.find(({ id }) => id === by);
  if (current) return writes(current) ? current : undefined;
  // A removed member's later words do not count, whatever key they are sealed with.
  if (number > (now?.ended[stream]?.number ?? 0)) return undefined;
  const earlier = chain.flatMap(({ charter }) => charter.members.filter(({ id }) => id === by));
  return earlier.findLast(writes);
}

/**
 * What a member knows after one more charter. Only an owner's says anything of keys and kind; whoever takes an invitation up says its own
 * name, and whoever leaves says nothing: what they sign besides is not read. Undefined where this identity was not in it.
 */
export async function follow(
  before: Placed | undefined,
  { charter, bytes }: Placed,
  held: Secrets | undefined,
  identity: Identity,
): Promise<Secrets | undefined> {
  const author = (before?.charter ?? charter).members.find(({ id }) => id === charter.by);
  const read = await readSecrets(bytes, identity);
  if (author?.role === "owner" && author.kind === "home") {
    if (!read) return held;
    if (held && held.kind !== read.kind) return held;
    const secrets = { ...read, keys: { ...read.keys, ...held?.keys } };
    return keyOfEpoch(secrets, charter.epoch) ? secrets : held;
  }
  if (!held) return undefined;
  const added = charter.members.filter(
    ({ id }) => !before?.charter.members.some((one) => one.id === id),
  );
  const names = added.map(({ id }) => [id, read?.names[id] ?? { person: "?", machine: "" }]);
  return { ...held, names: { ...held.names, ...Object.fromEntries(names) } };
}

/** The key of an epoch, 32 bytes; undefined where it is not known, or is none. */
export function keyOfEpoch({ keys }: Secrets, epoch: number): Uint8Array | undefined {
  const key = Buffer.from(keys[epoch] ?? "", "base64");
  return key.length === 32 ? key : undefined;
}
